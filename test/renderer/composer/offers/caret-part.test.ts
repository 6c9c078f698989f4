import { expect, it } from 'vitest'
import { caretPartAt } from '../../../../src/renderer/composer/offers/caret-part'

/** Finds the part at the bar. */
function at(text: string) {
  const caret = text.indexOf('|')
  return caretPartAt(text.replace('|', ''), caret)?.query
}

it('a slash at the start of the message asks for a list, up to the caret', () => {
  expect(['/|', '/rev|', '/rev| the rest', '/rev|\nthe rest'].map(at)).toEqual([
    '',
    'rev',
    'rev',
    'rev',
  ])
})

it('elsewhere it asks for nothing: in a sentence, before a space, inside of a word', () => {
  expect(['a /rev|', '|/rev', '/rev the|', '/re|view', ' /rev|', '\n/rev|'].map(at)).toEqual(
    Array(6).fill(undefined),
  )
})

it('an at sign asks for one behind white space and at the start', () => {
  expect(['@|', 'see @ra|', 'see\n@ra|', 'a @b @c/d|'].map(at)).toEqual(['', 'ra', 'ra', 'c/d'])
  expect(['ann@ra|', 'a@|', '@two words|', 'see @r|ain', 'see /ra|'].map(at)).toEqual(
    Array(5).fill(undefined),
  )
})

it('a long text is no name', () => {
  expect(at(`/${'x'.repeat(100)}|`)).toBe(undefined)
})
