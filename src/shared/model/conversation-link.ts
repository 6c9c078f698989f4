import { z } from 'zod'
import { LibraryKey } from './conversation/conversation'
import { EntryId } from './conversation/entry'

/** Scheme of links to conversations, which a package registers. */
export const linkScheme = 'skein'

/** Place that a link names: a conversation, and the entry in it where the link names one. */
export const LinkedPlace = z.object({
  key: LibraryKey,
  entry: EntryId.min(1).max(600).optional(),
})
export type LinkedPlace = z.infer<typeof LinkedPlace>

const form = /^skein:\/\/conversation\/([^/?#\s]+)\/?(?:#([^\s]*))?$/i
/** Far above what a key and an id take when each byte is escaped. */
const longestLink = 16_384

/**
 * Writes the link to a conversation, or to an entry of it: `skein://conversation/KEY#ENTRY`, both escaped as in any
 * address. Undefined where no address can hold it: half of a character, or a key of dots that addresses leave out.
 */
export function formatConversationLink({ key, entry }: LinkedPlace): string | undefined {
  if (key === '.' || key === '..') return undefined
  try {
    const place = `${linkScheme}://conversation/${encodeURIComponent(key)}`
    return entry === undefined ? place : `${place}#${encodeURIComponent(entry)}`
  } catch {
    return undefined
  }
}

/** Returns true for the link that opens the quick entry, `skein://new`: it carries no text. */
export function isQuickEntryLink(text: string): boolean {
  return /^skein:\/\/new\/?$/i.test(text)
}

/** Parses such a link, which may come from anywhere; undefined for every other text. */
export function parseConversationLink(text: string): LinkedPlace | undefined {
  if (text.length > longestLink) return undefined
  const [, key, entry] = form.exec(text) ?? []
  if (key === undefined) return undefined
  try {
    const place = {
      key: decodeURIComponent(key),
      ...(entry ? { entry: decodeURIComponent(entry) } : {}),
    }
    return LinkedPlace.safeParse(place).data
  } catch {
    return undefined // Escapes that are no UTF-8.
  }
}
