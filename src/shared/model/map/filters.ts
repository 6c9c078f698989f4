import { messageTrait } from '../family/message-traits'
import { messagesOf } from './fact-sums'
import type { FamilyMap, MapFacts, MapNode } from './family-map'
import { keepMessages } from './kept-facts'

/** Conditions for the messages that a map shows: all of them must hold. */
export interface MapFilter {
  /** Messages that a person wrote. */
  readonly mine: boolean
  /** Neither results of tools nor messages that are calls alone. */
  readonly withoutTools: boolean
  readonly labelled: boolean
  /** Failed results of tools. */
  readonly failed: boolean
  /** Hits of the search on the map. */
  readonly hits: boolean
  /** The name of a model: what it said. */
  readonly model: string | undefined
  readonly source: string | undefined
  /** Messages of so many ms before now; those without a time are not shown. */
  readonly withinMs: number | undefined
}

/** Filter that shows every message. */
export const noFilter: MapFilter = {
  mine: false,
  withoutTools: false,
  labelled: false,
  failed: false,
  hits: false,
  model: undefined,
  source: undefined,
  withinMs: undefined,
}

/** Facts that a filter needs beside the map; nodes by id, messages by position. */
export interface FilterContext {
  /** Nodes that are on the map whatever the filter says: the open path. */
  readonly kept: ReadonlySet<string>
  /** Nodes that a person hid, with all that comes after them. */
  readonly hidden: ReadonlySet<string>
  readonly labelled: ReadonlySet<number>
  /** By message: its number of hits. */
  readonly hits: { readonly [message: number]: number }
  readonly nowMs: number
}

/** A map with the messages alone that a filter shows, and how many entries it shows of how many. */
export interface FilteredMap {
  /** Nodes have the ids of before; those without a shown message before or after them are left out. */
  readonly map: FamilyMap
  /** By node of `map`, its position in the whole map. */
  readonly origins: readonly number[]
  /** By message of `map`, its position in the whole map. */
  readonly messages: readonly number[]
  /** Entries under the nodes of `map`. */
  readonly shown: number
  readonly total: number
  /** Of the entries that are not shown, those in hidden branches. */
  readonly inHidden: number
}

/**
 * Applies a filter to a map. Every entry of the family is under exactly one node of the result, or is counted as not
 * shown. Linear in the messages.
 */
export function filterMap(
  whole: FamilyMap,
  filter: MapFilter,
  context: FilterContext,
): FilteredMap {
  const { nodes, facts } = whole
  const positions = new Map(nodes.map(({ id }, i) => [id, i]))
  const parents = nodes.map(({ parent }) => positions.get(parent ?? '') ?? -1)
  const isHidden = new Uint8Array(nodes.length)
  nodes.forEach(({ id }, i) => {
    const isUnderHidden = context.hidden.has(id) || isHidden[parents[i] ?? -1] === 1
    if (isUnderHidden && !context.kept.has(id)) isHidden[i] = 1
  })
  const passes = passesFilter(whole, filter, context)
  const isShown = new Uint8Array(facts.traits.length)
  const isWanted = new Uint8Array(nodes.length)
  let inHidden = 0
  // From the last to the first: a node before a shown one is shown too.
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { from, to } = messagesOf(facts, i)
    if (isHidden[i] === 1) {
      inHidden += entriesBetween(facts, from, to)
      continue
    }
    for (let at = from; at < to; at++) if (passes(at, i)) isShown[at] = isWanted[i] = 1
    if (context.kept.has(nodes[i]?.id ?? '')) isWanted[i] = 1
    const parent = parents[i] ?? -1
    if (isWanted[i] === 1 && parent >= 0) isWanted[parent] = 1
  }
  const origins = nodes.flatMap((_, i) => (isWanted[i] === 1 ? [i] : []))
  const { facts: keptFacts, messages } = keepMessages(facts, origins, isShown)
  const map = {
    nodes: origins.flatMap((origin, i) => shownNode(nodes[origin], keptFacts, i)),
    conversations: movedLeaves(whole, parents, origins),
    path: whole.path,
    facts: keptFacts,
  }
  return { map, origins, messages, shown: keptFacts.ids.length, total: facts.ids.length, inHidden }
}

/** Returns a map as it is, without a filter. */
export function unfilteredMap(map: FamilyMap): FilteredMap {
  const total = map.facts.ids.length
  return {
    map,
    origins: map.nodes.map((_, i) => i),
    messages: map.facts.traits.map((_, i) => i),
    shown: total,
    total,
    inHidden: 0,
  }
}

/** Counts the conditions of a filter that are on. */
export function countConditions(filter: MapFilter): number {
  return Object.values(filter).filter((value) => value !== false && value !== undefined).length
}

/** Returns whether a message passes, by its position and that of its node. */
function passesFilter(
  { nodes, facts }: FamilyMap,
  filter: MapFilter,
  { labelled, hits, nowMs }: FilterContext,
): (message: number, node: number) => boolean {
  const failed = new Set(filter.failed ? facts.failures : [])
  const calls = new Uint32Array(filter.withoutTools ? facts.traits.length : 0)
  if (filter.withoutTools)
    for (let at = 0; at < facts.calls.length; at += 2) {
      const message = facts.calls[at] ?? 0
      calls[message] = (calls[message] ?? 0) + 1
    }
  const isOfTools = (at: number) =>
    ((facts.traits[at] ?? 0) & messageTrait.result) !== 0 ||
    ((calls[at] ?? 0) > 0 && (calls[at] ?? 0) >= entriesBetween(facts, at, at + 1))
  return (at, node) =>
    (!filter.mine || ((facts.traits[at] ?? 0) & messageTrait.human) !== 0) &&
    (!filter.withoutTools || !isOfTools(at)) &&
    (!filter.labelled || labelled.has(at)) &&
    (!filter.failed || failed.has(at)) &&
    (!filter.hits || (hits[at] ?? 0) > 0) &&
    (filter.model === undefined ||
      facts.modelNames[(facts.models[at] ?? 0) - 1] === filter.model) &&
    (filter.source === undefined || nodes[node]?.source === filter.source) &&
    (filter.withinMs === undefined || (facts.times[at] ?? 0) >= nowMs - filter.withinMs)
}

function entriesBetween({ entries }: MapFacts, from: number, to: number): number {
  return (entries[to] ?? 0) - (entries[from] ?? 0)
}

function shownNode(node: MapNode | undefined, facts: MapFacts, at: number): readonly MapNode[] {
  if (node === undefined) return []
  const { from, to } = messagesOf(facts, at)
  return [{ ...node, entries: entriesBetween(facts, from, to) }]
}

/** A conversation whose node is left out is where its way leaves what is shown. */
function movedLeaves(
  { conversations }: FamilyMap,
  parents: readonly number[],
  origins: readonly number[],
): FamilyMap['conversations'] {
  const places = new Map(origins.map((origin, i) => [origin, i]))
  return conversations.map((conversation) => {
    let at = conversation.leaf
    while (at >= 0 && !places.has(at)) at = parents[at] ?? -1
    return { ...conversation, leaf: places.get(at) ?? -1 }
  })
}
