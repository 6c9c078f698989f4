import { libraryKeyOf } from '../conversation/conversation'
import type { EntryId } from '../conversation/entry'
import { familyWithPlaces, hasBranches } from '../family/branches'
import type { CalledSubagent, FamilyView, ForkWay } from '../family/branching'
import { type BranchNode, type ConversationRef, type Family, forksOf } from '../family/family'
import { type MergedTree, mergeTree } from '../family/merge'
import { hasTrait } from '../family/message-traits'
import type { Outline } from '../family/outline'
import { calledFrom } from '../family/subagents'
import { type LabelsOfEntries, labelsInTree } from './family-labels'

/**
 * Makes the family around one conversation of a group (`groupRelatives`). Null where it has no relative and no
 * branch inside. Near-linear in the messages, with labels also in the entries.
 */
export function familyViewOf(
  group: readonly Outline[],
  conversation: ConversationRef,
  labels?: LabelsOfEntries,
): FamilyView | null {
  const tree = mergeTree(group)
  const joined = familyWithPlaces(tree, conversation)
  const i = tree.outlines.findIndex(
    ({ source, key }) => source === conversation.source && key === conversation.key,
  )
  const outline = tree.outlines[i]
  if (joined === undefined || outline === undefined) return null
  const { family, nodeAt } = joined
  const hasSubagents = family.nodes.some(({ kind }) => kind === 'subagent')
  if (group.length < 2 && !hasBranches(family) && !hasSubagents) return null
  const own = ownStretches(tree, i, nodeAt)
  const labelled = labels === undefined ? [] : labelsInTree(tree, i, nodeAt, labels)
  const outlines = new Map(tree.outlines.map((one) => [libraryKeyOf(one.source, one.key), one]))
  return {
    family,
    path: familyPath(tree, conversation, nodeAt),
    forks: forksOf(family, conversation)
      .flatMap(({ siblings, index }) => {
        const mine = own.get(siblings[index]?.id ?? '')
        // The fork may stand above what a branch with a cut window holds itself.
        if (mine === undefined || !beginsNode(tree, i, mine, nodeAt)) return []
        const entry = firstId(outline, mine.first)
        const ways = siblings.map((node, at): ForkWay => {
          const { source, key } = at === index ? conversation : node
          const shown = libraryKeyOf(source, key)
          const first = at === index ? entry : firstOf(node, outlines.get(shown))
          return { key: shown, entry: first, node: node.id, title: node.title }
        })
        return [{ depth: mine.depth, fork: { entry, ways, index } }]
      })
      .sort((a, b) => a.depth - b.depth)
      .map(({ fork }) => fork),
    ...(labelled.length === 0 ? {} : { labels: [...labelled] }),
    ...(hasSubagents ? { subagents: calledBy(tree, i, family, nodeAt) } : {}),
  }
}

function calledBy(
  tree: MergedTree,
  i: number,
  { nodes }: Family,
  nodeAt: (place: number) => string,
): CalledSubagent[] {
  const own = new Map<number, number>()
  tree.places[i]?.forEach((place, message) => void own.set(place, message))
  const outline = tree.outlines[i]
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return [...calledFrom(tree)].flatMap(([first, call]): readonly CalledSubagent[] => {
    const node = byId.get(nodeAt(first))
    const message = own.get(call)
    if (node === undefined || message === undefined || outline === undefined) return []
    const { source, key, fromEntry: entry, title } = node
    return [{ caller: firstId(outline, message), key: libraryKeyOf(source, key), entry, title }]
  })
}

/**
 * Lists the nodes that a conversation's own way goes through, root first, with the ids that the conversation gives to
 * their entries. Nodes whose entries its file does not hold are left out; empty where it is not in the tree.
 */
export function familyPath(
  tree: MergedTree,
  { source, key }: ConversationRef,
  nodeAt: (place: number) => string,
): FamilyView['path'] {
  const i = tree.outlines.findIndex((one) => one.source === source && one.key === key)
  const outline = tree.outlines[i]
  if (outline === undefined) return []
  const onWay = outline.strands === undefined ? undefined : wayToLeaf(outline, outline.strands)
  return [...ownStretches(tree, i, nodeAt).values()].flatMap(({ node, first, last }) =>
    onWay === undefined || onWay.has(first)
      ? [{ node, firstEntry: firstId(outline, first), lastEntry: lastId(outline, last) }]
      : [],
  )
}

/** The messages of a conversation that stand in one node. */
interface Stretch {
  readonly node: string
  readonly first: number
  last: number
  /** Of its first place, from the root. */
  readonly depth: number
}

/** By node, root first. */
function ownStretches(
  tree: MergedTree,
  i: number,
  nodeAt: (place: number) => string,
): ReadonlyMap<string, Stretch> {
  const stretches = new Map<string, Stretch>()
  tree.places[i]?.forEach((place, message) => {
    if (place === -1) return
    const node = nodeAt(place)
    const known = stretches.get(node)
    if (known !== undefined) known.last = message
    else {
      const depth = tree.depth[place] ?? 0
      stretches.set(node, { node, first: message, last: message, depth })
    }
  })
  // The anchor of a branch without messages of its own is first in its file and last on its path.
  return new Map([...stretches].sort(([, a], [, b]) => a.depth - b.depth))
}

/** In a conversation with branches inside, the messages on the way to where it is now. */
function wayToLeaf(
  outline: Outline,
  { before }: NonNullable<Outline['strands']>,
): ReadonlySet<number> {
  const way = new Set<number>()
  for (let at = outline.leaf; at !== -1; at = before[at] ?? -1) way.add(at)
  return way
}

function beginsNode(
  tree: MergedTree,
  i: number,
  { node, first }: Stretch,
  nodeAt: (place: number) => string,
): boolean {
  const before = tree.parent[tree.places[i]?.[first] ?? -1] ?? -1
  return before === -1 || nodeAt(before) !== node
}

/** Where a node begins, in the conversation that holds it. */
function firstOf(node: BranchNode, outline: Outline | undefined): EntryId {
  const isAnchor = outline !== undefined && outline.ids[0] === node.fromEntry
  return isAnchor ? firstId(outline, 0) : node.fromEntry
}

/** A branch without messages of its own is its anchor: people see it after its last copy, where it will go on. */
function firstId(outline: Outline, message: number): EntryId {
  const isBegin = message === 0 && hasTrait(outline, 0, 'ownAnchor')
  return idAt(outline, isBegin ? outline.ids.length - 1 : (outline.starts[message] ?? 0))
}

function lastId(outline: Outline, message: number): EntryId {
  const isBegin = message === 0 && hasTrait(outline, 0, 'ownAnchor')
  return idAt(outline, (isBegin ? outline.ids.length : (outline.starts[message + 1] ?? 1)) - 1)
}

function idAt(outline: Outline, index: number): EntryId {
  const id = outline.ids[index]
  if (id === undefined) throw new Error(`${outline.source}:${outline.key} has no entry ${index}`)
  return id
}
