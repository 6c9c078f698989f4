import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Gap } from '../../../shared/model/conversation/reading'
import type { SourceId } from '../../../shared/model/conversation/sources'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import type { AcceptValue } from '../../disk/json/json-accept'
import { inListedFile, openListed } from './found-files'
import { jsonLineFacts, unreadableSource } from './json-lines'
import type { ConversationFact, SourceFact, SourceFile, SourceRef } from './reader'
import type { ValueMeaning } from './value-meaning'

/** Makes the reference of a conversation that is one file, and so has its size and time. */
export function refOfFile(
  source: SourceId,
  root: string,
  key: string,
  file: SourceFile,
): SourceRef {
  const { bytes, mtimeMs: updatedAtMs } = file
  return { source, root, key, files: [file], bytes, updatedAtMs }
}

/** Returns the first file of a conversation. @throws AppError `not-found` where it has none */
export function fileOf({ key, files }: SourceRef): SourceFile {
  const [file] = files
  if (file === undefined) throw new AppError('not-found', `${key} no longer exists.`)
  return file
}

/** Returns the absolute path of a conversation's first file. @throws AppError `not-found` where it has none */
export function pathOf(ref: SourceRef): string {
  return path.join(ref.root, fileOf(ref).file)
}

/**
 * Opens the first file of a conversation, hands it to `read`, and closes it.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function inOwnFile<T>(
  ref: SourceRef,
  disk: Disk,
  read: (opened: DiskFile) => Promise<T>,
): Promise<T> {
  return inListedFile(disk, pathOf(ref), read)
}

/**
 * Opens a file that was listed, gives the facts that `read` makes of it, and closes it.
 *
 * @param file absolute
 * @throws AppError `not-found`, `unreadable`
 */
export async function* factsOfFile(
  disk: Disk,
  file: string,
  read: (opened: DiskFile) => AsyncIterable<SourceFact | Gap>,
): AsyncGenerator<SourceFact | Gap> {
  const opened = await openListed(disk, file)
  try {
    yield* read(opened)
  } catch (error) {
    throw unreadableSource(file, error)
  } finally {
    await opened.close()
  }
}

/**
 * Reads a conversation that is one file of one JSON value a line: its first fact, which a short read of the file's ends
 * gives, then its lines.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function* lineFileFacts(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
  accept: AcceptValue<ValueMeaning>,
  conversationOf: (opened: DiskFile) => Promise<ConversationFact>,
): AsyncGenerator<SourceFact | Gap> {
  const { file } = fileOf(ref)
  yield* factsOfFile(disk, pathOf(ref), async function* (opened) {
    yield { type: 'conversation', conversation: await conversationOf(opened) }
    yield* jsonLineFacts(opened, file, accept, signal)
  })
}
