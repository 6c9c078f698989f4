import { joinFingerprints } from '../basics/fingerprint'
import { hasTrait } from './message-traits'
import type { Outline } from './outline'

/** The entries at a conversation's beginning of which its keys are made. */
export const keyedEntries = 24

/**
 * Lists the keys of a conversation that its relatives share: two that have no key in common share no prefix. Few
 * enough to be kept with the library's row, so that outlines are made only of conversations that have a relative.
 * They are made of its own keys, its origin's and that of who called it, and of its first `keyedEntries`: the first message's id, the
 * first tool calls, and the first two messages beyond the system prompt (one alone, a greeting, makes no family).
 */
export function blockingKeys(outline: Outline): readonly string[] {
  const signs = [outline.key, ...outline.formerKeys].map(
    (key) => `conversation ${outline.source} ${key}`,
  )
  if (outline.origin !== undefined)
    signs.push(`conversation ${outline.origin.source} ${outline.origin.key}`)
  if (outline.subagentOf !== undefined)
    signs.push(`conversation ${outline.source} ${outline.subagentOf.key}`)
  const first = hasTrait(outline, 0, 'ownAnchor') ? 1 : 0
  if (first < outline.marks.length && hasTrait(outline, first, 'byId'))
    signs.push(`id ${outline.marks[first]}`)
  const tool = outline.tools.find(
    (fingerprint, at) => fingerprint !== 0 && (outline.starts[at] ?? 0) < keyedEntries,
  )
  if (tool !== undefined) signs.push(`tool ${tool}`)
  const text = openingFingerprint(outline)
  if (text !== undefined) signs.push(`text ${text}`)
  return signs
}

/** Groups conversations that may be relatives, by position; groups and their members keep the order given. Near-linear. */
export function groupRelatives(
  signs: readonly (readonly string[])[],
): readonly (readonly number[])[] {
  const leaders = Int32Array.from(signs, (_, i) => i)
  const lead = (member: number): number => {
    let at = member
    while (leaders[at] !== at) {
      // Halves the way for the next one who asks.
      leaders[at] = leaders[leaders[at] ?? at] ?? at
      at = leaders[at] ?? at
    }
    return at
  }
  const firstWith = new Map<string, number>()
  signs.forEach((own, i) => {
    for (const sign of own) {
      const other = firstWith.get(sign)
      if (other === undefined) firstWith.set(sign, i)
      else {
        const a = lead(i)
        const b = lead(other)
        leaders[Math.max(a, b)] = Math.min(a, b)
      }
    }
  })
  const groups = new Map<number, number[]>()
  signs.forEach((_, i) => {
    const group = groups.get(lead(i))
    if (group === undefined) groups.set(lead(i), [i])
    else group.push(i)
  })
  return [...groups.values()]
}

/** The fingerprint of everything up to the second message that is no system prompt; undefined for conversations with fewer. */
function openingFingerprint(outline: Outline): number | undefined {
  let fingerprint = 0
  let messages = 0
  for (let at = 0; at < outline.marks.length; at++) {
    if ((outline.starts[at] ?? 0) >= keyedEntries) return undefined
    // Copies keep ids: equal texts under two ids are two messages.
    if (hasTrait(outline, at, 'byId')) return undefined
    fingerprint = joinFingerprints(fingerprint, outline.marks[at] ?? 0)
    if (!hasTrait(outline, at, 'system')) messages++
    if (messages === 2) return fingerprint
  }
  return undefined
}
