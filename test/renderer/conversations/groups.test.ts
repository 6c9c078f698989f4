import { describe, expect, it } from 'vitest'
import { filterByTitle, groupByDate } from '../../../src/renderer/conversations/groups'
import { summaryOf } from '../harness/memory-home'

const now = new Date(2026, 10, 28, 9, 30).getTime()
const at = (...date: [number, number, number, number?]) => new Date(...date).toISOString()

describe('the groups of the library', () => {
  it('are Today, Yesterday, Last 7 days, then months, then what has no date', () => {
    const rows = groupByDate(
      [
        summaryOf('a', { updated: at(2026, 10, 28, 0) }),
        summaryOf('b', { updated: at(2026, 10, 27, 23) }),
        summaryOf('c', { updated: at(2026, 10, 27, 1) }),
        summaryOf('d', { updated: at(2026, 10, 21) }),
        summaryOf('e', { updated: at(2026, 10, 20) }),
        summaryOf('f', { updated: at(2025, 10, 20) }),
        summaryOf('g', { updated: null }),
        summaryOf('h', { updated: 'some day' }),
      ],
      now,
    )
    const month = (...date: [number, number]) =>
      new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' }).format(
        new Date(...date),
      )
    expect(
      rows.map((row) => (row.type === 'head' ? `${row.name} ${row.count}` : row.summary.title)),
    ).toEqual([
      'Today 1',
      'a',
      'Yesterday 2',
      'b',
      'c',
      'Last 7 days 1',
      'd',
      `${month(2026, 10)} 1`,
      'e',
      `${month(2025, 10)} 1`,
      'f',
      'Without a date 2',
      'g',
      'h',
    ])
  })

  it('count their conversations through, for those who cannot see them', () => {
    const rows = groupByDate([summaryOf('a'), summaryOf('b', { updated: null })], now)
    expect(rows.flatMap((row) => (row.type === 'head' ? [] : [row.position]))).toEqual([0, 1])
  })

  it('put a date in the future under Today', () => {
    const rows = groupByDate([summaryOf('a', { updated: at(2026, 11, 24) })], now)
    expect(rows[0]).toMatchObject({ name: 'Today' })
  })
})

describe('the filter', () => {
  const all = [summaryOf('Import-Gap'), summaryOf('gap-year'), summaryOf('把旧的日志格式迁移')]
  const found = (filter: string) => filterByTitle(all, filter).map(({ title }) => title)

  it('wants every word, in any case and any place', () => {
    expect(found('GAP')).toEqual(['Import-Gap', 'gap-year'])
    expect(found(' gap  imp')).toEqual(['Import-Gap'])
    expect(found('日志')).toEqual(['把旧的日志格式迁移'])
    expect(found('nothing')).toEqual([])
  })

  it('without words leaves all as they are', () => {
    expect(filterByTitle(all, '  ')).toBe(all)
  })
})
