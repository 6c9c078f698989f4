import fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { formatTomlKey, tomlLiteral } from '../../../../src/main/settings/toml/toml'
import { editToml } from '../../../../src/main/settings/toml/toml-edit'

const edited = (text: string, key: string | readonly string[], literal?: string) => {
  const edit = editToml(text, typeof key === 'string' ? key.split('.') : key, literal)
  return edit.ok ? edit.text : `refused: ${edit.reason}`
}

describe('setting a value', () => {
  it.each([
    [
      'writes over the old one, and keeps what is after it',
      'a = 1 # why\n',
      'a',
      '2',
      'a = 2 # why\n',
    ],
    ['knows CRLF', 'a = 1\r\nb = 2\r\n', 'c', '3', 'a = 1\r\nb = 2\r\nc = 3\r\n'],
    ['finds the key of a table', '[t]\n"a" = 1\n', 't.a', '2', '[t]\n"a" = 2\n'],
    ['finds a dotted key', 't . a = 1\n', 't.a', '2', 't . a = 2\n'],
    [
      'finds a key in an inline table',
      't = { a = 1, b = 2 } # c\n',
      't.b',
      '3',
      't = { a = 1, b = 3 } # c\n',
    ],
    [
      'takes no text for a key',
      's = """\na = 1\n"""\na = 1\n',
      'a',
      '2',
      's = """\na = 1\n"""\na = 2\n',
    ],
    [
      'writes over a text on several lines',
      's = """\na\n""" # c\nb = 1',
      's',
      '"x"',
      's = "x" # c\nb = 1',
    ],
    ['writes over a list', 'a = [\n  1,\n  2,\n]\n', 'a', '[3]', 'a = [3]\n'],
    ['begins an empty file', '', 'a', '1', 'a = 1\n'],
    ['begins an empty file with a table', '', 't.a', '1', '[t]\na = 1\n'],
    ['goes after comments that are all there is', '# mine\n', 'a', '1', '# mine\na = 1\n'],
    [
      'adds a line after the last key of the root',
      'a = 1 # c\n\n[t]\nx = 1\n',
      'b',
      '2',
      'a = 1 # c\nb = 2\n\n[t]\nx = 1\n',
    ],
    [
      'adds a line before the first table and its comment',
      '# top\n\n# of t\n[t]\n',
      'b',
      '2',
      '# top\n\nb = 2\n\n# of t\n[t]\n',
    ],
    [
      'adds a line to a table, indented as the others',
      '[t]\n  a = 1\n\n# of u\n[u]\n',
      't.b',
      '2',
      '[t]\n  a = 1\n  b = 2\n\n# of u\n[u]\n',
    ],
    ['adds a line to an empty table', '[t] # c\n[u]\n', 't.b', '2', '[t] # c\nb = 2\n[u]\n'],
    ['adds a line beside dotted keys', 't.a = 1\nz = 1\n', 't.b', '2', 't.a = 1\nt.b = 2\nz = 1\n'],
    [
      'adds a dotted key to the table above',
      '[api]\nseed = 1\n',
      'api.reasoning.effort',
      '"low"',
      '[api]\nseed = 1\nreasoning.effort = "low"\n',
    ],
    ['adds a table where there is none', 'a = 1', 't.b', '2', 'a = 1\n\n[t]\nb = 2\n'],
    [
      'adds a table beside one below it',
      '[t.u]\na = 1\n',
      't.b',
      '2',
      '[t.u]\na = 1\n\n[t]\nb = 2\n',
    ],
    ['goes on without a last line end', '[t]\na = 1', 't.b', '2', '[t]\na = 1\nb = 2'],
    ['adds to an inline table', 't = { a = 1 }\n', 't.b', '2', 't = { a = 1, b = 2 }\n'],
    [
      'adds to an inline table within one',
      't = { u = { a = 1 } }\n',
      't.u.b',
      '2',
      't = { u = { a = 1, b = 2 } }\n',
    ],
    ['fills an empty inline table', 't = {}\n', 't.b', '2', 't = { b = 2 }\n'],
    [
      'adds what is nested to an inline table',
      't = { a = 1 }\n',
      't.u.b',
      '2',
      't = { a = 1, u.b = 2 }\n',
    ],
  ])('%s', (_name, before, key, literal, after) => {
    expect(edited(before, key, literal)).toBe(after)
  })

  it('finds the table of a model by its whole name', () => {
    const text = '[models."x.y/z".api] # c\nseed = 1\n\n[models.x]\n'
    const path = ['models', 'x.y/z', 'api']
    expect(edited(text, [...path, 'seed'], '2')).toBe(text.replace('seed = 1', 'seed = 2'))
    expect(edited(text, [...path, 'top_p'], '0.5')).toBe(
      text.replace('seed = 1\n', 'seed = 1\ntop_p = 0.5\n'),
    )
    expect(edited('', [...path, 'seed'], '1')).toBe('[models."x.y/z".api]\nseed = 1\n')
  })

  it.each([
    ['a list with comments in it', 'a = [\n  1, # one\n]\n', 'a', 'comments within a'],
    ['a table of its own', '[a]\nx = 1\n', 'a', 'a as a table of its own'],
    ['a table by dotted keys', 'a.x = 1\n', 'a', 'a as a table of its own'],
    ['a value where a table is needed', 't = 1\n', 't.a', 't as a value, where a table is needed'],
    [
      'one of several tables of a name',
      '[[t]]\na = 1\n',
      't.a',
      't as a list, where a table is needed',
    ],
    ['a list of tables', 't = [{ a = 1 }]\n', 't.a', 't as a value, where a table is needed'],
  ])('refuses %s', (_name, text, key, reason) => {
    expect(edited(text, key, '5')).toContain(`refused: has ${reason}`)
  })
})

describe('taking a value out', () => {
  it.each([
    ['takes its line', 'a = 1\nb = 2\n', 'a', 'b = 2\n'],
    ['takes the last line without a line end', 'a = 1\nb = 2', 'b', 'a = 1\n'],
    ['leaves the comment that stood beside it', 'a = 1 # why\nb = 2\n', 'a', '# why\nb = 2\n'],
    ['leaves comments above', '# of a\na = 1\n', 'a', '# of a\n'],
    ['takes all lines of a text', 'a = """\nx\n"""\nb = 1\n', 'a', 'b = 1\n'],
    ['leaves an empty table', '[t] # c\na = 1\n', 't.a', '[t] # c\n'],
    ['takes a dotted key', 't.a = 1\nb = 1\n', 't.a', 'b = 1\n'],
    ['takes the first of an inline table', 't = { a = 1, b = 2 }\n', 't.a', 't = { b = 2 }\n'],
    ['takes the last of an inline table', 't = { a = 1, b = 2 }\n', 't.b', 't = { a = 1 }\n'],
    ['changes nothing where it is not', 'a = 1\n', 'b.c', 'a = 1\n'],
    [
      'refuses a table',
      '[a]\nx = 1\n',
      'a',
      'refused: has a as a table of its own; change it in the file',
    ],
  ])('%s', (_name, before, key, after) => {
    expect(edited(before, key)).toBe(after)
  })
})

/** A document as its lines; each knows nothing of the editor. */
const drawn = fc
  .record({
    feed: fc.constantFrom('\n', '\r\n'),
    end: fc.boolean(),
    root: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'api', 'tools'), { maxLength: 4 }),
    tables: fc.uniqueArray(
      fc.constantFrom('storage', 'u', 'models."x/y.z".api', 'models.plain', 'v.w'),
      { maxLength: 4 },
    ),
    keys: fc.array(
      fc.uniqueArray(fc.constantFrom('d', 'e', '"f g"', 'k.l', "'m'"), { maxLength: 4 }),
      {
        minLength: 5,
        maxLength: 5,
      },
    ),
    many: fc.boolean(),
    values: fc.infiniteStream(
      fc.constantFrom(
        '1',
        '-7_000',
        '0xFF',
        '1.0',
        '1e3',
        'nan',
        'true',
        '9223372036854775807',
        '1979-05-27 07:32:00',
        '07:32:00',
        '"x # no comment"',
        "'C:\\\\x'",
        '"q \\" ] } ="',
        '[]',
        '["]", \'[\', "#"]',
        '[[1, 2], ["a"]]',
        '{}',
        '{ p = 1, q.r = "}" }',
        '[{ p = 1 }, { p = 2 }]',
        '"""one\nfuel = 3\n[storage]\n"""',
        "'''\n# no comment\n''''",
        '[\n  1, # in the list\n  2,\n]',
      ),
    ),
    noise: fc.infiniteStream(
      fc.constantFrom('', '', ' # beside', '\t', '\n', '\n# above', '\n\n# [storage]\n# fuel = 1'),
    ),
  })
  .map(({ feed, end, root, tables, keys, many, values, noise }) => {
    const take = <T>(from: Iterator<T>) => from.next().value as T // Endless.
    const line = (key: string) => `${key} = ${take(values)}${take(noise)}`
    const lines = [
      ...root.map(line),
      ...tables.flatMap((table, at) => [`[${table}]${take(noise)}`, ...(keys[at] ?? []).map(line)]),
      ...(many ? ['[[many]]', 'd = 1 # of many', '[many.below]', 'e = 2'] : []),
    ]
    const text = `# head\n\n${lines.join('\n')}${end ? '\n' : ''}`
    return text.replaceAll('\n', feed)
  })

const paths = fc.constantFrom<readonly string[]>(
  ['a'],
  ['fuel'],
  ['api', 'seed'],
  ['api', 'reasoning', 'effort'],
  ['tools', 'include'],
  ['storage', 'd'],
  ['storage', 'bytes_per_token'],
  ['storage', 'k', 'l'],
  ['models', 'x/y.z', 'api', 'e'],
  ['models', 'x/y.z', 'api', 'seed'],
  ['v', 'w', 'f g'],
  ['u', 'm'],
  ['many', 'd'],
)

const newValues = fc.constantFrom<unknown>(5, 0.25, true, 'a "b"\n# c', ['x', 'y'], {
  type: 'text',
})

/** The lines of comments, in order, as a plain look at each line finds them outside of the texts that the documents hold. */
const commentsOf = (text: string) =>
  text.match(/# (head|beside|above|of many|in the list|\[storage\]|fuel = 1)/g) ?? []

/** What a tree holds, one path a line; empty tables leave no trace. */
function flat(value: unknown, at: readonly string[] = []): readonly string[] {
  if (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Date) &&
    !Array.isArray(value)
  )
    return Object.entries(value).flatMap(([key, each]) => flat(each, [...at, key]))
  const kind = typeof value === 'bigint' ? `${value}n` : undefined
  return [
    `${formatTomlKey(at)} = ${kind ?? JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? ''}${Number.isNaN(value) ? 'NaN' : ''}`,
  ]
}
const treeOf = (text: string) => flat(parse(text, { integersAsBigInt: true }))

function isBelow(line: string, path: readonly string[]): boolean {
  const key = formatTomlKey(path)
  return line.startsWith(`${key} = `) || line.startsWith(`${key}.`)
}

/** How many characters two texts have in common at their beginning and, besides, at their end. */
function sharedEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && a[start] === b[start]) start++
  let end = 0
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return start + end
}

/** Whether an empty table stands there, which a value takes the place of. */
function isTable(text: string, path: readonly string[]): boolean {
  let at: unknown = parse(text, { integersAsBigInt: true })
  for (const step of path) at = at === undefined ? at : (at as Record<string, unknown>)[step]
  return at !== undefined
}

describe('an edit of any document', () => {
  it('changes one value, no comment and no other line, or refuses', () => {
    let done = 0
    let refused = 0
    fc.assert(
      fc.property(drawn, paths, fc.option(newValues, { nil: undefined }), (text, path, value) => {
        const edit = editToml(text, path, value === undefined ? undefined : tomlLiteral(value))
        if (!edit.ok) {
          refused += 1
          return
        }
        done += 1
        const others = (tree: readonly string[]) =>
          tree.filter((line) => !isBelow(line, path)).sort()
        expect(others(treeOf(edit.text))).toEqual(others(treeOf(text)))
        const wanted =
          value === undefined
            ? []
            : flat(parse(`v = ${tomlLiteral(value)}`, { integersAsBigInt: true }).v, path)
        expect(
          treeOf(edit.text)
            .filter((line) => isBelow(line, path))
            .sort(),
        ).toEqual([...wanted].sort())
        expect(commentsOf(edit.text)).toEqual(commentsOf(text))
        // A value that was not there is only added, one that is taken out only left out: all other bytes are as they were.
        const shared = sharedEnds(text, edit.text)
        const isThere = treeOf(text).some((line) => isBelow(line, path))
        if (value !== undefined && !isThere && !isTable(text, path))
          expect(shared).toBe(text.length)
        if (value === undefined) expect(shared).toBe(edit.text.length)
        if (text.includes('\r\n')) expect(edit.text.replaceAll('\r\n', '')).not.toContain('\r')
      }),
      { numRuns: 2000 },
    )
    // Both happen, or the documents are not what they should be.
    expect(done).toBeGreaterThan(800)
    expect(refused).toBeGreaterThan(20)
  })

  it('taken back gives the document that was', () => {
    fc.assert(
      fc.property(drawn, paths, (text, path) => {
        const isThere = treeOf(text).some((line) => isBelow(line, path))
        const set = editToml(text, path, '12345')
        if (isThere || !set.ok || !text.endsWith('\n')) return
        const back = editToml(set.text, path, undefined)
        expect(back.ok && treeOf(back.text)).toEqual(treeOf(text))
        expect(back.ok && commentsOf(back.text)).toEqual(commentsOf(text))
      }),
      { numRuns: 500 },
    )
  })

  it('of random bytes that happen to be TOML never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'a.="\'[]{}#,\n\r \\1t') }),
        paths,
        (text, path) => {
          try {
            parse(text)
          } catch {
            return
          }
          expect(() => editToml(text, path, '1')).not.toThrow()
        },
      ),
      { numRuns: 5000 },
    )
  })
})
