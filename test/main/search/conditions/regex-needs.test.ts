import { expect, it } from 'vitest'
import type { Condition } from '../../../../src/main/search/conditions/condition'
import { regexNeeds } from '../../../../src/main/search/conditions/regex-needs'
import { fold } from '../../../../src/shared/model/basics/fold'

/** Writes a condition of words in a line. */
function written(condition: Condition | undefined): string {
  if (condition === undefined) return 'nothing'
  if (condition.type === 'word') return condition.folded
  if (condition.type !== 'all' && condition.type !== 'any') return condition.type
  return `${condition.type}(${condition.of.map(written).join(', ')})`
}

it.each([
  ['return', 'retur'],
  ['return\\s+fals\\w*', 'all(return, fal)'],
  ['(?:const|node)_\\w+\\(', 'all(any(const_, node_), ()'],
  ['get(?:Item|Key|)s\\d', 'any(getitems, getkeys, gets)'],
  ['(?:a|b)(?:c|d)(?:e|f)(?:g|h)', 'any(ac, ad, bc, bd)'],
  ['end$', 'end'],
  ['end\\b', 'en'],
  ['end\\W', 'en'],
  ['end[^.]', 'en'],
  ['one|two=|\\s', 'nothing'],
  ['x', 'nothing'],
])('a text that matches %j has %s', (source, needs) => {
  expect(written(regexNeeds(source))).toBe(needs)
})

it('counts on the last character of a run where no accent makes another of it', () => {
  const accents = Array.from({ length: 0xfd00 }, (_, n) => String.fromCharCode(0x300 + n)).filter(
    (char) => /[\p{M}\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f]/u.test(char),
  )
  for (let code = 0x20; code < 0x7f; code++) {
    const last = String.fromCharCode(code)
    const needs = regexNeeds(`a${last.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}`)
    const counted = needs?.type === 'word' ? needs.folded : ''
    const lost = accents.filter((accent) => !fold(`a${last}${accent}`).includes(counted))
    expect(lost, last).toEqual([])
  }
})
