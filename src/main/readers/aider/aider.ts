import { isWrittenByPerson } from '../../../shared/model/conversation/entry'
import { readingOf } from '../../../shared/model/conversation/reading'
import type { DiskFile } from '../../disk/interface/disk'
import { readLines } from '../../disk/reading/lines'
import { parseRecordPath } from '../../records/interface/record-format'
import { inOwnFile, lineFileFacts, pathOf } from '../common/one-file'
import type { ConversationFact, HistoryReader, SourceRef } from '../common/reader'
import { valuesOn } from '../common/record-values'
import { listAider } from './files'
import { aiderTable } from './known'
import { aiderLine } from './line'
import { aiderComposing, aiderRecords, firstPrompt } from './records'
import { sessionFact } from './session-fact'

/**
 * The reader of aider's chats: a Markdown file for each project, in which one session comes after the other.
 *
 * Format: read from aider's source of August 2026 (docs/sources/aider.md). Only the beginning of a session has a time. Numbers
 * of tokens are as aider rounds them.
 */
export const aiderReader: HistoryReader = {
  id: 'aider',
  defaultRoots: ['~/.aider.chat.history.md'],
  footprint: { file: [['.aider.chat.history.md']] },
  rootVariable: 'AIDER_CHAT_HISTORY_FILE',
  recordFormat: aiderRecords,
  list: listAider,
  known: aiderTable,
  lookInto: aiderComposing.lookInto,
  meaningOf: aiderLine,
  beginning: (ref, disk, signal) => inOwnFile(ref, disk, (opened) => factIn(ref, opened, signal)),
  read(ref, disk, signal) {
    const begin = (opened: DiskFile) => factIn(ref, opened, signal)
    return readingOf(ref.key, lineFileFacts(ref, disk, signal, aiderLine, begin))
  },
}

async function factIn(
  ref: SourceRef,
  opened: DiskFile,
  signal: AbortSignal,
): Promise<ConversationFact> {
  const container = parseRecordPath(pathOf(ref))?.container ?? pathOf(ref)
  return sessionFact(ref.key, container, await wordsIn(opened, signal))
}

async function wordsIn(opened: DiskFile, signal: AbortSignal): Promise<string | undefined> {
  let command: string | undefined
  for await (const lines of readLines(opened, { chunkBytes: 16 * 1024, signal }))
    for (const line of lines)
      for (const meaning of await valuesOn(line, aiderLine))
        for (const entry of meaning.type === 'entries' ? meaning.entries : []) {
          if (!isWrittenByPerson(entry)) continue
          const words = firstPrompt([entry.content])
          if (words !== undefined && !words.startsWith('/')) return words
          command ??= words
        }
  return command
}
