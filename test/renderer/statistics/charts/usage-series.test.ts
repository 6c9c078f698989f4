import { expect, it } from 'vitest'
import { usagePicture } from '../../../../src/renderer/statistics/charts/usage-series'
import type { UsageRow } from '../../../../src/shared/model/statistics/statistics-shape'

function row(
  from: string,
  name: string | null,
  total: number,
  cost: number | null = null,
): UsageRow {
  const tokens = { input: total, cached: 0, output: 0, reasoning: 0, total }
  return { from, until: from, name, ...tokens, cost, conversations: 2 }
}

const day = { measure: 'tokens', by: 'model', step: 'day', days: {} } as const

it('has a series for each of the largest, and one for the rest, whose mark names all of it', () => {
  const rows = ['a', 'b', 'c', 'd', 'e', 'f', null].map((name, at) =>
    row('2026-03-01', name, 100 - at),
  )
  const { series, stretches } = usagePicture(rows, day)
  expect(series.map(({ name, sum }) => [name, sum])).toEqual([
    ['a', 100],
    ['b', 99],
    ['c', 98],
    ['d', 97],
    ['e', 96],
    [undefined, 189],
  ])
  expect(stretches[0]?.segments.at(-1)).toEqual({
    series: 5,
    value: 189,
    conversations: undefined,
    mark: { type: 'usage', from: '2026-03-01', until: '2026-03-01', models: ['f', null] },
  })
  // A rest of one is that one.
  expect(usagePicture(rows.slice(0, 6), day).series.at(-1)?.name).toBe('f')
})

it('has a stretch for each day of the range, with or without usage', () => {
  const rows = [row('2026-03-02', 'a', 5)]
  const days = { from: '2026-03-01', until: '2026-03-04' }
  const { stretches } = usagePicture(rows, { ...day, days })
  expect(stretches.map(({ from, segments }) => [from, segments.length])).toEqual([
    ['2026-03-01', 0],
    ['2026-03-02', 1],
    ['2026-03-03', 0],
    ['2026-03-04', 0],
  ])
  const weeks = usagePicture([row('2026-02-23', 'a', 5)], { ...day, step: 'week', days })
  expect(weeks.stretches.map(({ from, until }) => [from, until])).toEqual([
    ['2026-02-23', '2026-03-01'],
    ['2026-03-02', '2026-03-08'],
  ])
})

it('leaves stretches without usage out where there are too many, and rows without a cost where cost is shown', () => {
  const rows = [
    row('1970-01-01', 'a', 5, 1),
    row('2026-03-02', 'a', 5),
    row('2026-03-02', 'b', 5, 2),
  ]
  expect(usagePicture(rows, day).stretches.map(({ from }) => from)).toEqual([
    '1970-01-01',
    '2026-03-02',
  ])
  const costs = usagePicture(rows, { ...day, measure: 'cost', by: 'project' })
  expect(costs.series.map(({ name, sum }) => [name, sum])).toEqual([
    ['b', 2],
    ['a', 1],
  ])
  expect(costs.stretches[1]?.segments).toMatchObject([{ value: 2, mark: { projects: ['b'] } }])
})
