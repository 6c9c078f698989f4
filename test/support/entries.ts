import { randomUUID } from 'node:crypto'
import { type EntryDraft, EntryId } from '../../src/shared/model/conversation/entry'

/** A person's message to a context, with a fresh id. */
export function message(content: string, fields: Partial<EntryDraft> = {}): EntryDraft {
  return {
    id: EntryId.parse(randomUUID()),
    timestamp: 1_780_000_000,
    from: 'mira',
    to: 'garden',
    content,
    entry_type: 'message',
    role: 'user',
    ...fields,
  }
}

/** A line as a file holds it, without its line feed. */
export function jsonLine(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    id: 'a',
    timestamp: 1,
    from: 'mira',
    to: 'garden',
    content: 'hello',
    entry_type: 'message',
    ...fields,
  })
}
