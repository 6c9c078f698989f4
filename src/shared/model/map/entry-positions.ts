import { type LibraryKey, libraryKeyOf } from '../conversation/conversation'
import { isSameEverywhere } from '../conversation/entry-labels'
import { messagesOf } from './fact-sums'
import type { FamilyMap } from './family-map'

/** Finds the message of an entry by a conversation that has it; undefined where the map has it under another name. */
export type EntryPositions = (key: LibraryKey, entry: string) => number | undefined

/** Indexes the entries of a map. Linear in them. */
export function entryPositions({ nodes, facts }: FamilyMap): EntryPositions {
  const positions = new Map<string, number>()
  nodes.forEach(({ source, key }, node) => {
    const owner = libraryKeyOf(source, key)
    const { from, to } = messagesOf(facts, node)
    for (let message = from; message < to; message++)
      for (let at = facts.entries[message] ?? 0; at < (facts.entries[message + 1] ?? 0); at++)
        positions.set(nameOf(owner, facts.ids[at] ?? ''), message)
  })
  return (key, entry) => positions.get(nameOf(key, entry))
}

/** Equal for the copies of an entry that have one id. */
function nameOf(key: LibraryKey, entry: string): string {
  return isSameEverywhere(key, entry) ? entry : `${key} ${entry}`
}
