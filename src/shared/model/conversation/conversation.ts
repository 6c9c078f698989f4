import { z } from 'zod'
import { BackupReason } from '../backup/backup'
import { TitleGiver } from '../basics/title'
import { LabelColor } from './label'
import { SourceId } from './sources'

/** Names a conversation inside its source; chibi's is the context's name. */
export const ConversationKey = z.string().min(1).max(512).brand<'ConversationKey'>()
export type ConversationKey = z.infer<typeof ConversationKey>

/**
 * Names a conversation among all of the library: the context's name for one of our home, `source:key` for any other.
 *
 * A context's name holds no colon, so the two are never taken for each other.
 */
export const LibraryKey = z.string().min(1).max(600).brand<'LibraryKey'>()
export type LibraryKey = z.infer<typeof LibraryKey>

/** Makes the library key of a conversation from its source and its own key. */
export function libraryKeyOf(source: string, key: string): LibraryKey {
  return LibraryKey.parse(source === 'chibi' ? key : `${source}:${key}`)
}

/** Splits a library key into the source and the conversation's own key. */
export function parseLibraryKey(key: LibraryKey | string): {
  readonly source: string
  readonly key: ConversationKey
} {
  const colon = key.indexOf(':')
  return colon === -1
    ? { source: 'chibi', key: key as string as ConversationKey }
    : { source: key.slice(0, colon), key: key.slice(colon + 1) as ConversationKey }
}

/** State of a context's lock: free, held by this process, or held by another. */
export const LockState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('free') }),
  /** This process holds it. */
  z.object({ state: z.literal('ours') }),
  z.object({
    state: z.literal('held'),
    /** Who, in words: "another Skein (process 4711)", "chibi". */
    holder: z.string(),
    /** Unix seconds of the holder's last heartbeat. */
    beatAt: z.number(),
    /** Unix seconds at which the lock is stale when no further beat comes. */
    staleAt: z.number(),
  }),
])
export type LockState = z.infer<typeof LockState>

/** One row of the library. */
export const ConversationSummary = z.object({
  source: SourceId,
  key: LibraryKey,
  /** The title that people see: the one given in Skein, else the stored one (chibi: the context's name), else the first human text, else the key. */
  title: z.string(),
  /** Set where it was given in Skein. */
  titled: TitleGiver.optional(),
  /** Those that a person gave it in Skein, in their order; absent where there are none. */
  tags: z.array(z.string()).optional(),
  /** A person keeps it at the top of the library. */
  pinned: z.literal(true).optional(),
  /** Given by a person in Skein. */
  color: LabelColor.optional(),
  /** A person keeps it out of the library's list. */
  hidden: z.literal(true).optional(),
  project: z.string().nullable(),
  /** ISO 8601 in UTC, or null where it is not known. */
  created: z.string().nullable(),
  updated: z.string().nullable(),
  /** Entries in all files; undefined while nobody has counted. */
  entries: z.int().optional(),
  bytes: z.int(),
  damaged: z.int().optional(),
  /** The model that came in last; undefined while nobody has counted, and where no entry names one. */
  model: z.string().optional(),
  lock: LockState,
  /** A run of ours is writing its answer. */
  running: z.boolean(),
  /** Set when the conversation cannot be read: why, in words. */
  unreadable: z.string().optional(),
  /** Its files are gone from the disk; what was known of it stays listed. */
  gone: z.literal(true).optional(),
  /** It is read from a backup, and why. */
  backup: BackupReason.optional(),
  /** Nobody has read it yet: the title is its own name or a stored one, and the time that of its files. */
  provisional: z.literal(true).optional(),
})
export type ConversationSummary = z.infer<typeof ConversationSummary>

/** A message that waits in a context's inbox. */
export const InboxItem = z.object({
  id: z.string(),
  from: z.string(),
  text: z.string(),
  /** Unix seconds, as it was sent; from a file, so it may be any number. */
  at: z.number(),
})
export type InboxItem = z.infer<typeof InboxItem>

/** Content of the side files that chibi keeps with a context's transcript. */
export const ContextSideFiles = z.object({
  /** Messages that wait for the context's next prompt, oldest first; the first hundred. */
  inbox: z.array(InboxItem),
  /** All that wait. */
  inboxCount: z.int(),
  /** Lines of the inbox that are no message. */
  inboxDamaged: z.int(),
  /** It has a `system_prompt.md` of its own. */
  hasSystemPrompt: z.boolean(),
  /** chibi takes it where no context is named, or did so before. */
  mark: z.enum(['current', 'previous']).nullable(),
  /** Unix seconds: chibi deletes the context at its next start after that. */
  expiresAt: z.number().nullable(),
  /** Messages in the context's `transcript.md`; they are not shown. */
  pageMessages: z.int(),
  /** The text that the last compaction kept, where there is no `summary.md`. */
  keptSummary: z.string().optional(),
  /** Parts that could not be read, one sentence each. */
  notices: z.array(z.string()),
})
export type ContextSideFiles = z.infer<typeof ContextSideFiles>

/** Details of an open conversation, for the right pane. */
export const ConversationDetails = z.object({
  summary: ConversationSummary,
  /** As people write it: `~/.chibi/contexts/garden`. */
  folder: z.string(),
  /** Archived ones. */
  partitions: z.int(),
  models: z.array(z.string()),
  lines: z.int(),
  blank: z.int(),
  damaged: z.int(),
  /** Partitions that the manifest did not list and that were read all the same. */
  strays: z.array(z.string()),
  /** Notices of the reading: a damaged manifest, a missing partition; one sentence each. */
  notices: z.array(z.string()),
  todos: z.string().optional(),
  goals: z.string().optional(),
  contextSummary: z.string().optional(),
  /** Of chibi's contexts alone. */
  beside: ContextSideFiles.optional(),
})
export type ConversationDetails = z.infer<typeof ConversationDetails>

const contextNamePattern = /^[A-Za-z0-9_-]{1,128}$/
// chibi tells a person's words from the model's by `to == "user"`; a context of that name confuses the two.
const reservedContextNames = new Set(['user', 'system'])

/** Says in words why a context cannot have this name; undefined when it can. chibi's rule, and 0.10's refusal of a leading dash. */
export function contextNameFault(name: string): string | undefined {
  if (name === '') return 'A name is needed.'
  if (!contextNamePattern.test(name))
    return 'Only letters, digits, "-" and "_" (no spaces), 128 at most.'
  if (name.startsWith('-')) return 'A name may not begin with "-".'
  if (reservedContextNames.has(name.toLowerCase())) return `"${name}" is reserved.`
  return undefined
}
