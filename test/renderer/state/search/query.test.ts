import { describe, expect, it } from 'vitest'
import { queryPieces } from '../../../../src/renderer/state/search/query'
import { withoutPiece } from '../../../../src/shared/model/query/without-piece'

describe('the parts of a query', () => {
  it('say where they stand', () => {
    const text = 'a  -tool:bash "b c"'
    expect(queryPieces(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'a',
      '-tool:bash',
      '"b c"',
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

  it.each([
    ['a OR b', ['b', undefined, 'a']],
    [
      'a (b OR c) d',
      ['(b OR c) d', undefined, 'a (c) d', undefined, 'a (b) d', undefined, 'a (b OR c)'],
    ],
    ['a -(b c)', ['-(b c)', undefined, 'a -(c)', 'a -(b)', undefined]],
    ['a -(b)', ['-(b)', undefined, 'a', undefined]],
  ])('of %j are taken out with what joined them', (text, expected) => {
    const rests = queryPieces(text).map((piece) =>
      piece.type === 'operator' ? undefined : withoutPiece(text, piece),
    )
    expect(rests).toEqual(expected)
  })
})
