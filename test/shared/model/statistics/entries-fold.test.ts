import { expect, it } from 'vitest'
import { type Entry, EntryId } from '../../../../src/shared/model/conversation/entry'
import { EntriesFold } from '../../../../src/shared/model/statistics/entries-fold'
import { selectFacts } from '../../../../src/shared/model/statistics/selection'
import { sumStatistics } from '../../../../src/shared/model/statistics/statistics'

const utc = {
  now: 0,
  dayOf(ms: number) {
    const date = new Date(ms)
    return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
  },
  hourOf: (ms: number) => new Date(ms).getUTCHours(),
  startOf: () => 0,
}

function entry(iso: string | null, fields: Partial<Entry>): Entry {
  return {
    id: EntryId.parse('e'),
    timestamp: iso === null ? null : Date.parse(iso) / 1000,
    from: 'a',
    to: 'user',
    content: 'words',
    entry_type: 'message',
    role: 'agent',
    file: 'f',
    offset: 0,
    length: 1,
    ...fields,
  }
}

const head = {
  source: 'chibi',
  key: 'k',
  title: 'K',
  project: null,
  created: '2026-03-01T23:00:00Z',
  leaves: 1,
  isTitled: true,
}

function summed(entries: readonly Entry[], filter = {}) {
  const fold = new EntriesFold(utc)
  for (const one of entries) fold.add(one, 'own')
  return sumStatistics(selectFacts([fold.end(head)], filter), [[0]], 'day')
}

it('counts a failure at the day of the result and the model of the call', () => {
  const metadata = { model: 'big' }
  const entries = [
    entry('2026-03-01T23:59:00Z', {
      entry_type: 'tool_call',
      to: 'look',
      tool_call_id: 'c',
      metadata,
    }),
    entry('2026-03-02T00:01:00Z', {
      entry_type: 'tool_result',
      from: 'x',
      tool_call_id: 'c',
      content: 'Error: no such place',
    }),
    entry('2026-03-02T00:02:00Z', { entry_type: 'tool_result', from: 'lost', content: 'error' }),
  ]
  const failed = { tool: 'look', calls: 0, conversations: 0, failures: 1, failedIn: 1 }
  const lost = { ...failed, tool: 'lost' }
  expect(summed(entries).tools).toEqual([{ ...failed, calls: 1, conversations: 1 }, lost])
  expect(summed(entries, { from: '2026-03-02' }).tools).toEqual([failed, lost])
  expect(summed(entries, { model: 'big' }).tools).toEqual([
    { ...failed, calls: 1, conversations: 1 },
  ])
})

it('adds entries without a time to the day on which their conversation began', () => {
  const { entries, hours, days } = summed([
    entry(null, {}),
    entry('2026-03-01T10:00:00Z', {}),
    entry('2026-03-02T10:00:00Z', {}),
  ])
  expect(entries.byDay).toEqual({ '2026-03-01': 2, '2026-03-02': 1 })
  expect(entries.byHour).toEqual({ '10': 2 })
  expect(hours).toEqual([
    { weekday: 1, hour: 10, entries: 1, conversations: 1 },
    { weekday: 7, hour: 10, entries: 1, conversations: 1 },
  ])
  expect(days).toHaveLength(2)
})

it('leaves out a turn-around that began before the first day', () => {
  const speech = { provider: 'whisper' }
  const said = [
    entry('2026-03-01T23:59:58Z', { role: 'user', from: 'mira', metadata: { speech } }),
    entry('2026-03-02T00:00:01Z', { metadata: { speech } }),
    entry('2026-03-02T00:00:09Z', { role: 'user', from: 'mira', metadata: { speech } }),
  ]
  expect(summed(said).speech?.turnaround).toEqual({ count: 2, average: 5.5, min: 3, max: 8 })
  const later = summed(said, { from: '2026-03-02' }).speech
  expect(later?.turnaround).toEqual({ count: 1, average: 8, min: 8, max: 8 })
  expect(later?.turnarounds.filter(({ turns }) => turns > 0)).toEqual([
    { from: 7, until: 10, turns: 1, conversations: 1 },
  ])
})

it('sums usage over time by model and by project, by steps that fit its length', () => {
  const used = (iso: string, model: string | undefined, cost?: number) =>
    entry(iso, {
      offset: Date.parse(iso),
      metadata: { model, usage: { input: 10, output: 2, cost } },
    })
  const entries = [
    used('2026-03-01T10:00:00Z', 'big', 0.5),
    used('2026-03-03T10:00:00Z', 'big'),
    used('2026-04-20T10:00:00Z', undefined, 0.25),
  ]
  const fold = new EntriesFold(utc)
  for (const one of entries) fold.add(one, 'own')
  const { usage } = sumStatistics(selectFacts([fold.end(head)]), [[0]])
  const tokens = { input: 10, cached: 0, output: 2, reasoning: 0, total: 12, conversations: 1 }
  expect(usage).toEqual({
    step: 'week',
    byModel: [
      { from: '2026-02-23', until: '2026-03-01', name: 'big', ...tokens, cost: 0.5 },
      { from: '2026-03-02', until: '2026-03-08', name: 'big', ...tokens, cost: null },
      { from: '2026-04-20', until: '2026-04-26', name: null, ...tokens, cost: 0.25 },
    ],
    byProject: [
      { from: '2026-02-23', until: '2026-03-01', name: null, ...tokens, cost: 0.5 },
      { from: '2026-03-02', until: '2026-03-08', name: null, ...tokens, cost: null },
      { from: '2026-04-20', until: '2026-04-26', name: null, ...tokens, cost: 0.25 },
    ],
  })
})

it('keeps names that are no ordinary property', () => {
  const odd = entry('2026-03-01T10:00:00Z', {
    entry_type: 'tool_call',
    to: '__proto__',
    metadata: { model: 'constructor', usage: { input: 1 } },
  })
  const { tools, models, entries } = summed([odd])
  expect(tools.map(({ tool }) => tool)).toEqual(['__proto__'])
  expect(models).toMatchObject([{ model: 'constructor', input: 1 }])
  expect(Object.keys(entries.byTool)).toEqual(['__proto__'])
})
