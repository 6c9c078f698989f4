import { z } from 'zod'
import { LibraryKey } from '../conversation/conversation'
import { SourceId } from '../conversation/sources'

/**
 * Name in a history that its reader does not know: of a type of records or parts, or of a field. Written as a path, such as
 * `message.content/tool_use.caller`: a slash before a type, a dot before a field. From a file: hostile, at most 80 units.
 */
export interface UnknownName {
  readonly what: 'type' | 'field'
  readonly name: string
}

/** Line of a file. */
export interface DriftLine {
  /** As the conversation's places name it. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /**
   * Offset in bytes of the line, or of the nearest one that a transcript shows: many lines are no entry. Null where the file has
   * no entry.
   */
  readonly shownAt: number | null
}

/** A name with the number of lines that have it, and the first of them. */
export interface CountedName extends UnknownName, DriftLine {
  readonly lines: number
}

/** A newer version of the system than the newest proved one, with the first line that names it. */
export interface FoundVersion extends DriftLine {
  readonly version: string
}

/** Names and versions in a conversation that its reader does not know. Plain data, and small whatever is in the file. */
export interface ConversationDrift {
  /** In the order of their first lines. */
  readonly names: readonly CountedName[]
  /** True where there are more names than are kept. */
  readonly isCut: boolean
  /** The newest one; absent where none is newer than the proved one. */
  readonly version?: FoundVersion
}

/** Place of a line in the library. */
export const DriftPlace = z.object({
  key: LibraryKey,
  file: z.string(),
  line: z.int().positive(),
  shownAt: z.int().nonnegative().nullable(),
  /** The real file, as people write it: of a conversation inside of an export that one. */
  shown: z.string(),
  /** The thing that `line` counts: lines of that file, or messages of a conversation inside of it. */
  unit: z.enum(['line', 'message']),
})
export type DriftPlace = z.infer<typeof DriftPlace>

/** Name that a source's reader does not know, with a place to look at one. */
export const SourceDriftName = z.object({
  what: z.enum(['type', 'field']),
  name: z.string(),
  lines: z.int().positive(),
  conversations: z.int().positive(),
  place: DriftPlace,
})
export type SourceDriftName = z.infer<typeof SourceDriftName>

/** Types, fields and versions in the histories of a source that its reader does not know. */
export const SourceDrift = z.object({
  source: SourceId,
  /** Newest version whose files were proved; null where files name none. */
  proved: z.string().nullable(),
  /** Conversations that were read and checked. */
  checked: z.int().nonnegative(),
  /** Conversations that were not. */
  unchecked: z.int().nonnegative(),
  /** Conversations with a name that is not known. */
  changed: z.int().nonnegative(),
  /** Most conversations first. */
  names: z.array(SourceDriftName),
  /** True where there are more names than are listed. */
  isCut: z.boolean(),
  /** Newest version, where it is newer than the proved one. */
  newer: z
    .object({ version: z.string(), conversations: z.int().positive(), place: DriftPlace })
    .nullable(),
})
export type SourceDrift = z.infer<typeof SourceDrift>
