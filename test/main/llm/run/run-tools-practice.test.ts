import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAiStream } from '../../../../src/main/llm/provider/openai'
import type { Practice } from '../../../../src/main/practice/launch'
import type { EntryId } from '../../../../src/shared/model/conversation/entry'
import { memoryWriter } from '../../../support/memory-writer'
import { startPracticeForTests } from '../../../support/practice'
import { callUser, chibiFaults, type PlayOptions, play, told, tool } from '../support/tool-support'

let practice: Practice
beforeAll(async () => {
  practice = await startPracticeForTests()
})
afterAll(() => practice.close())

const tools = [
  tool('read', 'reads', async ({ path }) => `text of ${path}`),
  tool('write_file', 'writes', async ({ path }) => `wrote ${path}`),
  callUser,
]

/** Plays a run over HTTP; the practice model refuses conversations that a strict provider would refuse. */
async function over(text: string, options: PlayOptions = {}) {
  const writer = options.writer ?? memoryWriter('garden')
  const { events } = await play([], tools, {
    writer,
    consent: async () => ({ allowed: true }),
    ...options,
    input: { text, model: 'practice', ...options.input },
    deps: {
      provider: openAiStream({ baseUrl: practice.url }),
      newId: () => randomUUID() as EntryId,
      ...options.deps,
    },
  })
  const rows = writer.entries.map(({ entry_type, to, from, content }) => {
    const name = from === 'garden' ? to : from
    return /_(call|result)$/.test(entry_type) ? `${entry_type} ${name}: ${content}` : entry_type
  })
  return { writer, rows, end: events.at(-1) }
}

describe('a run with tools against the practice model over HTTP', () => {
  it('makes several calls at once, and the answer has what they gave', async () => {
    const { rows, writer, end } = await over(
      'Look:\n/tool read {"path":"a long enough path to come in pieces"}\n/tool write_file {"path":"b"}',
    )
    expect(rows).toEqual([
      'message',
      'message',
      'tool_call read: {"path":"a long enough path to come in pieces"}',
      'tool_call write_file: {"path":"b"}',
      'tool_result read: text of a long enough path to come in pieces',
      'tool_result write_file: wrote b',
      'message',
    ])
    expect(writer.entries[1]?.content).toContain('Calling `read`, `write_file`.')
    expect(writer.entries.at(-1)?.content).toContain('> wrote b')
    expect(end).toEqual({ type: 'ended', outcome: 'complete' })
  })

  it('gives back what the model did wrong, in a form that it can be asked with again', async () => {
    const { rows, writer, end } = await over(
      '/silent\n/tool read {"path": \n/tool no.such {}\n/tool read 5',
    )
    expect(rows).toEqual([
      'message',
      'tool_call read: {"path":',
      'tool_call no.such: {}',
      'tool_call read: 5',
      'tool_result read: Error: the arguments are not valid JSON. Send one JSON object.',
      'tool_result no.such: Error: there is no tool "no.such". Available tools: read, write_file, call_user.',
      'tool_result read: Error: the arguments are not a JSON object.',
      'message',
    ])
    expect(chibiFaults(writer.entries)).toEqual([])
    expect(end).toMatchObject({ outcome: 'complete' })
  })

  it('ends a loop of equal calls', async () => {
    const { rows, writer, end } = await over('/silent /again\n/tool read {"path":"a"}')
    expect(rows.filter((row) => row.startsWith('tool_result'))).toHaveLength(3)
    expect(told(writer.entries).at(-1)).toContain('made the same call 3 times in a row')
    expect(end).toMatchObject({ outcome: 'failed', failure: { kind: 'out-of-fuel' } })
  })

  it('ends the turn by call_user, and goes on with the next message', async () => {
    const { rows, writer } = await over('/silent\n/tool call_user {"message":"Which one?"}')
    expect(rows.slice(1)).toEqual([
      'flow_control_call call_user: {"message":"Which one?"}',
      'flow_control_result call_user: Returning to user',
    ])
    const { end } = await over('The first.', { writer })
    expect(end).toMatchObject({ outcome: 'complete' })
  })

  it('drops the calls of an answer that was cut, and takes an error in the middle of a run', async () => {
    const cut = await over('/cut 6\n/tool read {"path":"a"}')
    expect(cut.rows).toEqual(['message', 'message', 'run_error'])
    let requests = 0
    const provider = openAiStream({ baseUrl: practice.url })
    const later = await over('/tool read {"path":"a"}', {
      deps: {
        provider: (request, signal) =>
          provider(++requests === 2 ? { ...request, model: 'no-such-model' } : request, signal),
      },
    })
    expect(later.rows.slice(-3)).toEqual([
      'tool_call read: {"path":"a"}',
      'tool_result read: text of a',
      'run_error',
    ])
    expect((await over('again', { writer: later.writer })).end).toMatchObject({
      outcome: 'complete',
    })
  })

  it('can be stopped or killed at any event, and asked again', async () => {
    for (const way of ['stop', 'leave'] as const)
      for (let at = 0; at < 14; at++) {
        const stop = new AbortController()
        const { writer } = await over(
          '/silent\n/tool read {"path":"a"}\n/tool write_file {"path":"b"}',
          {
            stop,
            each(_event, index) {
              if (index !== at) return undefined
              if (way === 'leave') return 'leave'
              stop.abort()
              return undefined
            },
          },
        )
        const { end } = await over('/empty go on', { writer, deps: { tools: [] } })
        expect(end).toMatchObject({
          failure: { message: '"practice" returned an empty answer.' },
        })
        expect((await over('go on', { writer })).end).toMatchObject({ outcome: 'complete' })
      }
  })
})
