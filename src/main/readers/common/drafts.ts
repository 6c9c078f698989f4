import type { JsonObject } from '../../../shared/model/basics/json-object'
import { rfc3339Seconds } from '../../../shared/model/basics/time'
import { ConversationKey } from '../../../shared/model/conversation/conversation'
import type { SubagentOrigin } from '../../../shared/model/family/family'
import type { NamelessEntry } from './value-meaning'

/** An entry that a record gives, before it has the record's time. */
export type TimelessEntry = Omit<NamelessEntry, 'timestamp'>

/** Fields of metadata. */
export type Fields = Readonly<Record<string, unknown>>

/** Returns a text as it is, nothing for none, anything else as JSON. */
export function jsonText(value: unknown): string {
  if (typeof value === 'string') return value
  return value == null ? '' : JSON.stringify(value)
}

/** Returns a text that is not empty; undefined for anything else. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Returns the key of a conversation that a record names; undefined for what can be none, such as a text that is too long. */
export function keyIn(value: unknown): ConversationKey | undefined {
  return ConversationKey.safeParse(textIn(value)).data
}

/** Returns a text without the white space around it; undefined for an empty one and for anything else. */
export function trimmedIn(value: unknown): string | undefined {
  return textIn(value)?.trim()
}

/** Returns the time that an RFC 3339 text tells, in Unix seconds; undefined for anything else. */
export function timeIn(value: unknown): number | undefined {
  return typeof value === 'string' ? rfc3339Seconds(value) : undefined
}

/** Converts Unix milliseconds to seconds; undefined for anything that is no time. */
export function secondsOfMs(ms: unknown): number | undefined {
  return typeof ms === 'number' && Number.isFinite(ms) && ms > 0 ? ms / 1000 : undefined
}

/** Returns the fields of a record that have no place of their own in its entry, as `raw_fields`; nothing where there are none. */
export function rawFieldsOf(
  record: JsonObject,
  known: ReadonlySet<string>,
): { readonly raw_fields?: Fields } {
  const others = Object.entries(record).filter(([key, value]) => value !== null && !known.has(key))
  return others.length === 0 ? {} : { raw_fields: Object.fromEntries(others) }
}

/** Adds metadata to an entry, where there is any. */
export function withFields(entry: TimelessEntry, metadata: Fields): TimelessEntry {
  const all = { ...entry.metadata, ...metadata }
  return Object.keys(all).length === 0 ? entry : { ...entry, metadata: all }
}

/** Makes the entry of a record of an unknown kind: nobody knows what matters in it, and so it is kept as it is. */
export function unknownEntry(source: string, rawType: string, text: string): TimelessEntry {
  return {
    from: source,
    to: 'user',
    content: text.trim(),
    entry_type: 'unknown',
    metadata: { raw_type: rawType },
  }
}

/** The conversation that called a subagent, as its own fact names it. */
interface CallerFacts {
  readonly parent: { readonly key: string; readonly entries: 0 } | null
  readonly subagentOf?: SubagentOrigin
}

/**
 * Returns what says of a subagent's conversation which one called it, and by which call. Files name callers anyhow: one that no
 * conversation can be named (empty, or longer than a key) is none.
 */
export function callerFacts(caller: unknown, call?: string): CallerFacts {
  const key = ConversationKey.safeParse(caller).data
  if (key === undefined) return { parent: null }
  const by = call === undefined ? { key } : { key, call }
  return { parent: { key, entries: 0 }, subagentOf: by }
}
