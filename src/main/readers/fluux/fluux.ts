import { firstWords } from '../../../shared/model/basics/first-words'
import { type Gap, readingOf } from '../../../shared/model/conversation/reading'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { readExactly, readLines } from '../../disk/reading/lines'
import { documentFacts } from '../common/document-facts'
import { jsonLineFacts } from '../common/json-lines'
import { factsOfFile, fileOf, inOwnFile, pathOf } from '../common/one-file'
import type { HistoryReader, SourceFact, SourceRef } from '../common/reader'
import { lastEntryTimeIn, valuesOn } from '../common/record-values'
import { anyName } from '../common/sessions/layout'
import type { NamelessEntry } from '../common/value-meaning'
import { countFluuxLine } from './count'
import { fluuxDocument } from './document'
import { isArchived, jidOf, listFluuxFiles } from './files'
import { fluuxFormat } from './known'
import { type FluuxLine, fluuxLine } from './line'
import { modelView } from './model-view'

/**
 * The reader of fluux-agent's histories: a folder for each JID that it talks with, with the active session and the
 * archived ones.
 *
 * Format: fluux-agent 0.1 and later, read from its source. A message is a line, with the time at which it was stored;
 * archives of older versions are Markdown, and one entry each. Nothing of a line is lost: what has no field is in
 * `metadata` (`msg_id, sender, attachments, reaction`; `raw_ts`, `raw_type`, `raw_fields`). What the agent itself does
 * not store: docs/sources/fluux.md.
 */
export const fluuxReader: HistoryReader = {
  id: 'fluux',
  // The agent's memory lies where it is started; this is a clone of it with its example of a configuration.
  defaultRoots: ['~/fluux-agent/data/memory'],
  footprint: {
    conversation: [
      [anyName, /^history\.(?:jsonl(?:\.gz|\.zst)?|md)$/i],
      [anyName, 'sessions', /^[^.].*\.(?:jsonl(?:\.gz|\.zst)?|md)$/i],
    ],
  },
  list: listFluuxFiles,
  known: fluuxFormat,
  meaningOf: fluuxLine,
  countOf: countFluuxLine,
  modelView,
  isNeverSent: isArchived,
  documentOf,
  read: (ref, disk, signal) => readingOf(ref.key, readConversation(ref, disk, signal)),
  async lastTime(ref, disk, signal) {
    if (fileOf(ref).isDocument) return undefined
    return inOwnFile(ref, disk, (opened) => lastEntryTimeIn(opened, fluuxLine, signal))
  },
}

function documentOf(text: string): readonly NamelessEntry[] {
  return [fluuxDocument(text)]
}

async function* readConversation(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const { key } = ref
  const { file, isDocument } = fileOf(ref)
  yield* factsOfFile(disk, pathOf(ref), async function* (opened) {
    const {
      createdAt,
      words,
      jid = jidOf(key),
    } = isDocument ? await beginningOfDocument(opened) : await beginningOf(opened, signal)
    const title = words || firstWords(jid) || key
    yield {
      type: 'conversation',
      conversation: { key, title, project: null, createdAt, parent: null },
    }
    if (isDocument) yield* documentFacts(opened, file, documentOf)
    else yield* jsonLineFacts(opened, file, fluuxLine, signal)
  })
}

interface Beginning {
  createdAt?: number | undefined
  jid?: string | undefined
  /** The first words of a person's message. */
  words?: string | undefined
}

const beginningBytes = 16 * 1024
/** In a room people have long spoken by then; a file is not read in full to find a person. */
const beginningLines = 1000

/** A session begins with its header, and messages follow soon: little is read at once, and nothing past them. */
async function beginningOf(file: DiskFile, signal: AbortSignal): Promise<Beginning> {
  const found: Beginning = {}
  let seen = 0
  for await (const lines of readLines(file, { chunkBytes: beginningBytes, signal }))
    for (const raw of lines) {
      for (const line of await valuesOn(raw, fluuxLine)) noteBeginning(found, line)
      seen += 1
      if (found.words !== undefined || seen === beginningLines) return found
    }
  return found
}

function noteBeginning(found: Beginning, line: FluuxLine): void {
  if (line.type === 'control') {
    found.createdAt ??= line.createdAt
    found.jid ??= line.jid
    return
  }
  for (const { role, content } of line.entries)
    if (role === 'user') found.words ??= firstWords(content) || undefined
}

async function beginningOfDocument(file: DiskFile): Promise<Beginning> {
  const text = new TextDecoder().decode(await readExactly(file, 0, beginningBytes))
  return { words: firstWords(text.replace(/^[\s#]+/, '')) }
}
