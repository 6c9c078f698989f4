import { expect, it } from 'vitest'
import { buildItems } from '../../../../src/renderer/transcript/items/build-items'
import { sentAnswerIdOf } from '../../../../src/renderer/transcript/items/sent-answer'
import { answered, called, type RowDraft, returned, rowsOf, said } from '../../harness/rows'

/** The answers that the items of a transcript are of, in order. */
function answersOf(drafts: readonly RowDraft[]): readonly (string | undefined)[] {
  const items = buildItems(rowsOf(drafts), { hasBefore: false, shownAs: new Map() }).filter(
    ({ type }) => type !== 'day',
  )
  return items.map((item) => sentAnswerIdOf(items, item))
}

it('a message of the model is an answer; what a person said is none', () => {
  expect(answersOf([said('Hello', { id: 'q' }), answered('Hello.', { id: 'a' })])).toEqual([
    undefined,
    'a',
  ])
})

it('calls that were made at once are of their first one, later ones of their own', () => {
  expect(
    answersOf([
      said('Look', { id: 'q' }),
      called('read', { path: 'a' }, 'c1', { id: 'first' }),
      called('read', { path: 'b' }, 'c2', { id: 'second' }),
      returned('read', 'A', 'c1'),
      returned('read', 'B', 'c2'),
      called('run', {}, 'c3', { id: 'third' }),
      called('run', {}, 'c4', { id: 'fourth' }),
      returned('run', 'ok', 'c3'),
      returned('run', 'ok', 'c4'),
      answered('Done.', { id: 'a' }),
    ]),
  ).toEqual([undefined, 'first', 'first', 'third', 'third', 'a'])
})

it('where the first entry of an answer tells the model, calls behind it are a part of it', () => {
  const metadata = { model: 'claude-sonnet-4.5' }
  expect(
    answersOf([
      said('Look', { id: 'q' }),
      answered('I look.', { id: 'words', metadata }),
      called('read', { path: 'a' }, 'c1', { id: 'first' }),
      returned('read', 'A', 'c1'),
      called('read', { path: 'b' }, 'c2', { id: 'second' }),
      returned('read', 'B', 'c2'),
      called('run', {}, 'c3', { id: 'third', metadata }),
      returned('run', 'ok', 'c3'),
      called('run', {}, 'c4', { id: 'fourth' }),
      returned('run', 'ok', 'c4'),
    ]),
  ).toEqual([undefined, 'words', 'words', 'words', 'third', 'third'])
})

it('a result whose call is not there is of no answer', () => {
  expect(answersOf([returned('read', 'A', 'c1')])).toEqual([undefined])
})
