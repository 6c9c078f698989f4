import { describe, expect, it } from 'vitest'
import { ProviderError } from '../../../../src/main/llm/chat/provider'
import { toChatMessages } from '../../../../src/main/llm/prompt/messages'
import type { ConsentCall } from '../../../../src/main/llm/steps/consent'
import type { ToolPreview } from '../../../../src/main/tools/base/tool'
import type { ErrorCode } from '../../../../src/shared/model/basics/errors'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import type { RunEvent } from '../../../../src/shared/model/run/run'
import { memoryWriter } from '../../../support/memory-writer'
import {
  asks,
  call,
  callUser,
  chatFaults,
  chibiFaults,
  content,
  finish,
  manualClock,
  play,
  told,
  tool,
} from '../support/tool-support'

const read = tool('read', 'reads', async ({ path }) => `text of ${path}`)
const write = tool('write', 'writes', async ({ path }) => `wrote ${path}`)
const answer = [content('Done.'), finish()]
const allow = async () => ({ allowed: true }) as const

function results(entries: readonly Entry[]): readonly string[] {
  return entries.filter((one) => one.entry_type === 'tool_result').map((one) => one.content)
}

function failureOf(events: readonly RunEvent[]) {
  const last = events.at(-1)
  return last?.type === 'ended' ? { outcome: last.outcome, ...last.failure } : undefined
}

describe('a run with tools', () => {
  it('offers them, writes words, calls and results, and asks again with them', async () => {
    const { events, writer, requests } = await play(
      [
        [
          content('I look.'),
          { type: 'usage', usage: { input: 3 } },
          ...asks(call('c1', 'read', '{"path":"a"}'), call('c2', 'read', '{ "path":"b"}')),
        ],
        answer,
      ],
      [read],
    )
    expect(writer.entries.slice(1)).toMatchObject([
      {
        entry_type: 'message',
        id: 'e2',
        role: 'agent',
        content: 'I look.',
        metadata: { usage: { input: 3 } },
      },
      {
        entry_type: 'tool_call',
        from: 'garden',
        to: 'read',
        tool_call_id: 'c1',
        content: '{"path":"a"}',
      },
      {
        entry_type: 'tool_call',
        from: 'garden',
        to: 'read',
        tool_call_id: 'c2',
        content: '{ "path":"b"}',
      },
      {
        entry_type: 'tool_result',
        from: 'read',
        to: 'garden',
        tool_call_id: 'c1',
        content: 'text of a',
      },
      {
        entry_type: 'tool_result',
        from: 'read',
        to: 'garden',
        tool_call_id: 'c2',
        content: 'text of b',
      },
      { entry_type: 'message', role: 'agent', content: 'Done.' },
    ])
    expect(writer.partial).toBeUndefined()
    expect(requests[0]?.tools).toEqual([read])
    expect(requests[1]?.messages).toEqual([
      { role: 'user', content: 'hello' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          { id: 'c2', type: 'function', function: { name: 'read', arguments: '{ "path":"b"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'text of a' },
      { role: 'tool', tool_call_id: 'c2', content: 'text of b' },
    ])
    expect(events.map((event) => event.type)).toEqual([
      'appended',
      'requested',
      'delta',
      'appended',
      'appended',
      'appended',
      'tool',
      'tool',
      'tool',
      'tool',
      'appended',
      'appended',
      'requested',
      'delta',
      'appended',
      'ended',
    ])
    const seqs = events.flatMap((event) => (event.type === 'delta' ? [event.seq] : []))
    expect(seqs).toEqual([0, 1])
    const answers = events.flatMap((event) => (event.type === 'requested' ? [event.answerId] : []))
    expect(answers).toEqual(['e2', writer.entries.at(-1)?.id])
  })

  it('keeps reasoning and counts at the first call where nothing is said, under the answer’s id', async () => {
    const { writer, events } = await play(
      [[{ type: 'reasoning', text: 'hm' }, content('\n'), ...asks(call('c1', 'read'))], answer],
      [read],
    )
    expect(writer.entries[1]).toMatchObject({
      id: 'e2',
      entry_type: 'tool_call',
      metadata: { model: 'some/model', reasoning: 'hm' },
    })
    expect(events[1]).toMatchObject({ type: 'requested', answerId: 'e2' })
  })

  it('is as it was where nothing is offered', async () => {
    const { writer, requests, events } = await play([[...asks(call('c1', 'read'))]], [])
    expect(requests[0]).not.toHaveProperty('tools')
    expect(told(writer.entries).length).toBe(2)
    expect(failureOf(events)).toMatchObject({ outcome: 'failed', kind: 'bad-request' })
  })

  it('has every call on the disk before a tool runs', async () => {
    const writer = memoryWriter('garden')
    const seen: number[] = []
    const look = tool('look', 'reads', async () => `${seen.push(writer.entries.length)}`)
    await play([[...asks(call('a', 'look'), call('b', 'look', '{"x":1}'))], answer], [look], {
      writer,
    })
    expect(seen).toEqual([3, 3])
  })

  it('runs those that read side by side, and one that writes alone', async () => {
    const steps: string[] = []
    const slow = (effect: 'reads' | 'writes', name: string) =>
      tool(name, effect, async ({ n }) => {
        steps.push(`+${n}`)
        await new Promise((resolve) => setImmediate(resolve))
        steps.push(`-${n}`)
        return 'ok'
      })
    const tools = [slow('reads', 'r'), slow('writes', 'w')]
    const calls = ['r', 'r', 'w', 'w', 'r'].map((name, n) => call(`c${n}`, name, `{"n":${n}}`))
    await play([[...asks(...calls)], answer], tools, { consent: allow })
    expect(steps).toEqual(['+0', '+1', '-0', '-1', '+2', '-2', '+3', '-3', '+4', '-4'])
  })

  it('writes results in the order of the calls, each as soon as those before it are there', async () => {
    const writer = memoryWriter('garden')
    let first: (text: string) => void = () => undefined
    const slow = tool(
      'slow',
      'reads',
      () =>
        new Promise<string>((resolve) => {
          first = resolve
        }),
    )
    const quick = tool('quick', 'reads', async () => 'quick')
    const { events } = await play(
      [[...asks(call('a', 'slow'), call('b', 'quick'))], answer],
      [slow, quick],
      {
        writer,
        each(event) {
          if (event.type === 'tool' && event.callId === 'b' && event.phase === 'ended')
            first('slow')
          return undefined
        },
      },
    )
    expect(results(writer.entries)).toEqual(['slow', 'quick'])
    const phases = events.flatMap((one) =>
      one.type === 'tool' ? [`${one.callId} ${one.phase}`] : [],
    )
    expect(phases).toEqual(['a running', 'b running', 'b ended', 'a ended'])
  })

  it('gives the model words for what goes wrong, and goes on', async () => {
    const tools = [
      tool('throws', 'reads', async () => {
        throw new Error('boom')
      }),
      tool('says', 'reads', async () => ({ type: 'error', text: 'no such file' })),
      tool('floods', 'reads', async () => `${'x'.repeat(99_999)}🌱${'y'.repeat(5)}`),
      tool('quoted', 'reads', async ({ a }) => `a is ${a}`),
    ]
    const calls = [
      call('1', 'throws'),
      call('2', 'says'),
      call('3', 'floods'),
      call('4', 'nothing'),
      call('5', 'says', '{"a": '),
      call('6', 'says', '[1]'),
      call('7', 'quoted', '"{\\"a\\":1}"'),
      call('8', 'quoted', ''),
      call('9', '', '{}'),
    ]
    const { writer, events, requests } = await play([[...asks(...calls)], answer], tools)
    const known = 'Available tools: throws, says, floods, quoted.'
    expect(results(writer.entries)).toEqual([
      'Error: "throws" failed: boom',
      'Error: no such file',
      `${'x'.repeat(99_999)}\n\n[Cut here: the first 99999 of 100006 characters are shown. Ask for less at once.]`,
      `Error: there is no tool "nothing". ${known}`,
      'Error: the arguments are not valid JSON. Send one JSON object.',
      'Error: the arguments are not a JSON object.',
      'a is 1',
      'a is undefined',
      `Error: there is no tool "unnamed". ${known}`,
    ])
    expect(writer.entries[5]).toMatchObject({ entry_type: 'tool_call', content: '{"a": ' })
    expect(failureOf(events)).toEqual({ outcome: 'complete' })
    expect([chibiFaults(writer.entries), chatFaults(requests[1]?.messages ?? [])]).toEqual([[], []])
  })

  it('gives ids to calls that have none, or one that was there', async () => {
    const { writer, requests } = await play(
      [
        [...asks(call('c', 'read'), { name: 'read', arguments: '{"path":"b"}' })],
        [...asks(call('c', 'read', '{"path":"c"}'))],
        answer,
      ],
      [read],
    )
    expect([chibiFaults(writer.entries), chatFaults(requests[2]?.messages ?? [])]).toEqual([[], []])
    expect(writer.entries[1]?.tool_call_id).toBe('c')
  })

  it('runs calls of an answer that ends by another reason', async () => {
    for (const reason of ['stop', 'length', 'broken'] as const) {
      const { writer } = await play(
        [[{ type: 'calls', calls: [call('c', 'read')] }, finish(reason)], answer],
        [read],
      )
      expect(results(writer.entries)).toHaveLength(1)
    }
  })

  it('drops the calls of an answer that was cut, and keeps its words', async () => {
    const cut = new ProviderError('cut', { message: 'It broke.', advice: 'Again.' })
    const { writer } = await play([[content('I lo'), cut]], [read])
    expect(told(writer.entries)).toEqual([
      'message: hello',
      'message: I lo',
      'run_error: It broke. Again.',
    ])
  })
})

describe('a tool that takes too long', () => {
  it('leaves no timer behind when it was quick', async () => {
    const clock = manualClock()
    await play([[...asks(call('c', 'read'))], answer], [read], { deps: { clock } })
    expect(clock.sleeping).toBe(0)
  })

  it('is given up after its time, and told to stop', async () => {
    const clock = manualClock()
    let halted = false
    const hang = tool('hang', 'reads', (_args, signal) => {
      signal.addEventListener('abort', () => {
        halted = true
      })
      return new Promise(() => undefined)
    })
    const running = play([[...asks(call('c', 'hang'))], answer], [hang], {
      deps: { clock },
      each(event) {
        // Once for its time, once for the grace after it.
        if (event.type === 'tool' && event.phase === 'running')
          setImmediate(() => {
            clock.pass(120_000)
            setImmediate(() => clock.pass(2_000))
          })
        return undefined
      },
    })
    const { writer } = await running
    expect(results(writer.entries)).toEqual([
      'Error: "hang" timed out after 120 s. It may have been carried out in part.',
    ])
    expect([halted, clock.sleeping]).toEqual([true, 0])
  })
})

describe('a tool that writes', () => {
  it('runs after somebody allowed it, and the word stands with its result', async () => {
    const asked: [ConsentCall, ToolPreview][] = []
    const shown = { ...write, preview: async () => ({ title: 'Write a', diff: '+a' }) }
    const { writer, events } = await play(
      [[...asks(call('c1', 'write', '{"path":"a"}'), call('c2', 'write', '{"path":"b"}'))], answer],
      [shown],
      {
        async consent(one, preview) {
          asked.push([one, preview])
          return asked.length === 1 ? { allowed: true } : { allowed: true, as: 'always' }
        },
      },
    )
    expect(asked[0]).toEqual([
      { id: 'c1', tool: 'write', args: { path: 'a' } },
      { title: 'Write a', diff: '+a' },
    ])
    expect(writer.entries.slice(3, 5)).toMatchObject([
      { content: 'wrote a', metadata: { consent: 'once' } },
      { content: 'wrote b', metadata: { consent: 'always' } },
    ])
    const phases = events.flatMap((one) => (one.type === 'tool' ? [one.phase] : []))
    expect(phases).toEqual(['asking', 'running', 'ended', 'asking', 'running', 'ended'])
  })

  it.each([
    [
      'a reason',
      { consent: async () => ({ allowed: false, reason: 'not there' }) as const },
      ': not there',
    ],
    ['no reason', { consent: async () => ({ allowed: false }) as const }, ''],
  ])('does not run with %s', async (_name, options, why) => {
    const { writer } = await play([[...asks(call('c', 'write'))], answer], [write], options)
    expect(writer.entries.at(-2)).toMatchObject({
      content: `Error: the person did not allow this${why}`,
      metadata: { consent: 'denied' },
    })
  })

  it('does not run where nobody can be asked, and is not said to be denied', async () => {
    const fails = async () => {
      throw new Error('no window')
    }
    for (const [options, words] of [
      [{}, 'can be asked here'],
      [{ consent: fails }, 'could be asked: no window'],
    ] as const) {
      const { writer } = await play([[...asks(call('c', 'write'))], answer], [write], options)
      const needed = 'Error: this needs approval first, and nobody'
      expect(results(writer.entries)).toEqual([`${needed} ${words}`])
      expect(writer.entries.at(-2)?.metadata).toBeUndefined()
    }
  })

  it('is answered for when whoever asks gives no answer at all', async () => {
    const nothing = async () => undefined as unknown as { readonly allowed: true }
    const { writer } = await play([[...asks(call('c', 'write'))], answer], [write], {
      consent: nothing,
    })
    expect(results(writer.entries)[0]).toMatch(/^Error: "write" failed: /)
  })

  it('is not asked about when its preview fails', async () => {
    const broken = tool('write', 'writes', async () => 'wrote', {
      async preview() {
        throw new Error('no such folder')
      },
    })
    const { writer } = await play([[...asks(call('c', 'write'))], answer], [broken], {
      consent: allow,
    })
    expect(results(writer.entries)).toEqual(['Error: "write" failed: no such folder'])
  })
})

describe('fuel', () => {
  const different = (n: number) => [...asks(call(`c${n}`, 'read', `{"path":"${n}"}`))]

  it('is used up by rounds, and its end stands in words after the results', async () => {
    const { writer, events, requests } = await play([different(1), different(2)], [read], {
      input: { fuel: 2 },
    })
    expect(requests).toHaveLength(2)
    expect(failureOf(events)).toMatchObject({ outcome: 'failed', kind: 'out-of-fuel' })
    expect(told(writer.entries).at(-1)).toBe(
      'run_error: "some/model" was stopped after 2 rounds of tools without an answer: its fuel is used up. Its results are kept. Send a message to let it continue, or give it more fuel.',
    )
    expect(chibiFaults(writer.entries)).toEqual([])
  })

  it('is 30 where nobody says, and without an end where it is 0', async () => {
    const many = Array.from({ length: 40 }, (_, n) => different(n))
    expect((await play(many, [read])).requests).toHaveLength(30)
    const { events } = await play([...many, answer], [read], { input: { fuel: 0 } })
    expect(failureOf(events)).toEqual({ outcome: 'complete' })
  })

  it('is used up by a call that is repeated; the third time it is not run', async () => {
    let ran = 0
    const same = tool('same', 'reads', async () => `${++ran}`)
    const again = (n: number) => [...asks(call(`c${n}`, 'same', '{"a":1}'))]
    const few = await play([again(1), again(2), again(3), again(4)], [same])
    expect(failureOf(few.events)).toMatchObject({ kind: 'out-of-fuel' })
    expect(few.requests).toHaveLength(3)
    expect(results(few.writer.entries)).toEqual([
      '1',
      '2',
      'Error: "same" was called 3 times in a row with the same arguments; it was not run again. Do something else, or answer.',
    ])
    const more = await play([again(1), again(2), again(3), answer], [same], { input: { fuel: 60 } })
    expect(failureOf(more.events)).toEqual({ outcome: 'complete' })
  })

  it('is used up by answers without a word, which are asked for again', async () => {
    const { events, requests } = await play([[finish()], answer], [read])
    expect([failureOf(events), requests.length]).toEqual([{ outcome: 'complete' }, 2])
    const never = await play([[finish()], [finish()], [finish()]], [read], { input: { fuel: 0 } })
    expect(failureOf(never.events)).toMatchObject({ outcome: 'failed', kind: 'server' })
    expect(never.requests).toHaveLength(3)
  })
})

describe('call_user', () => {
  it('ends the turn, stored as flow control after the other calls', async () => {
    const { writer, events } = await play(
      [
        [
          ...asks(
            call('u', 'call_user', '{"message":"Your turn."}'),
            call('r', 'read', '{"path":"a"}'),
          ),
        ],
      ],
      [read, callUser],
    )
    expect(told(writer.entries).slice(1)).toEqual([
      'tool_call read r: {"path":"a"}',
      'tool_result read r: text of a',
      'flow_control_call call_user u: {"message":"Your turn."}',
      'flow_control_result call_user u: Returning to user',
    ])
    expect(failureOf(events)).toEqual({ outcome: 'complete' })
    expect(toChatMessages(writer.entries, {}).at(-1)).toEqual({
      role: 'assistant',
      content: 'Your turn.',
    })
  })

  it('with arguments that are no JSON is a call like others: the model hears of it', async () => {
    const { writer, events } = await play(
      [[...asks(call('u', 'call_user', '{"mess'))], answer],
      [callUser],
    )
    expect(told(writer.entries)[1]).toBe('tool_call call_user u: {"mess')
    expect(failureOf(events)).toEqual({ outcome: 'complete' })
  })
})

describe('a run with tools that is stopped', () => {
  it('gives results to calls that ran and to those that did not', async () => {
    const stop = new AbortController()
    const hang = tool(
      'hang',
      'reads',
      (_args, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')))
          stop.abort()
        }),
    )
    const { writer, events, requests } = await play(
      [[...asks(call('a', 'read'), call('b', 'hang'), call('c', 'write'))]],
      [read, hang, write],
      { stop, consent: allow },
    )
    expect(results(writer.entries)).toEqual([
      'text of undefined',
      'Error: stopped while "hang" ran. It may have been carried out in part.',
      'Error: stopped before it ran',
    ])
    expect([failureOf(events), requests.length]).toEqual([{ outcome: 'stopped' }, 1])
  })

  it('runs nothing that had not begun', async () => {
    const stop = new AbortController()
    const ran: string[] = []
    const last = tool('last', 'writes', async () => {
      ran.push('last')
      stop.abort()
      return 'written'
    })
    const late = tool('late', 'reads', async () => `${ran.push('late')}`)
    const { writer } = await play([[...asks(call('a', 'last'), call('b', 'late'))]], [last, late], {
      stop,
      consent: allow,
    })
    expect(ran).toEqual(['last'])
    expect(results(writer.entries)).toEqual(['written', 'Error: stopped before it ran'])
  })

  it('takes a question that was withdrawn for stopped, not for denied', async () => {
    const stop = new AbortController()
    const { writer } = await play([[...asks(call('a', 'write'))]], [write], {
      stop,
      consent: (_call, _preview, signal) => {
        const word = new Promise<{ readonly allowed: false }>((resolve) => {
          signal.addEventListener('abort', () => resolve({ allowed: false }))
        })
        stop.abort()
        return word
      },
    })
    expect(results(writer.entries)).toEqual(['Error: stopped before it ran'])
    expect(writer.entries.at(-1)?.metadata).toBeUndefined()
  })

  it('waits for nobody who is asked', async () => {
    const stop = new AbortController()
    const { writer } = await play([[...asks(call('a', 'write'))]], [write], {
      stop,
      consent: () => {
        stop.abort()
        return new Promise(() => undefined)
      },
      deps: {
        toolLimits: { graceMs: 0 },
        clock: { ...manualClock(), sleep: async () => undefined },
      },
    })
    expect(results(writer.entries)).toEqual(['Error: stopped before it ran'])
  })
})

describe('a run with tools whose disk fails', () => {
  const failingAt = (operation: string, which: number, code: ErrorCode) => {
    let seen = 0
    return memoryWriter('garden', {
      fails: (now) => (now === operation && ++seen === which ? code : undefined),
    })
  }

  it.each([
    ['append tool_call', 1],
    ['append tool_call', 2],
    ['append tool_result', 1],
    ['append tool_result', 2],
  ])('leaves no call without a result when %s fails for once (%i)', async (operation, which) => {
    const writer = failingAt(operation, which, 'io')
    const { events } = await play(
      [[...asks(call('a', 'read'), call('b', 'read', '{"path":"b"}'))]],
      [read],
      { writer },
    )
    expect(chibiFaults(writer.entries)).toEqual([])
    expect(writer.entries.at(-1)?.entry_type).toBe('run_error')
    expect(failureOf(events)).toMatchObject({ outcome: 'failed', kind: 'storage' })
  })

  it('ends where its lock is lost, and runs nothing more', async () => {
    const writer = memoryWriter('garden')
    const lose = tool('lose', 'reads', async () => {
      writer.loseLock()
      return 'x'
    })
    const { events, requests } = await play([[...asks(call('a', 'lose'))]], [lose], { writer })
    expect(failureOf(events)).toMatchObject({ outcome: 'failed', kind: 'storage' })
    expect(requests).toHaveLength(1)
  })
})
