import { messagesOf } from './fact-sums'
import type { MapFacts } from './family-map'

/** Facts of some messages, and where these are among all. */
export interface KeptFacts {
  readonly facts: MapFacts
  /** By kept message, its position among all. */
  readonly messages: readonly number[]
}

/**
 * Keeps the facts of some messages of some nodes, in the same order, as if there were no others. Linear in the facts.
 *
 * @param nodes positions, ascending
 * @param isKept by message: 1 where it is kept; messages of other nodes are not
 */
export function keepMessages(
  facts: MapFacts,
  nodes: readonly number[],
  isKept: Uint8Array,
): KeptFacts {
  /** By message, its new position; -1 where it is not kept. */
  const moved = new Int32Array(facts.traits.length).fill(-1)
  const kept: number[] = []
  const starts = [0]
  const entries = [0]
  const ids: MapFacts['ids'] = []
  for (const node of nodes) {
    const { from, to } = messagesOf(facts, node)
    for (let at = from; at < to; at++) {
      if (isKept[at] !== 1) continue
      moved[at] = kept.push(at) - 1
      for (let id = facts.entries[at] ?? 0; id < (facts.entries[at + 1] ?? 0); id++) {
        const entry = facts.ids[id]
        if (entry !== undefined) ids.push(entry)
      }
      entries.push(ids.length)
    }
    starts.push(kept.length)
  }
  const records = (list: readonly number[], size: number) => {
    const found: number[] = []
    for (let at = 0; at < list.length; at += size) {
      const message = moved[list[at] ?? -1] ?? -1
      if (message >= 0) found.push(message, ...list.slice(at + 1, at + size))
    }
    return found
  }
  const keptFacts = {
    ...facts,
    starts,
    entries,
    ids,
    traits: kept.map((at) => facts.traits[at] ?? 0),
    times: kept.map((at) => facts.times[at] ?? 0),
    models: kept.map((at) => facts.models[at] ?? 0),
    calls: records(facts.calls, 2),
    failures: records(facts.failures, 1),
    usages: records(facts.usages, 5),
  }
  return { facts: keptFacts, messages: kept }
}
