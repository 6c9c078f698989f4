import path from 'node:path'
import { type Gap, readingOf } from '../../../shared/model/conversation/reading'
import { firstWords } from '../../../shared/model/family/outline'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import type { ValuePosition } from '../../disk/json/json-accept'
import { decodeJsonLineInSlices } from '../../disk/json/json-line'
import { readLines } from '../../disk/reading/lines'
import { openListed } from '../common/found-files'
import { jsonLineFacts, unreadableSource } from '../common/json-lines'
import type { HistoryReader, SourceFact, SourceRef } from '../common/reader'
import { toolNamer } from '../common/tool-names'
import type { NamelessEntry } from '../common/value-meaning'
import { countCycodLine } from './count'
import { createdAtOf, listCycodFiles } from './files'
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
  watchedFolders: ['history', 'exceptions'],
  list: listCycodFiles,
  meaningOf: cycodLine,
  countOf: countCycodLine,
  read: (ref, disk, signal) => readingOf(ref.key, readConversation(ref, disk, signal)),
}

async function* readConversation(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const { key, root } = ref
  const file = ref.files[0]?.file ?? `${key}.jsonl`
  const whole = path.join(root, file)
  const opened = await openListed(disk, whole)
  try {
    const titles = await readTitles(opened, signal)
    const { stored, human } = titles
    yield {
      type: 'conversation',
      conversation: {
        key,
        title: stored ?? human ?? key,
        storedTitle: stored,
        project: null,
        createdAt: createdAtOf(key),
        parent: null,
      },
    }
    const nameResults = toolNamer('tool')
    const accept = (value: unknown, text: string, position: ValuePosition) => {
      const line = cycodLine(value, text, position)
      return typeof line === 'string' || line.type === 'control' ? line : nameResults(line)
    }
    yield* jsonLineFacts(opened, file, accept, signal)
  } catch (error) {
    throw unreadableSource(whole, error)
  } finally {
    await opened.close()
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
      const decoded = await decodeJsonLineInSlices(raw, cycodLine)
      const values =
        decoded.type === 'value'
          ? [decoded.value]
          : decoded.type === 'damaged'
            ? decoded.recovered
            : []
      for (const line of values) noteTitles(titles, line)
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
