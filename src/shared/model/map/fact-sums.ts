import { messageTrait } from '../family/message-traits'
import type { MapFacts } from './family-map'

/** Messages of a node: from the first up to, but without, the end. */
export interface MessageRange {
  readonly from: number
  readonly to: number
}

/** Sums over the messages of one or several nodes. */
export interface FactSums {
  readonly entries: number
  /** Messages that a person wrote. */
  readonly ownWords: number
  readonly input: number
  readonly output: number
  readonly tokens: number
  /** In the provider's currency; undefined where no record names one. */
  readonly cost: number | undefined
  readonly calls: number
  readonly failures: number
  /** Tools by the number of their calls. */
  readonly tools: readonly (readonly [name: string, calls: number])[]
  /** In the order of their first answer. */
  readonly models: readonly string[]
  readonly compactions: number
  /** Unix ms; undefined where no message has a time. */
  readonly firstMs: number | undefined
  readonly lastMs: number | undefined
}

/** Returns the messages of a node, by its position. */
export function messagesOf({ starts }: MapFacts, node: number): MessageRange {
  return { from: starts[node] ?? 0, to: starts[node + 1] ?? starts[node] ?? 0 }
}

/** Sums up the messages of nodes. Linear in them, plus a search in the lists of calls, failures and usage records. */
export function sumFacts(facts: MapFacts, nodes: readonly number[]): FactSums {
  const sum = {
    entries: 0,
    ownWords: 0,
    input: 0,
    output: 0,
    tokens: 0,
    calls: 0,
    failures: 0,
    compactions: 0,
  }
  let cost: number | undefined
  let firstMs: number | undefined
  let lastMs: number | undefined
  const tools = new Map<string, number>()
  const models = new Set<string>()
  for (const node of nodes) {
    const range = messagesOf(facts, node)
    sum.entries += (facts.entries[range.to] ?? 0) - (facts.entries[range.from] ?? 0)
    for (let at = range.from; at < range.to; at++) {
      const traits = facts.traits[at] ?? 0
      if ((traits & messageTrait.human) !== 0) sum.ownWords += 1
      if ((traits & messageTrait.boundary) !== 0) sum.compactions += 1
      const model = facts.modelNames[(facts.models[at] ?? 0) - 1]
      if (model !== undefined) models.add(model)
      const ms = facts.times[at] ?? 0
      if (ms === 0) continue
      firstMs = Math.min(firstMs ?? ms, ms)
      lastMs = Math.max(lastMs ?? ms, ms)
    }
    eachRecord(facts.calls, 2, range, (at) => {
      sum.calls += 1
      const name = facts.toolNames[facts.calls[at + 1] ?? 0] ?? ''
      tools.set(name, 1 + (tools.get(name) ?? 0))
    })
    eachRecord(facts.failures, 1, range, () => {
      sum.failures += 1
    })
    eachRecord(facts.usages, 5, range, (at) => {
      sum.input += facts.usages[at + 1] ?? 0
      sum.output += facts.usages[at + 2] ?? 0
      sum.tokens += facts.usages[at + 3] ?? 0
      const price = facts.usages[at + 4] ?? -1
      if (price >= 0) cost = (cost ?? 0) + price
    })
  }
  return {
    ...sum,
    // A sum of prices has decimals that no price has: 0.1 and 0.2 are 0.30000000000000004.
    cost: cost === undefined ? undefined : Number(cost.toFixed(9)),
    tools: [...tools].sort(([, a], [, b]) => b - a),
    models: [...models],
    firstMs,
    lastMs,
  }
}

/** Calls `record` with the position of each record of a flat list whose message is in the range. */
function eachRecord(
  list: readonly number[],
  size: number,
  { from, to }: MessageRange,
  record: (at: number) => void,
): void {
  let low = 0
  let high = list.length / size
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle * size] ?? 0) < from) low = middle + 1
    else high = middle
  }
  for (let at = low * size; at < list.length && (list[at] ?? 0) < to; at += size) record(at)
}

/** Messages of a node that the map marks along its line, by position. */
export interface LineTicks {
  /** Messages that a person wrote. */
  readonly ownWords: readonly number[]
  readonly failures: readonly number[]
  readonly compactions: readonly number[]
}

/** Finds what is marked along the line of a node. Linear in its messages. */
export function lineTicks(facts: MapFacts, node: number): LineTicks {
  const range = messagesOf(facts, node)
  const withTrait = (trait: number) => {
    const found: number[] = []
    for (let at = range.from; at < range.to; at++)
      if (((facts.traits[at] ?? 0) & trait) !== 0) found.push(at)
    return found
  }
  const failures: number[] = []
  eachRecord(facts.failures, 1, range, (at) => failures.push(facts.failures[at] ?? 0))
  return {
    ownWords: withTrait(messageTrait.human),
    failures,
    compactions: withTrait(messageTrait.boundary),
  }
}

/** Returns where a message is in its node, as a share of the node's entries from 0 to 1. */
export function shareInNode(facts: MapFacts, node: number, message: number): number {
  const { entries } = facts
  const { from, to } = messagesOf(facts, node)
  const first = entries[from] ?? 0
  return ((entries[message] ?? first) - first) / Math.max(1, (entries[to] ?? first) - first)
}

/** Returns the times of a node's first and last message, in Unix ms; NaN where none has a time. */
export function timesOfNode(facts: MapFacts, node: number): readonly [first: number, last: number] {
  const { from, to } = messagesOf(facts, node)
  let first = Number.NaN
  let last = Number.NaN
  for (let at = from; at < to; at++) {
    const ms = facts.times[at] ?? 0
    if (ms === 0) continue
    if (!(first <= ms)) first = ms
    if (!(last >= ms)) last = ms
  }
  return [first, last]
}
