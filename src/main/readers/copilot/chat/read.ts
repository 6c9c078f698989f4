import path from 'node:path'
import { Gap } from '../../../../shared/model/conversation/reading'
import type { Disk, DiskFile } from '../../../disk/interface/disk'
import { parseRecordPath } from '../../../records/interface/record-format'
import { inOwnFile, lineFileFacts, pathOf } from '../../common/one-file'
import { readRecordHead } from '../../common/read-record-file'
import type { ConversationFact, SourceFact, SourceFile, SourceRef } from '../../common/reader'
import { lastEntryTimeIn } from '../../common/record-values'
import { chatFormat } from './chat-records'
import { chatLine } from './line'
import { workspaceProject } from './project'

/** Returns true for the file of a chat of VS Code. */
export function isChatFile({ file }: SourceFile): boolean {
  return parseRecordPath(file)?.format === chatFormat
}

/** Reads a chat as facts. @throws AppError `not-found`, `unreadable` */
export async function* readChat(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const begin = (opened: DiskFile) => chatFact(ref, opened, disk, signal)
  yield* lineFileFacts(ref, disk, signal, chatLine, begin)
  for (const part of ref.unread ?? []) yield new Gap(part)
}

/** Reads the first fact of a chat. @throws AppError `not-found`, `unreadable` */
export function chatBeginning(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<ConversationFact> {
  return inOwnFile(ref, disk, (opened) => chatFact(ref, opened, disk, signal))
}

/** Reads the time of a chat's last entry that has one. @throws AppError `not-found`, `unreadable` */
export function lastTimeOfChat(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<number | undefined> {
  return inOwnFile(ref, disk, (opened) => lastEntryTimeIn(opened, chatLine, signal))
}

/** Reads the folder of the project that a file in a workspace's storage is of; undefined where none is named. */
export function projectOfFile(disk: Disk, file: string): Promise<string | undefined> {
  const container = parseRecordPath(file)?.container ?? file
  const above = path.dirname(path.dirname(container))
  // Transcripts lie in a folder of the extension.
  const isOfExtension = path.basename(path.dirname(container)) === 'transcripts'
  return workspaceProject(disk, isOfExtension ? path.dirname(above) : above)
}

async function chatFact(
  ref: SourceRef,
  opened: DiskFile,
  disk: Disk,
  signal: AbortSignal,
): Promise<ConversationFact> {
  const { conversation } = await readRecordHead(ref.key, opened, chatLine, signal)
  return { ...conversation, project: (await projectOfFile(disk, pathOf(ref))) ?? null }
}
