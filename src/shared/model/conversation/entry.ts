import { z } from 'zod'
import { Label } from './label'

/** Identifies an entry inside its conversation. chibi writes UUIDs; sources without ids get `L<line>`. */
export const EntryId = z.string().brand<'EntryId'>()
export type EntryId = z.infer<typeof EntryId>

/**
 * Span of an entry's source line: bytes `offset` to `offset + length` of `file`, which is relative to the root that
 * was read.
 */
export const LineSpan = z.object({
  file: z.string(),
  /** Counts from 1. Absent where the file was read from its end and nobody has counted. */
  line: z.int().positive().optional(),
  /** In bytes from the start of the file. */
  offset: z.int().nonnegative(),
  /** In bytes, without the line feed. */
  length: z.int().nonnegative(),
})
export type LineSpan = z.infer<typeof LineSpan>

/** Role of a speaker. chibi writes `agent`, never `assistant`. */
export const Role = z.enum(['user', 'agent', 'system'])
export type Role = z.infer<typeof Role>

/** An entry before it has a place: what a writer appends. The field order is the order on disk. */
export const EntryDraft = z.object({
  id: EntryId,
  /** Unix seconds; null where the source has no time. */
  timestamp: z.number().nullable(),
  from: z.string(),
  to: z.string(),
  content: z.string(),
  /** Unknown types are kept and shown raw. */
  entry_type: z.string(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  tool_call_id: z.string().optional(),
  role: Role.optional(),
  flow_control: z.boolean().optional(),
})
export type EntryDraft = z.infer<typeof EntryDraft>

/**
 * One entry of a conversation, in chibi's shape; everything Skein shows is one of these.
 *
 * What a format has and chibi has not goes into `metadata` under a stable key
 * (`reasoning, attachments, images, reaction, audio, usage, model, project, raw_type`).
 */
export const Entry = EntryDraft.extend(LineSpan.shape).extend({
  /** The entry before this one, for formats with parent ids. */
  parent: EntryId.nullable().optional(),
  /** A fork's file repeats this entry of its parent. */
  inherited: z.literal(true).optional(),
  /** Given in Skein. Readers know none; what prints or exports entries puts it there. */
  label: Label.optional(),
  /** The window has its beginning alone: so many characters the whole content has. */
  wholeLength: z.int().optional(),
})
export type Entry = z.infer<typeof Entry>

/** The entry type of an error of a run in a transcript; chibi skips types it does not know. */
export const runErrorType = 'run_error'

/** Entry types that begin a new window for the model. */
const anchorTypes: ReadonlySet<string> = new Set(['context_created', 'compaction', 'archival'])

/** Returns true for chibi's anchors; the last one of a transcript begins the context window. */
export function isAnchor(entry: Pick<Entry, 'entry_type'>): boolean {
  return anchorTypes.has(entry.entry_type)
}

/** Message of a model by `call_user`, and the call's other arguments. */
export interface CallUserMessage {
  readonly words: string
  /** JSON; absent where there is none. */
  readonly others?: string
}

/**
 * Reads the message of a `call_user`. chibi up to 0.9 ends a turn so, and stores the message as the call's argument
 * alone. Undefined for any other entry, and for a call without a message.
 */
export function callUserMessage(
  entry: Pick<Entry, 'entry_type' | 'to' | 'content'>,
): CallUserMessage | undefined {
  if (!isCallUser(entry)) return undefined
  try {
    const args: unknown = JSON.parse(entry.content)
    if (typeof args !== 'object' || args === null || !('message' in args)) return undefined
    const { message, ...others } = args
    if (typeof message !== 'string' || message.trim() === '') return undefined
    return Object.keys(others).length === 0
      ? { words: message }
      : { words: message, others: JSON.stringify(others) }
  } catch {
    // Arguments as a model streamed them: what is no JSON is shown as any other call.
    return undefined
  }
}

/** Returns true where the entry is a call of `call_user`, with or without a text. */
export function isCallUser(entry: Pick<Entry, 'entry_type' | 'to'>): boolean {
  return entry.entry_type === 'flow_control_call' && entry.to === 'call_user'
}

/**
 * Returns the speaker, by the rules of all versions of chibi: the role where there is one, else `to` decides; a
 * `call_user` with a text is the model's. Undefined for entries that nobody speaks.
 */
export function speakerOf(
  entry: Pick<Entry, 'entry_type' | 'role' | 'to' | 'content'>,
): Role | undefined {
  if (entry.entry_type !== 'message')
    return callUserMessage(entry) === undefined ? undefined : 'agent'
  return entry.role ?? (entry.to === 'user' ? 'agent' : 'user')
}

/** Tells whether an entry is a message that a person wrote; readers mark what a tool put into a person's mouth. */
export function isWrittenByPerson(
  entry: Pick<Entry, 'entry_type' | 'role' | 'to' | 'content' | 'metadata'>,
): boolean {
  return (
    entry.entry_type === 'message' &&
    speakerOf(entry) === 'user' &&
    entry.metadata?.injected !== true
  )
}

/** chibi writes the local time in front of a person's words, for the model; people see it as the entry's time. */
const chibiTimePrefix = /^\[\d{8}-\d{4}[+-]\d{4}\] /

/** Returns the text of a `call_user`, and the content of any other entry. */
export function spokenText(entry: Pick<Entry, 'entry_type' | 'to' | 'content'>): string {
  return callUserMessage(entry)?.words ?? entry.content
}

/** Returns the text as people see it: `spokenText` without chibi's time prefix on a person's message. */
export function shownText(entry: Pick<Entry, 'entry_type' | 'role' | 'to' | 'content'>): string {
  return speakerOf(entry) === 'user'
    ? entry.content.replace(chibiTimePrefix, '')
    : spokenText(entry)
}
