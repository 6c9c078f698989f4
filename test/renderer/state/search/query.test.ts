import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../../src/main/search/query'
import {
  queryPieces,
  searchedWords,
  withoutPiece,
} from '../../../../src/renderer/state/search/query'

const queries = [
  'clock change',
  '  "clock change"  utc ',
  '-source:gemini after:2026-10-01 "a \\" b" utc',
  '--force - -',
  'colour:red source: source:"my source"',
  'after:yesterday before:2026-13-40 after:2026',
  'role:assistant role:nobody Role:USER',
  '"not closed and -"more"',
  'title:"" tool:x',
  'https://example.org/a:b C:\\x',
  '-"not this" OR /regex/i',
]

describe('the parts of a query', () => {
  it.each(queries)('%s is taken apart as main does', (query) => {
    const shown = queryPieces(query).map(({ type, field, value, negated }) =>
      type === 'field' ? [field, value.toLowerCase(), negated] : ['text', value, negated],
    )
    const asked = parseQuery(query).clauses.map((clause) => {
      if (clause.type === 'text') return ['text', clause.text, clause.negated]
      return [clause.field, clause.type === 'field' ? clause.value : undefined, clause.negated]
    })
    expect(shown.map(([name, , negated]) => [name, negated])).toEqual(
      asked.map(([name, , negated]) => [name, negated]),
    )
    expect(shown.filter(([name]) => name === 'text')).toEqual(
      asked.filter(([name]) => name === 'text'),
    )
  })

  it('say where they stand', () => {
    const text = 'a  -tool:bash "b c"'
    expect(queryPieces(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'a',
      '-tool:bash',
      '"b c"',
    ])
  })

  it('give the words to mark: not those of fields, nor what must not be there', () => {
    expect(searchedWords('utc -local source:chibi "clock change" utc')).toEqual([
      'utc',
      'clock change',
    ])
  })

  it('can be taken out one by one', () => {
    const text = 'utc -local  source:chibi'
    const pieces = queryPieces(text)
    expect(pieces.map((piece) => withoutPiece(text, piece))).toEqual([
      '-local  source:chibi',
      'utc source:chibi',
      'utc -local',
    ])
  })
})
