import { z } from 'zod'
import type { Entry } from './entry'

/**
 * Output of a tool that its system moved into a file beside the conversation: `metadata.saved_output` of the result, whose content has
 * the system's own words about it, or the output itself once it was read (`shown`).
 */
export const SavedOutput = z.object({
  /** The file's name, below the folder where the system keeps such. */
  file: z.string(),
  /** The stretch of the content in whose place the output belongs, in UTF-16 units; once it was read, the output. */
  from: z.int().nonnegative(),
  to: z.int().nonnegative(),
  /** Size of the file, once it was looked for. */
  bytes: z.int().nonnegative().optional(),
  /** Bytes of it that are in the content, from its beginning. */
  shown: z.int().nonnegative().optional(),
  /** Why nothing of it is in the content, once it was looked for. */
  missing: z.enum(['gone', 'link', 'unreadable']).optional(),
})
export type SavedOutput = z.infer<typeof SavedOutput>

/** A folder in which a system saves outputs, as a way that no link may be on. */
export interface SavedOutputFolder {
  /** A folder of the system. */
  readonly base: string
  /** Below it, with slashes. */
  readonly below: string
}

/** Rules by which a system saves outputs of tools beside its conversations. */
export interface SavedOutputs {
  /** A run of ASCII letters that each line of a conversation has which names such a file. */
  readonly mark: string
  /**
   * Finds the folder for a conversation; undefined where it can have none.
   *
   * @param file of the conversation; the folder is absolute where it is
   */
  readonly folderOf: (file: string) => SavedOutputFolder | undefined
  /**
   * Names a file below that folder, with slashes, by a path that a conversation gives, or by such a name; undefined where nothing there can be
   * meant. `savedFileName` unless told.
   */
  readonly fileOf?: (path: string) => string | undefined
}

/** Reads what is known of an entry's saved output; undefined where it has none. */
export function savedOutputOf({
  metadata,
}: {
  readonly metadata?: Entry['metadata']
}): SavedOutput | undefined {
  return metadata?.saved_output === undefined
    ? undefined
    : SavedOutput.safeParse(metadata.saved_output).data
}

/** Longer names are none that a system gives. In UTF-16 units. */
const longestName = 200

/**
 * Returns the last name of a path, of whichever system, with what is safe below a folder: the folders in it may be those of another
 * machine. Undefined where it has none.
 */
export function savedFileName(path: string): string | undefined {
  const name = path.trim().split(/[\\/]/).at(-1) ?? ''
  const isPlain = /^[\p{L}\p{N}_-][\p{L}\p{N}_.@+ -]*$/u.test(name)
  return isPlain && name.length <= longestName ? name : undefined
}

/** Puts an output into its place in a text. */
export function withOutput(
  text: string,
  { from, to }: Pick<SavedOutput, 'from' | 'to'>,
  output: string,
): string {
  return text.slice(0, from) + output + text.slice(to)
}

/** Says what of a saved output is not shown, in a sentence; undefined where all of it is, or nobody looked. */
export function savedOutputNote(saved: SavedOutput): string | undefined {
  const { file, bytes, shown, missing } = saved
  switch (missing) {
    case 'gone':
      return `The output was saved to ${file}, which is no longer there.`
    case 'link':
      return `The output was saved to ${file}, which is not a file of its own now, and is not read.`
    case 'unreadable':
      return `The output was saved to ${file}, which cannot be read.`
    case undefined:
      break
  }
  if (bytes === undefined || shown === undefined || shown >= bytes) return undefined
  return `Shows the first ${shown} bytes of ${bytes}; the output is in ${file}.`
}

/** Returns true where a result is a failure, by its metadata or, without one, by its first word. */
export function isFailedResult(result: Pick<Entry, 'content' | 'metadata'>): boolean {
  const mark = result.metadata?.is_error ?? result.metadata?.error
  return mark === undefined ? /^\s*error\b/i.test(result.content.slice(0, 80)) : mark !== false
}
