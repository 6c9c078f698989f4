import { z } from 'zod'
import { LibraryKey, parseLibraryKey } from './conversation'
import { EntryId } from './entry'
import { Label } from './label'

/** A label with the entry that it is on. */
export const EntryLabel = Label.extend({
  /** The conversation in which it was given. */
  key: LibraryKey,
  entry: EntryId,
  /** When it was given, Unix seconds. */
  at: z.number(),
  /** The entry may be elsewhere: nothing tells whether the conversation of that name is still the same one. */
  isAway: z.literal(true).optional(),
})
export type EntryLabel = z.infer<typeof EntryLabel>

/** Most labels of one home, and of all other systems together. */
export const mostLabels = 10_000

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Returns true where an id names the same entry in every conversation that has it: a UUID of one of our contexts, which
 * a branch keeps with its copies. Ids of other systems, such as `L12`, mean an entry of their own conversation.
 */
export function isSameEverywhere(key: LibraryKey, entry: string): boolean {
  return parseLibraryKey(key).source === 'chibi' && uuid.test(entry)
}

/** Labels by the entries of any conversation. */
export interface LabelIndex {
  /** Finds the label of an entry as it is shown in a conversation. */
  of(key: LibraryKey, entry: string): EntryLabel | undefined
  /** Lists the labels that were given in a conversation, in the order of the file. */
  givenIn(key: LibraryKey): readonly EntryLabel[]
}

/** Makes an index of labels; of two on one entry the later one counts. Linear in the labels. */
export function indexLabels(labels: readonly EntryLabel[]): LabelIndex {
  const everywhere = new Map<string, EntryLabel>()
  const byKey = new Map<LibraryKey, Map<string, EntryLabel>>()
  for (const label of labels) {
    const { key, entry } = label
    if (isSameEverywhere(key, entry)) everywhere.set(entry, label)
    const own = byKey.get(key)
    if (own === undefined) byKey.set(key, new Map([[entry, label]]))
    else own.set(entry, label)
  }
  return {
    of: (key, entry) =>
      isSameEverywhere(key, entry) ? everywhere.get(entry) : byKey.get(key)?.get(entry),
    givenIn: (key) => [...(byKey.get(key)?.values() ?? [])],
  }
}
