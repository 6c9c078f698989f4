import { expect, it } from 'vitest'
import { nameOfBranch } from '../../../src/renderer/family-tree/use-node-menu'
import { ConversationKey, LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../src/shared/model/conversation/entry'
import type { FamilyLabel } from '../../../src/shared/model/family/branching'
import type { BranchNode } from '../../../src/shared/model/family/family'

const garden = LibraryKey.parse('garden')
const bulbs = LibraryKey.parse('bulbs')

function node(id: string, holders: readonly string[]): BranchNode {
  const keys = holders.map((key) => ConversationKey.parse(key))
  return {
    id,
    source: 'chibi',
    key: keys[0] ?? ConversationKey.parse('none'),
    keys,
    holders: keys.map((key) => ({ source: 'chibi', key })),
    kind: 'run',
    parent: null,
    fromEntry: EntryId.parse(`${id}-first`),
    toEntry: EntryId.parse(`${id}-last`),
    entries: 2,
    title: id,
    created: null,
    active: false,
  }
}
const label = (word: string, on: string, entry: string): FamilyLabel => ({
  word,
  color: 'blue',
  node: on,
  key: garden,
  entry: EntryId.parse(`${on}-${entry}`),
})

it('names a branch by the label of the last first entry that the other one does not have', () => {
  const nodes = [
    node('trunk', ['garden', 'bulbs']),
    node('sand', ['bulbs']),
    node('clay', ['bulbs']),
  ]
  const family = { root: 'trunk', nodes }
  const trunk = label('all', 'trunk', 'first')
  const sand = label('sand', 'sand', 'first')
  const clay = label('clay', 'clay', 'first')
  const inside = label('look here', 'clay', 'last')
  const name = (labels: FamilyLabel[], other: LibraryKey | undefined) =>
    nameOfBranch({ family, labels }, bulbs, other)?.word
  expect(name([trunk, sand, inside, clay], garden)).toBe('clay')
  expect(name([trunk, sand, inside], garden)).toBe('sand')
  expect(name([trunk, inside], garden)).toBeUndefined()
  expect(name([trunk, inside], undefined)).toBe('all')
  expect(nameOfBranch({ family, labels: [trunk] }, garden, bulbs)).toBeUndefined()
})
