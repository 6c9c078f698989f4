import { firstWords } from '../../../shared/model/basics/first-words'
import { readingOf } from '../../../shared/model/conversation/reading'
import type { DiskFile } from '../../disk/interface/disk'
import { readLines } from '../../disk/reading/lines'
import { lineFileFacts } from '../common/one-file'
import type { ConversationFact, HistoryReader } from '../common/reader'
import { valuesOn } from '../common/record-values'
import { withToolNames } from '../common/tool-names'
import type { NamelessEntry } from '../common/value-meaning'
import { countCycodLine } from './count'
import { createdAtOf, cycodBackup, listCycodFiles } from './files'
import { cycodFormat } from './known'
import { type CycodLine, cycodLine } from './line'

/**
 * The reader of cycod's histories: one file per conversation, one message per line; every continuation is a full copy.
 *
 * Format: cycod 1.0.0-alpha (81802e01), read from its source and from the files in its repository: OpenAI's messages,
 * and those of Microsoft.Extensions.AI that older versions wrote. Nothing of a line is lost: what has no field is in
 * `metadata` (`images`, `attachments`, `raw_type`, `raw_fields`). `titleLocked`, and what else `_meta` holds, is not
 * read; exports take it from the file (`exporters/source-meta`). Messages have no times. Parents are found by
 * `joinFamilies`, since a file does not know what it is a copy of.
 */
export const cycodReader: HistoryReader = {
  id: 'cycod',
  defaultRoots: ['~/.cycod'],
  footprint: {
    conversation: [
      ['history', /^[^.].*\.jsonl(?:\.gz|\.zst)?$/i],
      ['exceptions', /^[^.].*\.jsonl(?:\.gz|\.zst)?$/i],
    ],
  },
  watchedFolders: ['history', 'exceptions'],
  backup: cycodBackup,
  list: listCycodFiles,
  known: cycodFormat,
  restatesNumbers: true,
  keepsSigns: true,
  namesToolsEarlier: true,
  meaningOf: cycodLine,
  countOf: countCycodLine,
  read(ref, disk, signal) {
    const accept = withToolNames(cycodLine, 'tool')
    const begin = (opened: DiskFile) => readConversation(ref.key, opened, signal)
    return readingOf(ref.key, lineFileFacts(ref, disk, signal, accept, begin))
  },
}

async function readConversation(
  key: string,
  opened: DiskFile,
  signal: AbortSignal,
): Promise<ConversationFact> {
  const { stored, human } = await readTitles(opened, signal)
  return {
    key,
    title: stored ?? human ?? key,
    storedTitle: stored,
    project: null,
    createdAt: createdAtOf(key),
    parent: null,
  }
}

interface Titles {
  stored?: string | undefined
  human?: string | undefined
}

/** Titles are in the first lines: nothing past the first message of a person is read, and little at once. */
async function readTitles(file: DiskFile, signal: AbortSignal): Promise<Titles> {
  const titles: Titles = {}
  for await (const lines of readLines(file, { chunkBytes: 16 * 1024, signal }))
    for (const raw of lines) {
      for (const line of await valuesOn(raw, cycodLine)) noteTitles(titles, line)
      if (titles.stored !== undefined || titles.human !== undefined) return titles
    }
  return titles
}

function noteTitles(titles: Titles, line: CycodLine): void {
  if (line.type === 'control') {
    titles.stored ??= line.title
    return
  }
  const human = line.entries.find(isHuman)
  if (human !== undefined) titles.human ??= firstWords(human.content)
}

function isHuman(entry: NamelessEntry): boolean {
  return entry.entry_type === 'message' && entry.role === 'user' && entry.content.trim() !== ''
}
