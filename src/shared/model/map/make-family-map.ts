import { libraryKeyOf } from '../conversation/conversation'
import type { EntryId } from '../conversation/entry'
import { familyWithPlaces, leafPlaceOf } from '../family/branches'
import type { ConversationRef } from '../family/family'
import { type MergedTree, mergeTree } from '../family/merge'
import type { Outline } from '../family/outline'
import { familyPath } from '../family-view/family-view'
import type { FamilyMap, MapFacts } from './family-map'

/**
 * Makes the map of the family around one conversation of a group (`groupRelatives`), alone or not. Null where there is
 * no entry. Near-linear in the messages.
 */
export function familyMapOf(
  group: readonly Outline[],
  conversation: ConversationRef,
): FamilyMap | null {
  const tree = mergeTree(group)
  const joined = familyWithPlaces(tree, conversation)
  if (joined === undefined) return null
  const { family, nodeAt } = joined
  const positions = new Map(family.nodes.map(({ id }, i) => [id, i]))
  const nodeOf = Int32Array.from({ length: tree.count }, (_, place) => {
    const position = positions.get(nodeAt(place))
    if (position === undefined) throw new Error(`place ${place} is in no node`)
    return position
  })
  return {
    nodes: family.nodes.map(({ keys: _, holders: __, ...node }) => node),
    conversations: tree.outlines.flatMap(({ source, key, title }, i) => {
      const leaf = leafPlaceOf(tree, i)
      if (leaf === undefined) return []
      return [{ key: libraryKeyOf(source, key), title, leaf: nodeOf[leaf] ?? 0 }]
    }),
    path: familyPath(tree, conversation, nodeAt),
    facts: factsOf(tree, nodeOf, family.nodes.length),
  }
}

/** Places in the order of their nodes; in one node they are in the order of the tree already. */
function inNodeOrder(nodeOf: Int32Array, nodes: number) {
  const starts = new Array<number>(nodes + 1).fill(0)
  for (const node of nodeOf) starts[node + 1] = (starts[node + 1] ?? 0) + 1
  for (let node = 0; node < nodes; node++)
    starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0)
  const free = [...starts]
  const places = new Int32Array(nodeOf.length)
  /** By place, its position in that order. */
  const positions = new Int32Array(nodeOf.length)
  nodeOf.forEach((node, place) => {
    const at = free[node] ?? 0
    free[node] = at + 1
    places[at] = place
    positions[place] = at
  })
  return { starts, places, positions }
}

function factsOf(tree: MergedTree, nodeOf: Int32Array, nodes: number): MapFacts {
  const { starts, places, positions } = inNodeOrder(nodeOf, nodes)
  const models = names()
  const tools = names()
  const entries: number[] = []
  const ids: EntryId[] = []
  const traits: number[] = []
  const times: number[] = []
  const modelOf: number[] = []
  for (const place of places) {
    const outline = tree.outlines[tree.owner[place] ?? 0]
    const message = tree.message[place] ?? 0
    entries.push(ids.length)
    if (outline === undefined) continue
    const end = outline.starts[message + 1] ?? 0
    for (let entry = outline.starts[message] ?? 0; entry < end; entry++) {
      const id = outline.ids[entry]
      if (id !== undefined) ids.push(id)
    }
    traits.push(outline.traits[message] ?? 0)
    times.push(outline.times[message] ?? 0)
    const model = outline.facts.models[message] ?? 0
    modelOf.push(model === 0 ? 0 : 1 + models.position(outline.facts.modelNames[model - 1] ?? ''))
  }
  entries.push(ids.length)
  /** Where a message of conversation `i` is; undefined where an older one has it. */
  const positionOf = (i: number, message: number): number | undefined => {
    const place = tree.places[i]?.[message] ?? -1
    const isOwn = place !== -1 && tree.owner[place] === i && tree.message[place] === message
    return isOwn ? positions[place] : undefined
  }
  const collect = (
    size: number,
    list: (outline: Outline) => readonly number[],
    map: (record: readonly number[], outline: Outline) => readonly number[] = (record) => record,
  ): number[] => {
    const records: (readonly number[])[] = []
    tree.outlines.forEach((outline, i) => {
      const flat = list(outline)
      for (let at = 0; at < flat.length; at += size) {
        const position = positionOf(i, flat[at] ?? 0)
        if (position === undefined) continue
        records.push([position, ...map(flat.slice(at + 1, at + size), outline)])
      }
    })
    return records.sort(([a = 0], [b = 0]) => a - b).flat()
  }
  const calls = collect(
    2,
    ({ facts }) => facts.calls,
    ([tool = 0], { facts }) => [tools.position(facts.toolNames[tool] ?? '')],
  )
  return {
    starts,
    entries,
    ids,
    traits,
    times,
    models: modelOf,
    modelNames: models.list,
    toolNames: tools.list,
    calls,
    failures: collect(1, ({ facts }) => facts.failures),
    usages: collect(5, ({ facts }) => facts.usages),
  }
}

/** Names, each once. */
function names() {
  const list: string[] = []
  const positions = new Map<string, number>()
  return {
    list,
    position(name: string): number {
      const known = positions.get(name)
      if (known !== undefined) return known
      positions.set(name, list.length)
      return list.push(name) - 1
    },
  }
}
