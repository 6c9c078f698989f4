import { describe, expect, it } from 'vitest'
import { type ApprovalDecision, openApprovals } from '../../../src/main/home/approvals'
import type { ConsentAnswer, ConsentQuestion } from '../../../src/main/llm/steps/consent'
import { openPermissions } from '../../../src/main/permission/permissions'
import type { ToolReach } from '../../../src/main/tools/base/tool'
import { ConsentAsked } from '../../../src/shared/ipc/runs/completion'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { RunId } from '../../../src/shared/model/run/run'
import { scriptedPerson } from '../../support/permissions'

const hash = 'ab'.repeat(32)
const inNotes: ToolReach = {
  type: 'file',
  file: '/home/ada/notes/a.md',
  folder: '/home/ada/notes',
  hash,
  risk: undefined,
}

const question = (
  more: { key?: string; tool?: string; id?: string; reach?: ToolReach | undefined } = {},
): ConsentQuestion => {
  const reach = 'reach' in more ? more.reach : inNotes
  return {
    runId: RunId.parse('run-1'),
    key: LibraryKey.parse(more.key ?? 'garden'),
    call: { id: more.id ?? 'call_1', tool: more.tool ?? 'write_file', args: { path: 'a.md' } },
    preview: {
      title: 'Make a.md with 1 line',
      diff: '--- /dev/null\n+++ b/a.md\n@@ -0,0 +1 @@\n+a\n',
      ...(reach === undefined ? {} : { reach }),
    },
  }
}

/** Approvals, and what they told, in order. */
function open(person = scriptedPerson()) {
  const told: string[] = []
  const asked: ConsentAsked[] = []
  const approvals = openApprovals(
    {
      asked: (one) => {
        asked.push(ConsentAsked.parse(one))
        told.push('asked')
      },
      ended: ({ consentId }) =>
        told.push(`ended ${asked.findIndex((one) => one.consentId === consentId)}`),
    },
    person.permissions,
  )
  const nth = (index: number) => {
    const one = asked[index]
    if (one === undefined) throw new Error(`nothing was asked as number ${index}`)
    return one
  }
  /** What is pressed in the window on the question of that number. */
  const press = (index: number, decision: ApprovalDecision) =>
    approvals.decide(nth(index).consentId, nth(index).digest, decision)
  return { approvals, told, asked, nth, press, person }
}

/** The same, and a person who has allowed the conversation to change files in that folder. */
async function openAllowed() {
  const opened = open()
  const first = opened.approvals.ask(question(), never())
  opened.person.next('Allow in This Folder')
  await opened.press(0, 'once')
  expect(await first).toEqual({ allowed: true, as: 'once' })
  return opened
}

/** What a promise came to so far, without waiting for it. */
async function stateOf(answer: Promise<ConsentAnswer>): Promise<ConsentAnswer | 'waits'> {
  return Promise.race([answer, new Promise<'waits'>((resolve) => setImmediate(resolve, 'waits'))])
}

const withdrawn = { code: 'cancelled' }
const never = () => new AbortController().signal

describe('a call that waits for a word', () => {
  it('is told with all that somebody must see, and is not allowed by itself', async () => {
    const { approvals, asked, told } = open()
    const answer = approvals.ask(question(), never())
    expect(asked).toEqual([
      {
        consentId: expect.any(String),
        key: 'garden',
        runId: 'run-1',
        callId: 'call_1',
        tool: 'write_file',
        title: 'Make a.md with 1 line',
        diff: '--- /dev/null\n+++ b/a.md\n@@ -0,0 +1 @@\n+a\n',
        arguments: '{\n  "path": "a.md"\n}',
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    expect(approvals.pending()).toEqual(asked)
    expect([await stateOf(answer), told]).toEqual(['waits', ['asked']])
  })

  it('is allowed once: the same call asks again', async () => {
    const { approvals, press, told, nth } = await openAllowed()
    const first = approvals.ask(question(), never())
    await press(1, 'once')
    expect(await first).toEqual({ allowed: true, as: 'once' })
    const second = approvals.ask(question(), never())
    expect(await stateOf(second)).toBe('waits')
    expect(told.slice(2)).toEqual(['asked', 'ended 1', 'asked'])
    expect(nth(2).consentId).not.toBe(nth(1).consentId)
  })

  it('is denied, and nothing is kept of that', async () => {
    const { approvals, press, person } = open()
    const first = approvals.ask(question(), never())
    await press(0, 'denied')
    expect(await first).toEqual({ allowed: false })
    expect(await stateOf(approvals.ask(question(), never()))).toBe('waits')
    expect([approvals.pending().length, person.asked]).toEqual([1, []])
  })

  it('asks about a context that would be made, whatever holds for further messages', async () => {
    const { approvals, press, person } = open()
    const message = (reach: ToolReach) => question({ tool: 'send_message', reach })
    const first = approvals.ask(message({ type: 'home' }), never())
    person.next('Allow Without Asking')
    await press(0, 'always')
    expect(await first).toEqual({ allowed: true, as: 'always' })
    expect(await approvals.ask(message({ type: 'home' }), never())).toMatchObject({ as: 'always' })
    const creating = approvals.ask(message({ type: 'home', creates: 'shed' }), never())
    expect(await stateOf(creating)).toBe('waits')
    await press(1, 'denied')
    expect(await creating).toEqual({ allowed: false })
  })

  it('is decided once: a word that comes late, or on nothing, does nothing', async () => {
    const { approvals, press, told } = open()
    const first = approvals.ask(question(), never())
    await press(0, 'denied')
    await press(0, 'always')
    await approvals.decide('no such question', '', 'always')
    expect(await first).toEqual({ allowed: false })
    expect(await stateOf(approvals.ask(question(), never()))).toBe('waits')
    expect(told).toEqual(['asked', 'ended 0', 'asked'])
  })

  it('takes a word for one of two calls that have the same id', async () => {
    const { approvals, press } = await openAllowed()
    const first = approvals.ask(question({ id: 'call_0' }), never())
    const second = approvals.ask(question({ id: 'call_0' }), never())
    await press(2, 'once')
    expect([await stateOf(first), await stateOf(second)]).toEqual([
      'waits',
      { allowed: true, as: 'once' },
    ])
  })

  it('takes no word that was given on another change', async () => {
    const { approvals, nth } = await openAllowed()
    const first = approvals.ask(question(), never())
    const elsewhere = { ...inNotes, hash: 'cd'.repeat(32) }
    const second = approvals.ask(question({ reach: elsewhere }), never())
    expect(nth(1).digest).not.toBe(nth(2).digest)
    await expect(approvals.decide(nth(2).consentId, nth(1).digest, 'once')).rejects.toMatchObject({
      code: 'bad-argument',
    })
    expect([await stateOf(first), await stateOf(second)]).toEqual(['waits', 'waits'])
  })
})

describe('yes in the window', () => {
  it('is not enough for the first change in a folder: a person is asked outside of it, with the whole paths', async () => {
    const { approvals, press, person } = open()
    const first = approvals.ask(question(), never())
    await press(0, 'once')
    expect(await first).toEqual({ allowed: false })
    expect(person.asked).toEqual([
      {
        message: 'Let “garden” change files in “/home/ada/notes”?',
        detail: expect.stringMatching(
          /^Folder: \/home\/ada\/notes\n[\s\S]*\nNow: \/home\/ada\/notes\/a\.md\nMake a\.md with 1 line\n\n\+a$/,
        ),
        refusal: 'Don’t Write',
        answers: ['This Change Only', 'Allow in This Folder'],
      },
    ])
  })

  it('holds for one change where a person allowed that change only', async () => {
    const { approvals, press, person } = open()
    for (const index of [0, 1]) {
      const answer = approvals.ask(question(), never())
      person.next('This Change Only')
      await press(index, 'once')
      expect(await answer).toEqual({ allowed: true, as: 'once' })
    }
    expect(person.asked).toHaveLength(2)
  })

  it('is enough for further changes in a folder that was allowed, in that conversation and folder alone', async () => {
    const { approvals, press, person } = await openAllowed()
    const others = [
      question(),
      question({ key: 'kitchen' }),
      question({ reach: { ...inNotes, folder: '/home/ada/work' } }),
    ]
    const ends: ConsentAnswer[] = []
    for (const [index, other] of others.entries()) {
      const answer = approvals.ask(other, never())
      await press(index + 1, 'once')
      ends.push(await answer)
    }
    expect(ends.map(({ allowed }) => allowed)).toEqual([true, false, false])
    expect(person.asked).toHaveLength(3)
  })

  it('is never enough where a file is more than words, whatever was allowed before', async () => {
    const { approvals, press, person } = await openAllowed()
    const reach = { ...inNotes, file: '/home/ada/notes/.envrc', risk: 'It is hidden.' }
    for (const [index, decision] of (['once', 'always'] as const).entries()) {
      const answer = approvals.ask(question({ reach }), never())
      await press(index + 1, decision)
      expect(await answer).toEqual({ allowed: false })
    }
    const allowed = approvals.ask(question({ reach }), never())
    person.next('Write')
    await press(3, 'always')
    expect(await allowed).toEqual({ allowed: true, as: 'once' })
    expect(await stateOf(approvals.ask(question({ reach }), never()))).toBe('waits')
    expect(person.asked.slice(1).map(({ message, answers }) => [message, answers])).toEqual(
      Array(3).fill(['Let “garden” write this file?', ['Write']]),
    )
    expect(person.asked[1]?.detail).toContain(
      '/home/ada/notes/.envrc\n\nIt is hidden.\n\nMake a.md with 1 line',
    )
    expect(person.asked[1]?.detail).toContain('SHA-256 of the new content: abababab')
  })

  it('is never enough for a call of which nobody knows what it reaches', async () => {
    const { approvals, press, person } = open()
    const answer = approvals.ask(question({ tool: 'odd', reach: undefined }), never())
    person.next('Allow')
    await press(0, 'always')
    expect(await answer).toEqual({ allowed: true, as: 'once' })
    expect(person.asked[0]?.detail).toContain('"path": "a.md"')
    expect(await stateOf(approvals.ask(question({ tool: 'odd', reach: undefined }), never()))).toBe(
      'waits',
    )
  })

  it('is enough for what stays in the home', async () => {
    const { approvals, press, person } = open()
    const answer = approvals.ask(
      question({ tool: 'send_message', reach: { type: 'home' } }),
      never(),
    )
    await press(0, 'once')
    expect([await answer, person.asked]).toEqual([{ allowed: true, as: 'once' }, []])
  })

  it('waits on while another question is open', async () => {
    let decide = (_: number) => {}
    const permissions = openPermissions(
      () => new Promise((resolve) => (decide = (answer) => resolve(answer))),
    )
    const { approvals, press } = open({ ...scriptedPerson(), permissions })
    const first = approvals.ask(question(), never())
    const second = approvals.ask(question({ key: 'kitchen' }), never())
    const pressed = press(0, 'once')
    await expect(press(1, 'once')).rejects.toMatchObject({ code: 'busy' })
    decide(0)
    await pressed
    expect([await stateOf(first), await stateOf(second)]).toEqual([
      { allowed: true, as: 'once' },
      'waits',
    ])
  })

  it('counts for nothing where the run was stopped while a person was asked', async () => {
    const signals: AbortSignal[] = []
    const permissions = openPermissions(
      (_, signal) =>
        new Promise((resolve) => {
          signals.push(signal)
          signal.addEventListener('abort', () => resolve(1))
        }),
    )
    const { approvals, press } = open({ ...scriptedPerson(), permissions })
    const run = new AbortController()
    const first = approvals.ask(question(), run.signal)
    const pressed = press(0, 'always')
    run.abort()
    await expect(first).rejects.toMatchObject(withdrawn)
    await pressed
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(await stateOf(approvals.ask(question(), never()))).toBe('waits')
  })
})

describe('a word for all further calls', () => {
  it('holds for that tool in that context and folder alone', async () => {
    const { approvals, press, asked, person } = open()
    const first = approvals.ask(question(), never())
    person.next('Allow Without Asking')
    await press(0, 'always')
    expect(await first).toEqual({ allowed: true, as: 'always' })
    expect(await approvals.ask(question(), never())).toEqual({ allowed: true, as: 'always' })
    expect(asked).toHaveLength(1)
    const others = [
      question({ key: 'kitchen' }),
      question({ tool: 'send_message' }),
      question({ reach: { ...inNotes, folder: '/home/ada/work' } }),
      question({ reach: { ...inNotes, risk: 'It is hidden.' } }),
    ]
    for (const other of others) expect(await stateOf(approvals.ask(other, never()))).toBe('waits')
  })

  it('is asked outside of the window: pressed there alone it is no word at all', async () => {
    const { approvals, press, person } = await openAllowed()
    const home = question({ tool: 'send_message', reach: { type: 'home' } })
    const calls = [approvals.ask(question(), never()), approvals.ask(home, never())]
    await press(1, 'always')
    await press(2, 'always')
    expect(await Promise.all(calls)).toEqual([{ allowed: false }, { allowed: false }])
    expect(person.asked.slice(1).map(({ message }) => message)).toEqual([
      'Let “garden” change files in “/home/ada/notes” without asking?',
      'Let “garden” use “send_message” without asking?',
    ])
    expect(await stateOf(approvals.ask(question(), never()))).toBe('waits')
    expect(await stateOf(approvals.ask(home, never()))).toBe('waits')
  })

  it('holds for those of its kind that wait behind it, and for no other', async () => {
    const { approvals, press, told, person } = open()
    const answers = [
      approvals.ask(question(), never()),
      approvals.ask(question({ key: 'kitchen' }), never()),
      approvals.ask(question(), never()),
    ]
    person.next('Allow Without Asking')
    await press(0, 'always')
    expect(await Promise.all(answers.map(stateOf))).toEqual([
      { allowed: true, as: 'always' },
      'waits',
      { allowed: true, as: 'always' },
    ])
    expect(told.slice(3)).toEqual(['ended 0', 'ended 2'])
  })

  it('is forgotten when all is closed', async () => {
    const { approvals, press, person } = open()
    const first = approvals.ask(question(), never())
    person.next('Allow Without Asking')
    await press(0, 'always')
    await first
    approvals.close()
    await expect(approvals.ask(question(), never())).rejects.toMatchObject(withdrawn)
  })
})

describe('a question that nobody answers', () => {
  it('is withdrawn when its run is stopped, and not allowed', async () => {
    const { approvals, press, told } = open()
    const run = new AbortController()
    const first = approvals.ask(question(), run.signal)
    const other = approvals.ask(question({ key: 'kitchen' }), never())
    run.abort()
    await expect(first).rejects.toMatchObject(withdrawn)
    expect(told).toEqual(['asked', 'asked', 'ended 0'])
    await press(0, 'always')
    expect(await stateOf(approvals.ask(question(), never()))).toBe('waits')
    expect(await stateOf(other)).toBe('waits')
  })

  it('is not asked for a run that was stopped before', async () => {
    const { approvals, told } = open()
    const run = new AbortController()
    run.abort()
    await expect(approvals.ask(question(), run.signal)).rejects.toMatchObject(withdrawn)
    expect(told).toEqual([])
  })

  it('is withdrawn when the home is closed', async () => {
    const { approvals, told } = open()
    const answers = [approvals.ask(question(), never()), approvals.ask(question(), never())]
    approvals.close()
    const ends = await Promise.allSettled(answers)
    expect(ends).toEqual(
      Array(2).fill({ status: 'rejected', reason: expect.objectContaining(withdrawn) }),
    )
    expect([told, approvals.pending()]).toEqual([['asked', 'asked', 'ended 0', 'ended 1'], []])
  })
})
