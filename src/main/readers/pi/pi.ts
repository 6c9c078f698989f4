import { readingOf } from '../../../shared/model/conversation/reading'
import type { DiskFile } from '../../disk/interface/disk'
import { inOwnFile, lineFileFacts } from '../common/one-file'
import type { ConversationFact, HistoryReader } from '../common/reader'
import { readPiEnding, readPiOpening } from './ends'
import { listPiFiles } from './files'
import { piFormat } from './known'
import { piLine } from './line'

/**
 * The reader of pi's sessions: one file each, one record per line, which names its parent: a tree in one file.
 *
 * Format: pi's session format, version 3, by its specification and source of August 2026; docs/sources/pi.md. Settings and
 * states of extensions are no entries; what has no field is in the source line.
 */
export const piReader: HistoryReader = {
  id: 'pi',
  defaultRoots: ['~/.pi/agent'],
  rootVariable: 'PI_CODING_AGENT_DIR',
  watchedFolders: ['sessions'],
  list: listPiFiles,
  meaningOf: piLine,
  known: piFormat,
  forkRule: 'every-child',
  read(ref, disk, signal) {
    const begin = (opened: DiskFile) => readConversation(ref.key, opened, signal)
    return readingOf(ref.key, lineFileFacts(ref, disk, signal, piLine, begin))
  },
  lastTime: (ref, disk, signal) =>
    inOwnFile(ref, disk, async (opened) => (await readPiEnding(opened, signal)).lastTime),
}

async function readConversation(
  key: string,
  opened: DiskFile,
  signal: AbortSignal,
): Promise<ConversationFact> {
  const { words, project, createdAt, name: early } = await readPiOpening(opened, signal)
  const storedTitle = (await readPiEnding(opened, signal)).name ?? early
  return {
    key,
    title: storedTitle ?? words ?? key,
    storedTitle,
    project: project ?? null,
    createdAt,
    parent: null,
  }
}
