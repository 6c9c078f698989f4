import { describe, expect, it } from 'vitest'
import { openConsents } from '../../../src/main/compose/consents'
import type { ConsentAnswer } from '../../../src/main/llm/consent'
import type { ConsentQuestion } from '../../../src/main/llm/running-calls'
import { ConsentAsked, ConsentId } from '../../../src/shared/ipc/completion'
import { LibraryKey } from '../../../src/shared/model/conversation'
import { RunId } from '../../../src/shared/model/run'

const question = (more: { key?: string; tool?: string; id?: string } = {}): ConsentQuestion => ({
  runId: RunId.parse('run-1'),
  key: LibraryKey.parse(more.key ?? 'garden'),
  call: { id: more.id ?? 'call_1', tool: more.tool ?? 'write_file', args: { path: 'a.md' } },
  preview: {
    title: 'Make a.md with 1 line',
    diff: '--- /dev/null\n+++ b/a.md\n@@ -0,0 +1 @@\n+a\n',
  },
})

/** Consents, and what they told, in order. */
function open() {
  const told: string[] = []
  const asked: ConsentAsked[] = []
  const consents = openConsents({
    consentAsked: (one) => {
      asked.push(ConsentAsked.parse(one))
      told.push('asked')
    },
    consentEnded: ({ consentId }) =>
      told.push(`ended ${asked.findIndex((one) => one.consentId === consentId)}`),
  })
  const idOf = (index: number) => {
    const id = asked[index]?.consentId
    if (id === undefined) throw new Error(`nothing was asked as number ${index}`)
    return id
  }
  return { consents, told, asked, idOf }
}

/** What a promise came to so far, without waiting for it. */
async function stateOf(answer: Promise<ConsentAnswer>): Promise<ConsentAnswer | 'waits'> {
  return Promise.race([answer, new Promise<'waits'>((resolve) => setImmediate(resolve, 'waits'))])
}

const withdrawn = { code: 'cancelled' }
const never = () => new AbortController().signal

describe('a call that waits for a word', () => {
  it('is told with all that somebody must see, and is not allowed by itself', async () => {
    const { consents, asked, told } = open()
    const answer = consents.ask(question(), never())
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
      },
    ])
    expect(consents.pending()).toEqual(asked)
    expect([await stateOf(answer), told]).toEqual(['waits', ['asked']])
  })

  it('is allowed once: the same call asks again', async () => {
    const { consents, idOf, told } = open()
    const first = consents.ask(question(), never())
    consents.decide(idOf(0), 'once')
    expect(await first).toEqual({ allowed: true, as: 'once' })
    const second = consents.ask(question(), never())
    expect(await stateOf(second)).toBe('waits')
    expect(told).toEqual(['asked', 'ended 0', 'asked'])
    expect(idOf(1)).not.toBe(idOf(0))
  })

  it('is denied, and nothing is kept of that', async () => {
    const { consents, idOf } = open()
    const first = consents.ask(question(), never())
    consents.decide(idOf(0), 'denied')
    expect(await first).toEqual({ allowed: false })
    expect(await stateOf(consents.ask(question(), never()))).toBe('waits')
    expect(consents.pending()).toHaveLength(1)
  })

  it('is decided once: a word that comes late, or on nothing, does nothing', async () => {
    const { consents, idOf, told } = open()
    const first = consents.ask(question(), never())
    consents.decide(idOf(0), 'denied')
    consents.decide(idOf(0), 'always')
    consents.decide(ConsentId.parse('no such question'), 'always')
    expect(await first).toEqual({ allowed: false })
    expect(await stateOf(consents.ask(question(), never()))).toBe('waits')
    expect(told).toEqual(['asked', 'ended 0', 'asked'])
  })

  it('takes a word for one of two calls that have the same id', async () => {
    const { consents, idOf } = open()
    const first = consents.ask(question({ id: 'call_0' }), never())
    const second = consents.ask(question({ id: 'call_0' }), never())
    consents.decide(idOf(1), 'once')
    expect([await stateOf(first), await stateOf(second)]).toEqual([
      'waits',
      { allowed: true, as: 'once' },
    ])
  })
})

describe('a word for all further calls', () => {
  it('holds for that tool in that context alone', async () => {
    const { consents, idOf, asked } = open()
    const first = consents.ask(question(), never())
    consents.decide(idOf(0), 'always')
    expect(await first).toEqual({ allowed: true, as: 'always' })
    expect(await consents.ask(question(), never())).toEqual({ allowed: true, as: 'always' })
    expect(asked).toHaveLength(1)
    const others = [question({ key: 'kitchen' }), question({ tool: 'send_message' })]
    for (const other of others) expect(await stateOf(consents.ask(other, never()))).toBe('waits')
  })

  it('holds for those of its kind that wait behind it, and for no other', async () => {
    const { consents, idOf, told } = open()
    const answers = [
      consents.ask(question(), never()),
      consents.ask(question({ key: 'kitchen' }), never()),
      consents.ask(question(), never()),
    ]
    consents.decide(idOf(0), 'always')
    expect(await Promise.all(answers.map(stateOf))).toEqual([
      { allowed: true, as: 'always' },
      'waits',
      { allowed: true, as: 'always' },
    ])
    expect(told.slice(3)).toEqual(['ended 0', 'ended 2'])
  })

  it('is forgotten when all is closed', async () => {
    const { consents, idOf } = open()
    const first = consents.ask(question(), never())
    consents.decide(idOf(0), 'always')
    await first
    consents.close()
    await expect(consents.ask(question(), never())).rejects.toMatchObject(withdrawn)
  })
})

describe('a question that nobody answers', () => {
  it('is withdrawn when its run is stopped, and not allowed', async () => {
    const { consents, idOf, told } = open()
    const run = new AbortController()
    const first = consents.ask(question(), run.signal)
    const other = consents.ask(question({ key: 'kitchen' }), never())
    run.abort()
    await expect(first).rejects.toMatchObject(withdrawn)
    expect(told).toEqual(['asked', 'asked', 'ended 0'])
    consents.decide(idOf(0), 'always')
    expect(await stateOf(consents.ask(question(), never()))).toBe('waits')
    expect(await stateOf(other)).toBe('waits')
  })

  it('is not asked for a run that was stopped before', async () => {
    const { consents, told } = open()
    const run = new AbortController()
    run.abort()
    await expect(consents.ask(question(), run.signal)).rejects.toMatchObject(withdrawn)
    expect(told).toEqual([])
  })

  it('is withdrawn when the home is closed', async () => {
    const { consents, told } = open()
    const answers = [consents.ask(question(), never()), consents.ask(question(), never())]
    consents.close()
    const ends = await Promise.allSettled(answers)
    expect(ends).toEqual(
      Array(2).fill({ status: 'rejected', reason: expect.objectContaining(withdrawn) }),
    )
    expect([told, consents.pending()]).toEqual([['asked', 'asked', 'ended 0', 'ended 1'], []])
  })
})
