import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { searchCommand } from '../../../src/cli/commands/search'
import { startOfPeriod } from '../../../src/main/search/dates'
import { type Clause, parseQuery } from '../../../src/main/search/query'
import { SourceId } from '../../../src/shared/model/conversation/sources'
import { queryFields } from '../../../src/shared/model/search'

const text = (value: string, negated = false): Clause => ({ type: 'text', text: value, negated })
const local = (...date: [number, number, number]) => new Date(...date).getTime() / 1000

describe('parseQuery', () => {
  it.each<[string, Clause[]]>([
    ['', []],
    ['  one   two ', [text('one'), text('two')]],
    ['"one two" three', [text('one two'), text('three')]],
    ['-one -"two three"', [text('one', true), text('two three', true)]],
    [String.raw`"say \"hi\" C:\\x \n"`, [text(String.raw`say "hi" C:\x \n`)]],
    [
      'source:chibi -context:"my own"',
      [
        { type: 'field', field: 'source', value: 'chibi', negated: false },
        { type: 'field', field: 'context', value: 'my own', negated: true },
      ],
    ],
    ['role:assistant', [{ type: 'field', field: 'role', value: 'agent', negated: false }]],
    ['TOOL:shell', [{ type: 'field', field: 'tool', value: 'shell', negated: false }]],
    [
      'after:2026-02',
      [{ type: 'time', field: 'after', seconds: local(2026, 1, 1), negated: false }],
    ],
  ])('reads %j', (query, clauses) => {
    expect(parseQuery(query).clauses).toEqual(clauses)
  })

  it.each([
    '"never closed',
    'tool:',
    'role:nobody',
    'before:yesterday',
    'before:2026-13-01',
    'after:2026-02-30',
    'unknown:field',
    'https://example.org/x',
    '/regex/i',
    'OR',
    'to:ann',
    'has:image',
    '--force',
    '-',
    '""',
    'source:""',
    ':',
  ])('takes %j literally', (query) => {
    expect(parseQuery(query).clauses).toEqual(query.split(' ').map((word) => text(word)))
  })
})

it('says what a field takes where it has another value, once, and of other words nothing', () => {
  const { clauses, hints } = parseQuery(
    'role:tool role:tool -before:yesterday source:nobody from:x a:b',
  )
  expect(clauses.map(({ type }) => type)).toEqual([
    ...['text', 'text', 'text', 'field', 'field', 'text'],
  ])
  expect(hints).toEqual([
    'role: takes user, agent, system, not “tool”; type:tool_call and type:tool_result find tools. It is searched as a word.',
    'before: takes a year, a month, a day or a time, such as 2026, 2026-03, 2026-03-09 or 2026-03-09T12:30, not “yesterday”. It is searched as a word.',
    `source: takes ${SourceId.options.join(', ')}, not “nobody”.`,
  ])
  expect(parseQuery('role:user "role:nobody" https://example.org/x after:2026').hints).toEqual([])
  expect(parseQuery(`role:${'x'.repeat(5000)}`).hints[0]?.length).toBeLessThan(200)
})

describe('startOfPeriod', () => {
  it.each<[string, number | undefined]>([
    ['2026', local(2026, 0, 1)],
    ['2026-03', local(2026, 2, 1)],
    ['2026-03-09', local(2026, 2, 9)],
    ['2026-03-09T12:00Z', Date.UTC(2026, 2, 9, 12) / 1000],
    ['2026-03-09T12:00:30+02:00', Date.UTC(2026, 2, 9, 10, 0, 30) / 1000],
    ['2024-02-29', local(2024, 1, 29)],
    ['2023-02-29', undefined],
    ['2026-00', undefined],
    ['26', undefined],
    ['2026-03-09T99:00', undefined],
  ])('reads %j', (date, seconds) => {
    expect(startOfPeriod(date)).toBe(seconds)
  })
})

it('each field of a query is in docs/command-line.md and in the help of the command', () => {
  const root = path.resolve(import.meta.dirname, '../../..')
  const page = fs.readFileSync(path.join(root, 'docs/command-line.md'), 'utf8')
  const [, queries = ''] = page.split('\n## Queries\n')
  const [table = ''] = queries.split('\n## ')
  const help = (searchCommand.options ?? []).flat().join(' ')
  expect(queryFields.filter((field) => !table.includes(`\`${field}:`))).toEqual([])
  expect(queryFields.filter((field) => !help.includes(`${field}:`))).toEqual([])
})
