import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { Gap } from '../../../shared/model/conversation/reading'
import type { FileLedger } from '../../../shared/model/conversation/transcript'
import type { Disk } from '../../disk/interface/disk'
import { jsonLineFacts, openSource, unreadableSource } from '../common/json-lines'
import type { SourceFact } from '../common/reader'
import { readDocument } from './conversation-lines'
import type { FoundFile } from './documents'
import { findVoicemodeFiles } from './files'
import { voiceLine } from './line'

/**
 * Reads the ledger of every file under a root, with the lines of all conversations; a gap for each file that cannot be
 * read, and a notice for each that is skipped.
 *
 * @throws AppError `unreadable` a folder that is there cannot be listed
 */
export async function* fileLedgers(
  root: string,
  disk: Disk,
  signal: AbortSignal,
  isWanted: (file: string) => boolean = () => true,
): AsyncGenerator<SourceFact | Gap> {
  const files = await findVoicemodeFiles(root, disk, signal)
  for (const notice of files.notices) yield { type: 'notice', notice }
  for (const part of files.unread) yield new Gap(part)
  for (const found of files.documents) yield* accountOf(files.root, found, ofDocument)
  for (const found of files.days) yield* accountOf(files.root, found, ofDay)
  files.failure.throw()

  async function* accountOf(folder: string, { file }: FoundFile, read: typeof ofDay) {
    const whole = path.join(folder, file)
    if (!isWanted(whole)) return
    try {
      yield* await read(disk, whole, file, signal)
    } catch (error) {
      const failure = unreadableSource(whole, error)
      if (!(failure instanceof AppError)) throw failure
      yield new Gap({ file, fromByte: 0, cause: 'failed', sentence: failure.message })
    }
  }
}

/** Its ledger, and what was noticed. */
async function ofDay(
  disk: Disk,
  whole: string,
  file: string,
  signal: AbortSignal,
): Promise<readonly (SourceFact | Gap)[]> {
  const opened = await openSource(disk, whole)
  const facts: (SourceFact | Gap)[] = []
  try {
    for await (const fact of jsonLineFacts(opened, file, voiceLine, signal))
      if (fact instanceof Gap || fact.type === 'file') facts.push(fact)
  } finally {
    await opened.close()
  }
  return facts
}

/** A text file is one message, or blank. */
async function ofDocument(disk: Disk, whole: string, file: string): Promise<readonly SourceFact[]> {
  const { isBlank } = await readDocument(disk, whole)
  const counts = { lines: 1, entryLines: isBlank ? 0 : 1, control: 0, blank: isBlank ? 1 : 0 }
  const ledger: FileLedger = { file, unit: 'message', ...counts, damaged: [], torn: false }
  return [{ type: 'file', ledger }]
}
