import { callFingerprint } from './entry-identity'
import { conversationIdentity } from './growth'
import type { MergedTree } from './merge'
import { hasTrait } from './message-traits'
import type { Outline } from './outline'

/**
 * Finds where the subagents of a merged tree were called: for the first place of each, the place of the call. A call
 * that cannot be found is the last message that its conversation had by then. Linear in the messages.
 */
export function calledFrom(tree: MergedTree): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  const own = new Map(tree.outlines.map((outline, i) => [conversationIdentity(outline), i]))
  let calls: ReadonlyMap<number, number> | undefined
  for (const [i, outline] of tree.outlines.entries()) {
    const { subagentOf, source } = outline
    if (subagentOf === undefined) {
      insideOf(tree, i, found)
      continue
    }
    const root = tree.places[i]?.[0] ?? -1
    const caller = own.get(conversationIdentity({ source, key: subagentOf.key }))
    calls ??= callPlaces(tree)
    const call =
      subagentOf.call === undefined ? undefined : calls.get(callFingerprint(subagentOf.call))
    const place = call ?? (caller === undefined ? undefined : placeAt(tree, caller, outline))
    if (root !== -1 && place !== undefined) found.set(root, place)
  }
  return found
}

/** Returns true where a place is a subagent's. */
export function isSubagentPlace({ outlines, owner, message }: MergedTree, place: number): boolean {
  const outline = outlines[owner[place] ?? -1]
  if (outline === undefined) return false
  return outline.subagentOf !== undefined || hasTrait(outline, message[place] ?? 0, 'aside')
}

/** Subagents in the file of their caller: their first message comes after the call. */
function insideOf(tree: MergedTree, i: number, found: Map<number, number>): void {
  const outline = tree.outlines[i]
  let last = -1
  tree.places[i]?.forEach((place, message) => {
    if (outline === undefined || place === -1) return
    if (!hasTrait(outline, message, 'aside')) last = place
    else if (tree.parent[place] === -1 && last !== -1) found.set(place, last)
  })
}

/** By the fingerprint of a message's only call. */
function callPlaces(tree: MergedTree): ReadonlyMap<number, number> {
  const places = new Map<number, number>()
  tree.outlines.forEach(({ tools }, i) => {
    tools.forEach((call, message) => {
      const place = tree.places[i]?.[message] ?? -1
      if (call !== 0 && place !== -1 && !places.has(call)) places.set(call, place)
    })
  })
  return places
}

function placeAt(tree: MergedTree, caller: number, { createdMs }: Outline): number | undefined {
  const { times = [], leaf = -1 } = tree.outlines[caller] ?? {}
  const by = createdMs ?? Number.POSITIVE_INFINITY
  const message = times.findLastIndex((time) => time !== 0 && time <= by)
  const place = tree.places[caller]?.[message === -1 ? leaf : message] ?? -1
  return place === -1 ? undefined : place
}
