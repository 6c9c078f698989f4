import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { statsCommand } from '../../src/cli/commands/stats'
import { statisticsOf } from '../../src/cli/statistics/statistics'
import { statisticsText } from '../../src/cli/statistics/statistics-text'
import type { ReadConversation } from '../../src/main/readers/read-root'
import { type Entry, EntryId } from '../../src/shared/model/conversation/entry'
import { uuid } from '../support/outlined'
import { fixtures, run } from './run'

const familyFolder = `${fixtures}/branches/cycod-family`
const family = ['--root', `cycod=${familyFolder}`]
const home = ['--home', `${fixtures}/chibi/home-v09`]

async function told(argv: readonly string[], now?: string) {
  const { out } = await run(statsCommand, [...argv, '--json'], now === undefined ? {} : { now })
  return JSON.parse(out)
}

interface CycodLine {
  readonly role?: string
  readonly content?: string | null
  readonly tool_calls?: readonly { readonly function: { readonly name: string } }[]
}

/** Every message of a folder of cycod files once, wherever a beginning is repeated: a line, and all the lines before it. */
function messagesOnce(folder: string): readonly CycodLine[] {
  const found = new Map<string, CycodLine>()
  for (const name of fs.readdirSync(folder)) {
    const text = fs.readFileSync(path.join(folder, name), 'utf8').replace(/^\ufeff/, '')
    const messages = text
      .split('\n')
      .map((line) => JSON.parse(line) as CycodLine)
      .filter(({ role }) => role !== undefined)
    messages.forEach((message, at) => {
      // Below a system prompt that many have, the first words of a person tell families apart.
      const before = JSON.stringify(messages.slice(0, Math.max(2, at + 1)))
      found.set(`${at} ${before}`, message)
    })
  }
  return [...found.values()]
}

it('counts what a family of files repeats once', async () => {
  const once = messagesOnce(path.join(familyFolder, 'history'))
  const of = (role: string) => once.filter((message) => message.role === role).length
  const calls = once.flatMap((message) => message.tool_calls ?? [])
  const { conversations, families, entries } = await told(family)

  expect([conversations, families]).toEqual([9, 3])
  expect(entries.byRole).toEqual({
    system: of('system'),
    user: of('user'),
    agent: of('assistant'),
    tool: of('tool') + calls.length,
  })
  expect(entries.bySource).toEqual({ cycod: entries.total })
  const names = calls.map((call) => call.function.name)
  for (const [name, count] of Object.entries(entries.byTool))
    expect([name, count]).toEqual([name, names.filter((one) => one === name).length])
  expect(entries.total).toBe(once.length + calls.length)
})

it('counts a single conversation whole, and a part where its parents are not counted once', async () => {
  const one = await told(['chat-history-1754437300000', ...family])
  expect(one).toMatchObject({ conversations: 1, families: 1, entries: { total: 19 } })
  expect(one.longest).toMatchObject({ key: 'chat-history-1754437300000', entries: 19 })
})

it('prints the shape that scripts rely on', async () => {
  const all = await told(home)
  expect(Object.keys(all)).toEqual(
    expect.arrayContaining(['conversations', 'families', 'entries', 'tokens', 'cost']),
  )
  expect(Object.keys(all.entries)).toEqual([
    ...['total', 'bySource', 'byType', 'byRole', 'byDay', 'byHour', 'byTool', 'byModel'],
  ])
  expect(Object.keys(all.tokens)).toEqual([
    ...['input', 'cached', 'output', 'reasoning', 'total', 'byModel'],
  ])
  for (const group of ['bySource', 'byType', 'byRole', 'byDay'])
    expect([group, sum(all.entries[group])]).toEqual([group, all.entries.total])
  expect(all.cost).toBeNull()
})

const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((all, one) => all + one, 0)

it('counts entries of a time alone; those without one when their conversation began', async () => {
  expect((await told([...home, '--before', '2026-01-01'])).entries.total).toBe(0)
  expect((await told([...home, '--last', '2d'], '2026-02-03T00:00:00Z')).entries.total).toBe(
    (await told(home)).entries.total,
  )
  expect(
    (await told([...family, '--after', '2025-08-01', '--before', '2025-09-01'])).entries.total,
  ).toBe(38)
  expect((await told([...family, '--after', '2025-09-01'])).conversations).toBe(0)
})

it('prints numbers, the last days, and tools for people', async () => {
  const { out } = await run(statsCommand, family)
  expect(out).toContain('9 conversations in 3 families, 38 entries; what several share counts once')
  expect(out).toMatch(/RunBashCommand {2,}6 {2,}85\.7 %/)
  expect(out).toMatch(/2025-08-0\d {2,}9 {2,}38 {2,}6 {2,}15 {2,}14/)
})

function entry(n: number, fields: Partial<Entry>): Entry {
  return {
    id: EntryId.parse(`e${n}`),
    timestamp: Date.parse('2026-03-01T10:00:00Z') / 1000 + n,
    from: 'a',
    to: 'user',
    content: 'some words here',
    entry_type: 'message',
    role: 'agent',
    file: 'f',
    line: n + 1,
    offset: n * 100,
    length: 99,
    ...fields,
  }
}

function conversation(
  entries: readonly Entry[],
  fields: Partial<ReadConversation> = {},
): ReadConversation {
  return {
    source: 'voicemode',
    key: 'k',
    title: 'K',
    project: null,
    created: null,
    updated: null,
    models: [],
    parent: null,
    active: [],
    entries,
    ...fields,
  }
}

it('tells how much of all text is output of tools, and of which', () => {
  const call = { entry_type: 'tool_call', from: 'a', tool_call_id: 'c1' } as const
  const result = { entry_type: 'tool_result', to: 'a', tool_call_id: 'c1' } as const
  const asked = entry(0, { role: 'user', content: 'Where is Zürich?' })
  const called = entry(1, { ...call, to: 'look', content: '{"at":"x"}' })
  const all = [
    asked,
    called,
    entry(2, { ...result, from: 'look', content: '🌍'.repeat(10) }),
    entry(3, { ...result, tool_call_id: 'lost', from: 'x', content: 'abc' }),
    entry(4, { content: 'There.' }),
  ]
  const statistics = statisticsOf([conversation(all, { source: 'cycod' })])
  expect(statistics.bytes).toEqual({
    total: 76,
    byRole: { tool: 53, user: 17, agent: 6 },
    toolOutput: 43,
    outputByTool: { look: 40, unknown: 3 },
  })
  expect(statisticsText(statistics)).toContain('43 bytes of it are output of tools, 56.6 %')
})

it('counts the text that a family of files repeats once', async () => {
  const once = messagesOnce(path.join(familyFolder, 'history'))
  const bytes = (some: readonly CycodLine[]) =>
    some.reduce((all, { content }) => all + Buffer.byteLength(content ?? ''), 0)
  const { bytes: text } = await told(family)
  expect(text.toolOutput).toBe(bytes(once.filter(({ role }) => role === 'tool')))
  expect(text.byRole.user).toBe(bytes(once.filter(({ role }) => role === 'user')))
  expect(sum(text.byRole)).toBe(text.total)
  expect(Object.keys(text.outputByTool)).not.toContain('unknown')
})

it('adds up what was used, by any of the names, and a record that a line repeats once', () => {
  const openai = {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 60 },
    completion_tokens_details: { reasoning_tokens: 5 },
  }
  const { tokens, cost } = statisticsOf([
    conversation([
      entry(0, { metadata: { model: 'big', usage: openai } }),
      // A further part of the same line.
      entry(0, { id: EntryId.parse('e0#2'), metadata: { model: 'big', usage: openai } }),
      entry(1, { metadata: { model: 'big', usage: openai } }),
      entry(2, { metadata: { model: 'small', usage: { input: 10, output: 1, cost: 0.25 } } }),
      entry(3, { metadata: { usage: { input_tokens: 'many', output_tokens: -1 } } }),
      entry(4, { metadata: { usage: 'none' } }),
    ]),
  ])
  expect(tokens).toMatchObject({ input: 210, cached: 120, output: 41, reasoning: 10, total: 251 })
  expect(tokens.byModel).toMatchObject({ big: { total: 240 }, small: { total: 11 } })
  expect(cost).toBe(0.25)
})

it('tells providers, transports and times of what was spoken and heard', () => {
  const heard = { role: 'user', from: 'user', to: 'voicemode' } as const
  const { speech } = statisticsOf([
    conversation([
      entry(0, {
        metadata: {
          speech: {
            provider: 'kokoro',
            transport: 'local',
            voice: 'af_sky',
            timing: 'ttfa 1.0s, gen 2s',
          },
        },
      }),
      entry(4, {
        ...heard,
        metadata: {
          speech: {
            provider: 'whisper',
            timing: 'record 3.5s, stt 0.5s',
            silence_detection: { enabled: true },
          },
        },
      }),
      entry(5, { metadata: { speech: { provider: 7, timing: 'ttfa 3.0s', error: 'timeout' } } }),
      entry(6, {}),
    ]),
  ])
  expect(speech).toMatchObject({
    exchanges: 3,
    heard: 1,
    spoken: 2,
    words: { heard: 3, spoken: 6 },
    byProvider: { kokoro: 1, whisper: 1, unknown: 1 },
    byTransport: { unknown: 2, local: 1 },
    byVoice: { af_sky: 1, unknown: 1 },
    timing: { ttfa: { count: 2, average: 2, min: 1, max: 3 }, stt: { average: 0.5 } },
    turnaround: { count: 2, average: 2.5, min: 1, max: 4 },
    silenceDetection: { on: 1, off: 0 },
    errors: 1,
  })
  expect(statisticsOf([conversation([entry(0, {})])]).speech).toBeNull()
})

it('counts by the days and hours of the clock that it is given', () => {
  const clock = {
    now: 0,
    dayOf: () => ({ year: 2026, month: 3, day: 2 }),
    hourOf: () => 7,
    startOf: () => 0,
  }
  const timeless = entry(1, { timestamp: null })
  const created = '2026-03-01T10:00:00.000Z'
  const { entries, days } = statisticsOf(
    [conversation([entry(0, {}), timeless], { created })],
    undefined,
    clock,
  )
  expect([entries.byDay, entries.byHour]).toEqual([{ '2026-03-02': 2 }, { '07': 1 }])
  expect(days).toEqual([
    { day: '2026-03-02', conversations: 1, entries: 2, user: 0, agent: 2, tool: 0 },
  ])
})

it('counts what several repeat of a parent that is not there once', () => {
  const shared = [
    entry(0, { id: uuid('first'), inherited: true }),
    entry(1, { id: uuid('second'), inherited: true }),
  ]
  const child = (key: string) =>
    conversation([...shared, entry(2, { id: uuid(key) })], {
      key,
      parent: { key: 'gone', entries: 2 },
    })
  expect(statisticsOf([child('a'), child('b')])).toMatchObject({
    conversations: 2,
    families: 1,
    entries: { total: 4 },
  })
  const parent = conversation(shared, { key: 'gone' })
  expect(statisticsOf([child('a'), parent, child('b')]).entries.total).toBe(4)
})

it('prints seconds to a thousandth, and a sum of prices without the noise of its sum', () => {
  const speech = { provider: 'whisper' }
  const at = Date.parse('2026-03-01T10:00:00Z') / 1000
  const usage = (cost: number) => ({ prompt_tokens: 1, completion_tokens: 1, cost })
  const stats = statisticsOf([
    conversation([
      entry(0, { timestamp: at, role: 'user', from: 'mira', metadata: { speech } }),
      entry(1, { timestamp: at + 5.333, metadata: { speech, usage: usage(0.1) } }),
      entry(2, { timestamp: at + 6, metadata: { usage: usage(0.2) } }),
    ]),
  ])
  expect(stats.speech?.turnaround).toEqual({ count: 1, average: 5.333, min: 5.333, max: 5.333 })
  expect(stats.cost).toBe(0.3)
  expect(statisticsText(stats)).toContain('5.333 s on average, 5.333 to 5.333 s, of 1')
})
