import path from 'node:path'
import type { Entry } from '../../shared/model/conversation/entry'
import {
  type SavedOutput,
  type SavedOutputFolder,
  savedOutputOf,
  withOutput,
} from '../../shared/model/conversation/tool-results'
import type { Disk } from '../disk/interface/disk'
import { readTextPart } from '../disk/reading/saved-text'
import type { HistoryReader } from './common/reader'

/** Most of one output that is held at once, in bytes: of a longer one the beginning is shown, and said to be that. */
const mostOfOutput = 64 * 1024 * 1024

/** Place of a saved output: the reader of its system, and the root that places are relative to. */
export interface OutputPlace {
  readonly reader: Pick<HistoryReader, 'savedOutputs'>
  readonly root: string
}

/**
 * Returns an entry with its saved output in its content, and in `metadata.saved_output` how much of it there is, or why it is missing; the
 * entry itself where it has none.
 *
 * @param most bytes of the output
 */
export async function filledEntry(
  disk: Disk,
  place: OutputPlace,
  entry: Entry,
  most: number = mostOfOutput,
): Promise<Entry> {
  const saved = savedOutputOf(entry)
  if (saved === undefined) return entry
  const found = await readOutput(disk, place, entry.file, saved, 0, most)
  if (found.type !== 'read') return withSaved(entry, { ...saved, missing: found.type })
  const { text, to: shown, bytes } = found.value
  return {
    ...withSaved(entry, { ...saved, to: saved.from + text.length, bytes, shown }),
    content: withOutput(entry.content, saved, text),
  }
}

function withSaved(entry: Entry, saved: SavedOutput): Entry {
  return { ...entry, metadata: { ...entry.metadata, saved_output: saved } }
}

/**
 * Reads a part of a saved output, from the folder of the conversation alone.
 *
 * @param file of the conversation, relative to the root
 * @param from in bytes, where the part before it ended
 */
export async function readOutput(
  disk: Disk,
  { reader, root }: OutputPlace,
  file: string,
  saved: Pick<SavedOutput, 'file'>,
  from: number,
  most: number,
): ReturnType<typeof readTextPart> {
  const folder: SavedOutputFolder | undefined = reader.savedOutputs?.folderOf(path.join(root, file))
  if (folder === undefined) return { type: 'gone' }
  return readTextPart(disk, folder.base, `${folder.below}/${saved.file}`, from, most)
}
