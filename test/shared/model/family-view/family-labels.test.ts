import { expect, it } from 'vitest'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import {
  type EntryLabel,
  indexLabels,
} from '../../../../src/shared/model/conversation/entry-labels'
import { outlineOf } from '../../../../src/shared/model/family/outline'
import { familyViewOf } from '../../../../src/shared/model/family-view/family-view'
import { conversation, id, key, lines, message } from '../../../support/outlined'

const begin = [message('user', 'find large files'), message('agent', 'Which folder?')]
const one = conversation('1', lines([...begin, message('user', 'In /home')]))
// Its lines have other numbers: a file may begin with a line more.
const two = conversation('2', lines([...begin, message('user', 'In /var')], 2))
const label = (of: string, entry: string, word: string): EntryLabel => ({
  key: LibraryKey.parse(`cycod:${of}`),
  entry: id(entry),
  word,
  color: 'green',
  at: 1,
})

function labelsIn(open: string, ...all: EntryLabel[]) {
  const outlines = [one, two].map(outlineOf)
  const labels = { all, index: indexLabels(all) }
  const view = familyViewOf(outlines, { source: 'cycod', key: key(open) }, labels)
  const titles = new Map(view?.family.nodes.map((node) => [node.id, node.title]))
  return view?.labels?.map(({ node, word, key: of, entry, here }) => [
    titles.get(node),
    word,
    `${of} ${entry}`,
    here,
  ])
}

it('a label is at the node of its entry, and names the same entry of the open conversation', () => {
  const all = [
    label('1', 'L2', 'question'),
    label('2', 'L4', 'answer'),
    label('1', 'L9', 'nowhere'),
  ]
  expect(labelsIn('2', ...all)).toEqual([
    ['1', 'question', 'cycod:1 L2', 'L3'],
    ['In /var', 'answer', 'cycod:2 L4', 'L4'],
  ])
  expect(labelsIn('1', ...all)).toEqual([
    ['1', 'question', 'cycod:1 L2', 'L2'],
    ['In /var', 'answer', 'cycod:2 L4', undefined],
  ])
})

it('of an entry and its copy with a label each, the one of the open conversation counts', () => {
  const all = [label('1', 'L2', 'theirs'), label('2', 'L3', 'ours')]
  expect(labelsIn('2', ...all)).toEqual([['1', 'ours', 'cycod:2 L3', 'L3']])
  expect(labelsIn('1', ...all)).toEqual([['1', 'theirs', 'cycod:1 L2', 'L2']])
  expect(labelsIn('1')).toBeUndefined()
})
