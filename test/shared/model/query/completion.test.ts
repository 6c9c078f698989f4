import { describe, expect, it } from 'vitest'
import {
  completeQuery,
  languageValues,
  pickCompletions,
  typedPartAt,
} from '../../../../src/shared/model/query/completion'
import { parseQuery } from '../../../../src/shared/model/query/parse-query'

/** Returns what is typed at the caret, which is where the bar is. */
function typedIn(marked: string) {
  const caret = marked.indexOf('|')
  const part = typedPartAt(marked.replace('|', ''), caret)
  return part && [part.field ?? 'name', part.typed]
}

/** The query after a completion, with a bar where the caret is. */
function completed(marked: string, value: string): string | undefined {
  const caret = marked.indexOf('|')
  const query = marked.replace('|', '')
  const part = typedPartAt(query, caret)
  if (part === undefined) return undefined
  const { text, caret: at } = completeQuery(query, caret, part, value)
  return `${text.slice(0, at)}|${text.slice(at)}`
}

describe('what is typed in a query', () => {
  it('is the beginning of a field’s name, or its value', () => {
    expect(typedIn('mo|')).toEqual(['name', 'mo'])
    expect(typedIn('clock -MOD|')).toEqual(['name', 'mod'])
    expect(typedIn('(too|')).toEqual(['name', 'too'])
    expect(typedIn('tool:|')).toEqual(['tool', ''])
    expect(typedIn('clock tool:she| after:2026')).toEqual(['tool', 'she'])
    expect(typedIn('-project:"/home/my pro|')).toEqual(['project', '/home/my pro'])
    expect(typedIn('tool:C:\\x|')).toEqual(['tool', 'C:\\x'])
  })

  it('is nothing within words, phrases and whatever is no field', () => {
    for (const query of [
      '|',
      'm|',
      'clock|',
      'mo|del',
      '"some mod|',
      'unknown:va|',
      'tool:shell |',
      'tool:"a b" |',
      '/mo|',
      'a:b:tool|',
    ])
      expect(typedIn(query), query).toBeUndefined()
  })
})

describe('a completion', () => {
  it('goes in the place of what is typed, quoted where it must be, and the query parses to it', () => {
    expect(completed('clock mo|', 'model')).toBe('clock model:|')
    expect(completed('clock tool:she|', 'shell')).toBe('clock tool:shell |')
    expect(completed('tool:she| after:2026', 'shell')).toBe('tool:shell |after:2026')
    expect(completed('(to| OR x)', 'tool')).toBe('(tool:| OR x)')
    for (const value of ['two words', 'a"b', 'back\\slash it', '(x)', 'plain']) {
      const text = completed('-tag:x|', value)?.replace('|', '') ?? ''
      expect(parseQuery(text).pieces).toMatchObject([{ field: 'tag', value, negated: true }])
    }
  })

  it('is picked by its beginning first, then by how often it occurs, and not where it is typed already', () => {
    const known = [
      { value: 'read_file', count: 5 },
      { value: 'thread' },
      { value: 'Read', count: 9 },
      { value: 'write', count: 99 },
    ]
    expect(pickCompletions('read', known).map(({ value }) => value)).toEqual([
      'Read',
      'read_file',
      'thread',
    ])
    expect(pickCompletions('write', known)).toEqual([])
    expect(pickCompletions('zzz', known)).toEqual([])
    expect(
      pickCompletions(
        '',
        Array.from({ length: 50 }, (_, n) => ({ value: `v${n}` })),
      ),
    ).toHaveLength(8)
  })
})

it('reads the end of a query alone, however long its words are', () => {
  const long = 'a'.repeat(2_000_000)
  expect(typedPartAt(`${long} ${long} so`, 2 * long.length + 4)).toEqual({
    field: undefined,
    typed: 'so',
    from: 2 * long.length + 2,
  })
  expect(typedPartAt(long, long.length)).toBeUndefined()
})

it('knows the values of a colour, each of which the language takes', () => {
  expect(languageValues.color).toContain('green')
  for (const value of languageValues.color ?? [])
    expect(parseQuery(`color:${value}`).root.of[0]).toMatchObject({
      type: 'field',
      field: 'color',
      value,
    })
})
