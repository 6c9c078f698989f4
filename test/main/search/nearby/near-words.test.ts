import { expect, it } from 'vitest'
import {
  distanceOf,
  mostWrong,
  NearWords,
  wordPieces,
} from '../../../../src/main/search/nearby/near-words'
import { drawnRandom, trialsOf } from '../../../support/drawn-alike'

/** All words that one change makes of a word: a letter more, less, another, or two swapped. */
function changesOf(word: string, alphabet: string): ReadonlySet<string> {
  const changed = new Set<string>()
  for (let at = 0; at <= word.length; at++) {
    const [left, right] = [word.slice(0, at), word.slice(at)]
    for (const letter of alphabet) {
      changed.add(left + letter + right)
      if (right !== '') changed.add(left + letter + right.slice(1))
    }
    if (right !== '') changed.add(left + right.slice(1))
    if (right.length > 1) changed.add(`${left}${right[1]}${right[0]}${right.slice(2)}`)
  }
  changed.delete(word)
  return changed
}

it('counts one wrong letter exactly where one change makes the other word', () => {
  const random = drawnRandom(7)
  const alphabet = 'abc'
  const draw = () =>
    Array.from({ length: 1 + random.below(5) }, () => alphabet[random.below(3)]).join('')
  for (let trial = 0; trial < trialsOf(600); trial++) {
    const [a, b] = [draw(), draw()]
    const expected = a === b ? 0 : changesOf(a, alphabet).has(b) ? 1 : undefined
    expect(distanceOf([...a], [...b], 1), `${a} ${b}`).toBe(expected)
    expect(distanceOf([...b], [...a], 1), `${b} ${a}`).toBe(expected)
  }
})

it('gives the nearest words first, then parts, and never the word itself', () => {
  const near = new NearWords('tulpis')
  for (const word of ['tulips', 'tulpis', 'tulip', 'turnips', 'tulp', 'lupis', 'rain'])
    near.take(word)
  expect(near.nearest(9)).toEqual(['tulips', 'tulp'])
  const long = new NearWords('tulipgarden')
  for (const word of ['tulip', 'garden', 'tulipgardens', 'gar', 'tulpigraden']) long.take(word)
  expect(long.nearest(9)).toEqual(['tulipgardens', 'tulpigraden', 'garden', 'tulip'])
})

it('cuts a word into pieces of which one stands in any word near to it, but for swaps', () => {
  expect(wordPieces('tulips')).toEqual(['tul', 'ips'])
  expect(wordPieces('chrysanthemum')).toEqual(['chrys', 'anthe', 'mum'])
  for (const word of ['tulips', 'gardens', 'chrysanthemum'])
    expect(wordPieces(word).length).toBe(mostWrong(word) + 1)
})
