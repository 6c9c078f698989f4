import path from 'node:path'
import { firstWords } from '../../../shared/model/basics/first-words'
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
import { aiderRecords } from './records'

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
  meaningOf: aiderLine,
  beginning: (ref, disk, signal) =>
    inOwnFile(ref, disk, (opened) => sessionFact(ref, opened, signal)),
  read(ref, disk, signal) {
    const begin = (opened: DiskFile) => sessionFact(ref, opened, signal)
    return readingOf(ref.key, lineFileFacts(ref, disk, signal, aiderLine, begin))
  },
}

async function sessionFact(
  ref: SourceRef,
  opened: DiskFile,
  signal: AbortSignal,
): Promise<ConversationFact> {
  const container = parseRecordPath(pathOf(ref))?.container ?? pathOf(ref)
  return {
    key: ref.key,
    title: (await wordsIn(opened, signal)) ?? ref.key,
    project: path.basename(path.dirname(container)) || null,
    createdAt: beginningOf(ref.key),
    parent: null,
  }
}

/** By the key, which has the time in this machine's zone, as aider writes it. */
function beginningOf(key: string): number | undefined {
  const time = /(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})(?:-\d+)?$/.exec(key)
  if (time === null) return undefined
  const ms = Date.parse(`${time[1]}T${time[2]}:${time[3]}:${time[4]}`)
  return Number.isNaN(ms) ? undefined : ms / 1000
}

/** The first words of a person that are no command to the program; else the first command. */
async function wordsIn(opened: DiskFile, signal: AbortSignal): Promise<string | undefined> {
  let command: string | undefined
  for await (const lines of readLines(opened, { chunkBytes: 16 * 1024, signal }))
    for (const line of lines)
      for (const meaning of await valuesOn(line, aiderLine))
        for (const entry of meaning.type === 'entries' ? meaning.entries : []) {
          if (!isWrittenByPerson(entry)) continue
          const words = firstWords(entry.content)
          if (words !== '' && !words.startsWith('/')) return words
          command ??= words || undefined
        }
  return command
}
