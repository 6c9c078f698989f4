import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { type Gap, readingOf } from '../../../shared/model/conversation/reading'
import { firstWords } from '../../../shared/model/family/outline'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { decodeJsonLineInSlices } from '../../disk/json/json-line'
import { type FileLine, readExactly, readLines, readLinesBackward } from '../../disk/reading/lines'
import { openListed } from '../common/found-files'
import { jsonLineFacts, unreadableSource } from '../common/json-lines'
import type { HistoryReader, SourceFact, SourceFile, SourceRef } from '../common/reader'
import { countFluuxLine } from './count'
import { documentFacts, fluuxDocument } from './document'
import { isArchived, jidOf, listFluuxFiles } from './files'
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
  list: listFluuxFiles,
  meaningOf: fluuxLine,
  countOf: countFluuxLine,
  modelView,
  isNeverSent: isArchived,
  documentOf: (text) => [fluuxDocument(text)],
  read: (ref, disk, signal) => readingOf(ref.key, readConversation(ref, disk, signal)),
  lastTime,
}

async function* readConversation(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const { key, root } = ref
  const { file, isDocument } = fileOf(ref)
  const whole = path.join(root, file)
  const opened = await openListed(disk, whole)
  try {
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
    if (isDocument) yield* documentFacts(opened, file)
    else yield* jsonLineFacts(opened, file, fluuxLine, signal)
  } catch (error) {
    throw unreadableSource(whole, error)
  } finally {
    await opened.close()
  }
}

function fileOf({ key, files }: SourceRef): SourceFile {
  const [file] = files
  if (file === undefined) throw new AppError('not-found', `${key} no longer exists.`)
  return file
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
      for (const line of await linesIn(raw)) noteBeginning(found, line)
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

/** Lines read from the end: some are damaged or have no time. */
const endLines = 8

async function lastTime(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { file, isDocument } = fileOf(ref)
  if (isDocument) return undefined
  const whole = path.join(ref.root, file)
  const opened = await openListed(disk, whole)
  try {
    const { sizeBytes } = await opened.stat()
    let seen = 0
    const ends = { firstChunkBytes: beginningBytes, signal }
    for await (const lines of readLinesBackward(opened, sizeBytes, ends))
      for (const raw of lines) {
        const time = (await linesIn(raw)).map(timeOf).findLast(isTime)
        seen += 1
        if (time !== undefined || seen === endLines) return time
      }
    return undefined
  } catch (error) {
    throw unreadableSource(whole, error)
  } finally {
    await opened.close()
  }
}

/** What a raw line says: one thing, more where a line feed was lost, nothing where it is blank or damaged. */
async function linesIn(raw: FileLine): Promise<readonly FluuxLine[]> {
  const decoded = await decodeJsonLineInSlices(raw, fluuxLine)
  if (decoded.type === 'value') return [decoded.value]
  return decoded.type === 'damaged' ? decoded.recovered : []
}

function timeOf(line: FluuxLine): number | undefined {
  return line.type === 'entries' ? (line.entries.at(-1)?.timestamp ?? undefined) : undefined
}

function isTime(time: number | undefined): time is number {
  return time !== undefined
}
