import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { searchCommand } from '../../../../src/cli/commands/search'
import { SourceId } from '../../../../src/shared/model/conversation/sources'
import { startOfPeriod } from '../../../../src/shared/model/query/dates'
import { parseQuery } from '../../../../src/shared/model/query/parse-query'
import type { QueryNode, TextField } from '../../../../src/shared/model/query/query'
import { queryFields } from '../../../../src/shared/model/query/query-fields'

const text = (value: string): QueryNode => ({ type: 'text', text: value })
const not = (of: QueryNode): QueryNode => ({ type: 'not', of })
const any = (...of: QueryNode[]): QueryNode => ({ type: 'any', of })
const all = (...of: QueryNode[]): QueryNode => ({ type: 'all', of })
const regex = (source: string, flags = ''): QueryNode => ({ type: 'regex', source, flags })
const field = (name: TextField, value: string): QueryNode => ({ type: 'field', field: name, value })
const local = (...date: [number, number, number]) => new Date(...date).getTime() / 1000

describe('parseQuery', () => {
  it.each<[string, QueryNode[]]>([
    ['', []],
    ['  one   two ', [text('one'), text('two')]],
    ['"one two" three', [text('one two'), text('three')]],
    ['-one -"two three"', [not(text('one')), not(text('two three'))]],
    [
      String.raw`"say \"hi\" C:\\x \n"`,
      [
        {
          type: 'text',
          text: String.raw`say "hi" C:\x \n`,
          typed: String.raw`say \"hi\" C:\\x \n`,
        },
      ],
    ],
    ['source:chibi -context:"my own"', [field('source', 'chibi'), not(field('context', 'my own'))]],
    ['role:assistant', [field('role', 'agent')]],
    ['TOOL:shell', [field('tool', 'shell')]],
    ['branch:LEFT', [field('branch', 'left')]],
    ['branch:main', [text('branch:main')]],
    ['color:Green', [field('color', 'green')]],
    ['color:loud', [text('color:loud')]],
    ['after:2026-02', [{ type: 'time', field: 'after', seconds: local(2026, 1, 1) }]],
    [
      'during:2026-12',
      [
        all(
          { type: 'time', field: 'after', seconds: local(2026, 11, 1) },
          { type: 'time', field: 'before', seconds: local(2027, 0, 1) },
        ),
      ],
    ],
    ['厨房 OR 茶園', [any(text('厨房'), text('茶園'))]],
    ['a b OR c -d', [any(all(text('a'), text('b')), all(text('c'), not(text('d'))))]],
    ['a (b OR "c d") e', [text('a'), any(text('b'), text('c d')), text('e')]],
    ['-(a OR b) c', [not(any(text('a'), text('b'))), text('c')]],
    ['-(a b)', [not(all(text('a'), text('b')))]],
    [
      '(source:pi OR (tool:bash -x))',
      [any(field('source', 'pi'), all(field('tool', 'bash'), not(text('x'))))],
    ],
    ['(f(x) OR g(y))', [any(text('f(x)'), text('g(y)'))]],
    [
      '((a OR b) c) OR (d e)',
      [any(all(any(text('a'), text('b')), text('c')), all(text('d'), text('e')))],
    ],
    ['((a OR b) c)', [all(any(text('a'), text('b')), text('c'))]],
    ['/gfp_\\w+/ x', [regex('gfp_\\w+'), text('x')]],
    [
      '-/a b/is (/[/]/ OR /\\/x/i)',
      [not(regex('a b', 'is')), any(regex('[/]'), regex('\\/x', 'i'))],
    ],
  ])('reads %j', (query, of) => {
    expect(parseQuery(query).root).toEqual(
      of.length === 1 && of[0]?.type === 'all' ? of[0] : { type: 'all', of },
    )
  })

  it.each([
    '"never closed',
    'tool:',
    'role:nobody',
    'has:nothing',
    'case:no',
    'words:some',
    'before:yesterday',
    'before:2026-13-01',
    'during:2026-13',
    'during:2026-03-09T12:30',
    'after:2026-02-30',
    'unknown:field',
    'https://example.org/x',
    '/usr/lib/node /etc',
    '/(/',
    '/ a/ b',
    '//x/',
    'OR',
    'a OR',
    'OR b',
    'or',
    '( a',
    '(a b)',
    '()',
    '(e) => e',
    '((e) => e)',
    '[ \\ * (',
    'foo-bar:"',
    '--force',
    '-',
    '-(',
    '""',
    'source:""',
    ':',
  ])('takes %j literally', (query) => {
    expect(parseQuery(query).root.of).toEqual(query.split(' ').map((word) => text(word)))
  })

  it.each<[string, QueryNode]>([
    ['(a OR b', any(text('(a'), text('b'))],
    ['(a OR b)c', any(text('(a'), text('b)c'))],
  ])('takes the brackets of %j for text', (query, node) => {
    expect(parseQuery(query).root.of).toEqual([node])
  })

  it('takes an OR without a side for a word, and joins the others', () => {
    expect(parseQuery('OR a OR OR b').root.of).toEqual([
      any(all(text('OR'), text('a'), text('OR')), text('b')),
    ])
  })

  it.each([
    '('.repeat(5000),
    '( '.repeat(5000),
    '-( '.repeat(3000),
    `${'('.repeat(3000)}a OR b${')'.repeat(3000)}`,
    '(a OR '.repeat(1500),
    '/'.repeat(9000),
    '/[ '.repeat(3000),
    '"'.repeat(9001),
    'OR '.repeat(3000),
  ])('reads 10,000 characters of nonsense to their end, piece by piece', (query) => {
    const { pieces } = parseQuery(query)
    let at = 0
    for (const { start, end } of pieces) {
      expect(query.slice(at, start).trim()).toBe('')
      expect(end).toBeGreaterThan(start)
      at = end
    }
    expect(query.slice(at).trim()).toBe('')
  })
})

it('names each piece, and which of them exclude', () => {
  const { pieces } = parseQuery('a -(b OR tool:"x y") -/c/i')
  expect(pieces.map(({ type, value, negated }) => [type, value, negated])).toEqual([
    ['word', 'a', false],
    ['operator', '-(', true],
    ['word', 'b', true],
    ['operator', 'OR', true],
    ['field', 'x y', true],
    ['operator', ')', true],
    ['regex', 'c', true],
  ])
})

it('says what a field takes where it has another value, once, and of other words nothing', () => {
  const { root, hints } = parseQuery(
    'role:tool role:tool -before:yesterday source:nobody from:x a:b',
  )
  expect(root.of.map((node) => (node.type === 'not' ? node.of.type : node.type))).toEqual([
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

it.each(queryFields)('says what %s: takes where it has no value', (field) => {
  for (const query of [`${field}:`, `a -${field}: b`, `(${field}: OR b)`, `${field}:""`]) {
    const { hints, root } = parseQuery(query)
    expect(hints).toHaveLength(1)
    expect(hints[0]).toMatch(new RegExp(`^${field}: has no value yet, and takes .{3,}\\. It is`))
    expect(JSON.stringify(root)).toContain(`"text":"${field}:`)
  }
  expect(parseQuery(`"${field}:" nobody:`).hints).toEqual([])
})

it('says why a pattern is no regular expression', () => {
  expect(parseQuery('/a(b/ x').hints).toEqual([
    'This is no regular expression: Unterminated group. It is searched as a word.',
  ])
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
  const root = path.resolve(import.meta.dirname, '../../../..')
  const page = fs.readFileSync(path.join(root, 'docs/command-line.md'), 'utf8')
  const [, queries = ''] = page.split('\n## Queries\n')
  const [table = ''] = queries.split('\n## ')
  const help = (searchCommand.options ?? []).flat().join(' ')
  expect(queryFields.filter((field) => !table.includes(`\`${field}:`))).toEqual([])
  expect(queryFields.filter((field) => !help.includes(`${field}:`))).toEqual([])
})

it('keeps the pieces of a query of many words without copying them for each', () => {
  expect(parseQuery('a '.repeat(300_000)).pieces).toHaveLength(300_000)
})
