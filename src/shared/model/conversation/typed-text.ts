import { type Entry, shownText } from './entry'

/**
 * Returns the text that a person typed, where our run sent more or another text; else the message as people see it. In
 * an adopted entry `typed` comes from the other system and is not believed.
 */
export function typedTextOf(entry: Entry): string {
  const { typed, adopted } = entry.metadata ?? {}
  return typeof typed === 'string' && adopted === undefined ? typed : shownText(entry)
}
