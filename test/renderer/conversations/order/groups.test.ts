import { describe, expect, it } from 'vitest'
import {
  countSources,
  filterBySource,
  filterByTitle,
} from '../../../../src/renderer/conversations/filters/filters'
import {
  groupRows,
  rowShowing,
  sortLibrary,
} from '../../../../src/renderer/conversations/order/groups'
import {
  type Grouping,
  groupings,
  type LibrarySort,
} from '../../../../src/renderer/state/app/layout'
import {
  type ConversationSummary,
  LibraryKey,
} from '../../../../src/shared/model/conversation/conversation'
import { summaryOf } from '../../harness/memory-home'

const now = new Date(2026, 10, 28, 9, 30).getTime()
const at = (...date: [number, number, number, number?]) => new Date(...date).toISOString()

/** Heads with their counts, and titles, as they stand under one another. */
function shown(conversations: readonly ConversationSummary[], grouping: Grouping) {
  return groupRows(conversations, grouping, now).map((row) =>
    row.type === 'head' ? `${row.name} ${row.count}` : row.summary.title,
  )
}

describe('the groups of the library', () => {
  it('are Today, Yesterday, Last 7 days, then months, then what has no date', () => {
    const rows = shown(
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
      'date',
    )
    const month = (...date: [number, number]) =>
      new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' }).format(
        new Date(...date),
      )
    expect(rows).toEqual([
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
      'No date 2',
      'g',
      'h',
    ])
  })

  it('count their conversations through, for those who cannot see them', () => {
    const rows = groupRows([summaryOf('a'), summaryOf('b', { updated: null })], 'date', now)
    expect(rows.flatMap((row) => (row.type === 'head' ? [] : [row.position]))).toEqual([0, 1])
  })

  it('put a date in the future under Today', () => {
    const rows = groupRows([summaryOf('a', { updated: at(2026, 11, 24) })], 'date', now)
    expect(rows[0]).toMatchObject({ name: 'Today' })
  })
})

it('pinned conversations come first, whatever the others are grouped by, and their families keep the rest', () => {
  const conversations = [
    summaryOf('a', { updated: at(2026, 10, 28, 0), project: '/x' }),
    summaryOf('b', { updated: at(2026, 9, 1), project: '/x', pinned: true }),
    summaryOf('c', { updated: at(2026, 8, 1), project: null }),
    summaryOf('d', { updated: at(2026, 7, 1), project: null, pinned: true }),
  ]
  expect(shown(conversations, 'date')).toEqual([
    'Pinned 2',
    'b',
    'd',
    'Today 1',
    'a',
    'September 2026 1',
    'c',
  ])
  expect(shown(conversations, 'project')).toEqual([
    'Pinned 2',
    'b',
    'd',
    'x 1',
    'a',
    'No project 1',
    'c',
  ])
  expect(shown(conversations.slice(1, 2), 'source')).toEqual(['Pinned 1', 'b'])
  const familyOf = new Map(['a', 'b', 'c', 'd', 'e'].map((key) => [key, 'one']))
  const rows = groupRows(
    [...conversations, summaryOf('e', { updated: at(2026, 6, 1), project: null })],
    'source',
    now,
    { familyOf, open: new Set() },
  )
  expect(
    rows.map((row) => (row.type === 'head' ? row.name : `${row.type} ${row.summary.title}`)),
  ).toEqual(['Pinned', 'conversation b', 'conversation d', 'chibi', 'family a'])
  const places = rows.flatMap((row) =>
    row.type === 'head' ? [] : [[row.position, row.inSet, row.setSize]],
  )
  expect(places).toEqual([
    [0, 1, 3],
    [1, 2, 3],
    [2, 3, 3],
  ])
})

it('a pin of one of a family leaves the other two together', () => {
  const conversations = ['a', 'b', 'c'].map((key) =>
    summaryOf(key, { updated: at(2026, 9, 1), ...(key === 'b' ? { pinned: true as const } : {}) }),
  )
  const familyOf = new Map(['a', 'b', 'c'].map((key) => [key, 'one']))
  const rows = groupRows(conversations, 'source', now, { familyOf, open: new Set() })
  expect(
    rows.map((row) => (row.type === 'head' ? row.name : `${row.type} ${row.summary.title}`)),
  ).toEqual(['Pinned', 'conversation b', 'chibi', 'family a'])
})

it('a family is under the date of its newest conversation, whatever the list is sorted by', () => {
  const conversations = [
    summaryOf('a', { updated: at(2026, 8, 1), bytes: 9 }),
    summaryOf('b', { updated: at(2026, 10, 27), bytes: 8 }),
    summaryOf('c', { updated: at(2026, 10, 28), bytes: 7 }),
    summaryOf('d', { updated: at(2026, 8, 2), bytes: 6 }),
    summaryOf('e', { updated: 'some day', bytes: 5 }),
  ]
  const familyOf = new Map(['a', 'b', 'c'].map((key) => [key, 'one']))
  const rows = groupRows(
    sortLibrary(conversations, 'size'),
    'date',
    now,
    { familyOf, open: new Set() },
    { familyOf, isNewestFirst: false },
  )
  expect(rows.map((row) => (row.type === 'head' ? row.name : row.summary.title))).toEqual([
    'Today',
    'a',
    'September 2026',
    'd',
    'No date',
    'e',
  ])
})

describe('groups by project', () => {
  const inProject = (title: string, project: string | null) => summaryOf(title, { project })

  it('have the name of the last part, the one with the newest conversation first, and those without one last', () => {
    const all = [
      inProject('a', null),
      inProject('b', '/home/mira/garden'),
      inProject('c', '/home/mira/tram'),
      inProject('d', '/home/mira/garden/'),
      inProject('e', ''),
    ]
    expect(shown(all, 'project')).toEqual([
      'garden 2',
      'b',
      'd',
      'tram 1',
      'c',
      'No project 2',
      'a',
      'e',
    ])
    expect(groupRows(all, 'project', now)[0]).toMatchObject({ title: '/home/mira/garden' })
  })

  it('that end alike are told apart by as many parts as that takes', () => {
    const heads = (...paths: string[]) =>
      groupRows(
        paths.map((path, index) => inProject(`${index}`, path)),
        'project',
        now,
      ).flatMap((row) => (row.type === 'head' ? [[row.name, row.title]] : []))
    expect(heads('/lines/tram/docs', '/home/mira/tram/docs', '/home/mira/tram')).toEqual([
      ['lines/tram/docs', '/lines/tram/docs'],
      ['mira/tram/docs', '/home/mira/tram/docs'],
      ['tram', '/home/mira/tram'],
    ])
    expect(heads('C:\\src\\tram', 'D:\\src\\tram', '/', 'tram')).toEqual([
      ['C:\\src\\tram', 'C:\\src\\tram'],
      ['D:\\src\\tram', 'D:\\src\\tram'],
      ['/', '/'],
      ['tram', 'tram'],
    ])
    const deep = (root: string) => `/${root}/1/2/3/4/5`
    expect(heads(deep('a'), deep('b')).map(([name]) => name)).toEqual([deep('a'), deep('b')])
  })
})

it('groups by source have its name for people and its mark, the one with the newest conversation first', () => {
  const rows = groupRows(
    [
      summaryOf('a', { source: 'fluux' }),
      summaryOf('b'),
      summaryOf('c', { source: 'fluux' }),
      summaryOf('d', { source: 'voicemode' }),
      summaryOf('e', { source: 'cycod' }),
    ],
    'source',
    now,
  )
  expect(
    rows.flatMap((row) => (row.type === 'head' ? [[row.name, row.source, row.count]] : [])),
  ).toEqual([
    ['fluux-agent', 'fluux', 2],
    ['chibi', 'chibi', 1],
    ['voicemode', 'voicemode', 1],
    ['cycod', 'cycod', 1],
  ])
})

describe('groups by title', () => {
  const byTitle = (...titles: string[]) =>
    shown(
      sortLibrary(
        titles.map((title, index) => summaryOf(title, { key: LibraryKey.parse(`${index}`) })),
        'title',
      ),
      'title',
    )

  it('are letters, whatever their case and accents, in the order of the alphabet', () => {
    expect(byTitle('zebra', 'École', 'apple', 'Echo', 'Apfel', 'ørsted', ' eel')).toEqual([
      'A 2',
      'Apfel',
      'apple',
      'E 3',
      'Echo',
      'École',
      ' eel',
      'Ø 1',
      'ørsted',
      'Z 1',
      'zebra',
    ])
  })

  it('put signs and digits first, and numbers in their order', () => {
    expect(byTitle('chat-10', 'chat-9', '10 things', '9 lives', '#release', '<b>bold', '')).toEqual(
      [
        'Symbols 3',
        '',
        '#release',
        '<b>bold',
        '0–9 2',
        '9 lives',
        '10 things',
        'C 2',
        'chat-9',
        'chat-10',
      ],
    )
  })

  it('of scripts that have no letters to sort under are one each', () => {
    expect(byTitle('把旧的日志', '你好', '한국어', 'Яблоко', '😀 smile', '\ud83d')).toEqual([
      expect.stringMatching(/^Symbols 2$/),
      expect.any(String),
      expect.any(String),
      'Я 1',
      'Яблоко',
      'Hangul 1',
      '한국어',
      'Chinese characters 2',
      expect.any(String),
      expect.any(String),
    ])
  })

  it('leave equal titles in their order', () => {
    const [newer, older] = [summaryOf('same', { bytes: 1 }), summaryOf('same', { bytes: 2 })]
    expect(sortLibrary([newer, older], 'title')).toEqual([newer, older])
    expect(sortLibrary([older, newer], 'title')).toEqual([older, newer])
  })
})

it.each(groupings)(
  'grouped by %s every conversation is there once, in a group that counts it',
  (grouping) => {
    const sources = ['chibi', 'cycod', 'fluux', 'voicemode'] as const
    const all = Array.from({ length: 500 }, (_, index) =>
      summaryOf(`${String.fromCodePoint(33 + index * 7)} ${index}`, {
        source: sources[index % 4] ?? 'chibi',
        project: index % 5 === 0 ? null : `/home/${index % 7}/tram/${index % 11}`,
        updated: index % 9 === 0 ? null : at(2026, 10, 28 - (index % 90)),
      }),
    )
    const rows = groupRows(all, grouping, now)
    const keys = rows.flatMap((row) => (row.type === 'head' ? [] : [row.summary.key]))
    expect(new Set(keys).size).toBe(500)
    expect(keys.length).toBe(500)
    const heads = rows.flatMap((row, index) => (row.type === 'head' ? [{ ...row, index }] : []))
    for (const [place, { index, count }] of heads.entries())
      expect((heads[place + 1]?.index ?? rows.length) - index - 1).toBe(count)
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  },
)

it('counts the sources that are there, the one with most first, and the chosen one when all of it went', () => {
  const all = [
    summaryOf('a'),
    summaryOf('b', { source: 'fluux' }),
    summaryOf('c', { source: 'fluux' }),
  ]
  expect(countSources(all)).toEqual([
    ['fluux', 2],
    ['chibi', 1],
  ])
  expect(countSources(all, 'cycod')).toEqual([
    ['fluux', 2],
    ['chibi', 1],
    ['cycod', 0],
  ])
  expect(filterBySource(all, 'fluux').map(({ title }) => title)).toEqual(['b', 'c'])
  expect(filterBySource(all, undefined)).toBe(all)
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

describe('families of the library', () => {
  const one = (key: string, updated: string | null = at(2026, 10, 28)) =>
    summaryOf(key, { key: LibraryKey.parse(key), updated })
  const listed = [one('a'), one('b'), one('c', at(2026, 10, 27)), one('d', null), one('e', null)]
  const familyOf = new Map([
    ['b', 'b'],
    ['c', 'b'],
    ['e', 'b'],
    ['d', 'd'],
    ['gone', 'd'],
  ])
  const rowsOf = (open: readonly string[] = [], all = listed) =>
    groupRows(all, 'date', now, { familyOf, open: new Set(open) })
  const drawn = (...args: Parameters<typeof rowsOf>) =>
    rowsOf(...args).map((row) =>
      row.type === 'head'
        ? `${row.name} ${row.count}`
        : `${row.type === 'family' ? `+${row.members.length} ` : ''}${row.key} ${row.inSet}/${row.setSize}`,
    )

  it('are a row where the first of them stands, and the others below it where it is open', () => {
    expect(drawn()).toEqual(['Today 4', 'a 1/3', '+3 family:b 2/3', 'No date 1', 'd 3/3'])
    expect(drawn(['e'])).toEqual([
      'Today 4',
      'a 1/3',
      '+3 family:b 2/3',
      'b 1/3',
      'c 2/3',
      'e 3/3',
      'No date 1',
      'd 3/3',
    ])
  })

  it('count every conversation once, and number all rows that can be chosen', () => {
    for (const open of [[], ['b']]) {
      const rows = rowsOf(open)
      const places = rows.flatMap((row) => (row.type === 'head' ? [] : [row.position]))
      expect(places).toEqual(places.map((_, index) => index))
      const heads = rows.flatMap((row) => (row.type === 'head' ? [row.count] : []))
      expect(heads.reduce((sum, count) => sum + count)).toBe(listed.length)
    }
  })

  it('leave two apart that a filter left of them, and show a hidden one by its family', () => {
    expect(drawn([], [one('a'), one('b'), one('c')])).toEqual([
      'Today 3',
      'a 1/3',
      'b 2/3',
      'c 3/3',
    ])
    expect(rowShowing(rowsOf(), 'c')?.key).toBe('family:b')
    expect(rowShowing(rowsOf(['c']), 'c')?.key).toBe('c')
    expect(rowShowing(rowsOf(), 'nobody')).toBeUndefined()
  })
})

describe('other groups and orders of the library', () => {
  const rows = [
    summaryOf('a', {
      updated: at(2026, 10, 28),
      bytes: 1,
      entries: 9,
      model: 'm-1',
      tags: ['Spring'],
    }),
    summaryOf('b', {
      updated: at(2026, 10, 27),
      bytes: 3,
      model: 'm-2',
      tags: ['other', 'spring'],
    }),
    summaryOf('c', {
      updated: at(2026, 10, 26),
      bytes: 2,
      entries: 12,
      model: 'm-1',
      tags: ['spring'],
    }),
    summaryOf('d', { updated: at(2026, 10, 25), bytes: 4, entries: 0 }),
  ]
  const familyOf = new Map([
    ['b', 'b'],
    ['d', 'b'],
  ])
  const grouped = (grouping: Grouping, sort: LibrarySort = 'newest') =>
    groupRows(sortLibrary(rows, sort), grouping, now, undefined, {
      familyOf,
      isNewestFirst: sort === 'newest',
    }).map((row) => (row.type === 'head' ? `${row.name} ${row.count}` : row.summary.title))

  it('are models, the first tag of each, and families, what has none last', () => {
    expect(grouped('model')).toEqual(['m-1 2', 'a', 'c', 'm-2 1', 'b', 'No model 1', 'd'])
    expect(grouped('tag')).toEqual(['Spring 2', 'a', 'c', 'other 1', 'b', 'No tag 1', 'd'])
    expect(grouped('family')).toEqual(['b 2', 'b', 'd', 'No branches 2', 'a', 'c'])
  })

  it('sort the rows of each group, and leave groups in the order of their newest conversation', () => {
    expect(grouped('none', 'size')).toEqual(['Conversations 4', 'd', 'b', 'c', 'a'])
    expect(grouped('none', 'entries')).toEqual(['Conversations 4', 'c', 'a', 'd', 'b'])
    expect(grouped('model', 'size')).toEqual(['m-1 2', 'c', 'a', 'm-2 1', 'b', 'No model 1', 'd'])
  })

  it('keep pinned ones first whatever they are sorted by', () => {
    const [first, ...others] = rows
    if (first === undefined) throw new Error('no rows')
    const pinned = sortLibrary([{ ...first, pinned: true }, ...others], 'size')
    const heads = groupRows(pinned, 'model', now, undefined, {
      familyOf,
      isNewestFirst: false,
    }).flatMap((row) => (row.type === 'head' ? [row.name] : []))
    expect(heads).toEqual(['Pinned', 'm-2', 'm-1', 'No model'])
  })
})
