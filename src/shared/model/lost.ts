import { z } from 'zod'
import { LibraryKey } from './conversation/conversation'
import { SourceId } from './conversation/sources'
import { DamagedLine } from './conversation/transcript'

/** Reason why a conversation or a file is among the lost. */
export const LostKind = z.enum([
  /** Lines of it are damaged. */
  'damaged',
  /** It cannot be read at all. */
  'unreadable',
  /** Its files were there, and are not any more. */
  'gone',
  /** Something was noticed when it was read: a partition that the manifest does not list, a damaged manifest. */
  'noticed',
  /** A file with lines that no conversation has. */
  'unplaced',
])
export type LostKind = z.infer<typeof LostKind>

/** A conversation, or a file without one, of which not everything could be shown where it belongs. */
export const LostItem = z.object({
  kind: LostKind,
  source: SourceId,
  /** Undefined for a file that no conversation has. */
  key: LibraryKey.optional(),
  title: z.string(),
  /** Damaged or unplaced lines; 0 where lines are not what it is about. */
  lines: z.int().nonnegative(),
  /** One sentence each, of what was noticed or went wrong. */
  words: z.array(z.string()),
  /** As people write it: where it lies, or lay. */
  place: z.string(),
  /** The first of the lines, where no conversation can be asked for them. */
  damaged: z.array(DamagedLine).optional(),
})
export type LostItem = z.infer<typeof LostItem>

/** Everything that is not where it belongs. */
export const LostAndFound = z.object({
  /** The most pressing kinds first. */
  items: z.array(LostItem),
  /** Conversations that were counted whole, and those that still wait for it. */
  counted: z.int(),
  waiting: z.int(),
  /** Those that are so large that they are counted when they are opened. */
  large: z.int(),
})
export type LostAndFound = z.infer<typeof LostAndFound>

/** The damaged lines of one conversation, or of a file without one: the first of them. */
export const LostLines = z.object({
  lines: z.array(DamagedLine),
  /** All there are. */
  total: z.int(),
})
export type LostLines = z.infer<typeof LostLines>
