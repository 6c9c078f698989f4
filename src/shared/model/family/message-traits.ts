import { type Entry, isAnchor, speakerOf } from '../conversation/entry'
import { cannotRepeat } from './entry-identity'
import { contextOrigin } from './family'
import { isOfHuman, isOfMachine, isOfSubagent } from './tree-record'

/** Traits of a message, as bits of `Outline.traits`. */
export const messageTrait = {
  human: 1,
  system: 2,
  snipped: 4,
  byId: 8,
  ownAnchor: 16,
  machine: 32,
  boundary: 64,
  result: 128,
  aside: 256,
} as const

/** Returns true where a message of an outline has the trait. */
export function hasTrait(
  { traits }: { readonly traits: readonly number[] },
  message: number,
  which: keyof typeof messageTrait,
): boolean {
  return ((traits[message] ?? 0) & messageTrait[which]) !== 0
}

/** Computes the bits of an entry; a message has those of all its entries. */
export function entryTraits(
  entry: Pick<Entry, 'id' | 'to' | 'content' | 'entry_type' | 'role' | 'metadata'>,
): number {
  const speaker = speakerOf(entry)
  const isSystem = speaker === 'system' || isAnchor(entry) || entry.entry_type.startsWith('system_')
  return (
    (isOfHuman(entry) ? messageTrait.human : 0) |
    (isOfMachine(entry) ? messageTrait.machine : 0) |
    (isSystem ? messageTrait.system : 0) |
    (entry.content.endsWith(snip) ? messageTrait.snipped : 0) |
    (cannotRepeat(entry.id) ? messageTrait.byId : 0) |
    (contextOrigin(entry) === undefined ? 0 : messageTrait.ownAnchor) |
    (entry.entry_type === 'compaction' ? messageTrait.boundary : 0) |
    (entry.entry_type === 'tool_result' ? messageTrait.result : 0) |
    (isOfSubagent(entry) ? messageTrait.aside : 0)
  )
}

/** cycod ends a text that it cut with this, and puts it in the place of old tool results. */
const snip = '...snip...'
