import { firstWords } from '../../../shared/model/basics/first-words'
import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { isWrittenByPerson } from '../../../shared/model/conversation/entry'
import type { DiskFile } from '../../disk/interface/disk'
import type { ValuePosition } from '../../disk/json/json-accept'
import { lineNames } from '../../disk/json/line-names'
import { type FileLine, readLines, readLinesBackward } from '../../disk/reading/lines'
import { textIn, timeIn } from '../common/drafts'
import { valuesOn } from '../common/record-values'
import { ownWords } from './injected'
import { codexLine, isBareHead, payloadOf } from './line'

/** The place at which a thread goes on from another one, in that one's file. */
export interface HistoryBase {
  readonly thread: string
  /** The file's bytes before it are the beginning; undefined where only the ordinal is known. */
  readonly endByte: number | undefined
  /** The ordinal of the first line that is none of it. */
  readonly endOrdinal: number | undefined
}

/** Facts of a thread in the first `session_meta` of its file. */
export interface SessionHead {
  readonly project: string | null
  /** Unix seconds. */
  readonly createdAt: number | undefined
  readonly base: HistoryBase | undefined
  /** The thread whose agent started it. */
  readonly parentThread: string | undefined
}

/** Facts from a short read of a file's beginning. */
export interface Beginning {
  readonly head: SessionHead | undefined
  /** The first words of a person. */
  readonly words: string | undefined
}

/** A person has spoken by then; a file is not read in full to find one. */
const beginningBytes = 4 * 1024 * 1024
const chunkBytes = 16 * 1024

/** Reads the head and the first words of a person, and nothing past them. */
export async function readBeginning(file: DiskFile, signal: AbortSignal): Promise<Beginning> {
  const found: { head?: SessionHead | undefined; words?: string | undefined } = {}
  for await (const lines of readLines(file, { chunkBytes, to: beginningBytes, signal }))
    for (const line of lines) {
      for (const value of await objectsIn(line)) {
        found.head ??= headOf(value)
        found.words ??= wordsOf(value)
      }
      if (found.words !== undefined) return { head: found.head, words: found.words }
    }
  return { head: found.head, words: found.words }
}

/** A head comes first; what a fork or an older program put before it are a few lines. */
const headLines = 20

/** Reads the head alone: as a rule one line. */
export async function readHead(
  file: DiskFile,
  signal: AbortSignal,
): Promise<SessionHead | undefined> {
  let seen = 0
  for await (const lines of readLines(file, { chunkBytes, to: beginningBytes, signal }))
    for (const line of lines) {
      for (const value of await objectsIn(line)) {
        const head = headOf(value)
        if (head !== undefined) return head
      }
      seen += 1
      if (seen === headLines) return undefined
    }
  return undefined
}

/** Facts from a short read of a file's end. */
interface Ending {
  /** The name that the thread was given last; undefined where none was given there. */
  readonly name: string | undefined
  /** Unix seconds of the last entry that has a time. */
  readonly time: number | undefined
}

const nameBytes = 64 * 1024
/** Between two entries there may be many lines that are none. */
const endBytes = 1024 * 1024

/** Reads the last name in the last 64 KB, and the time of the last entry in the last 1 MB. */
export async function readEnding(file: DiskFile, signal: AbortSignal): Promise<Ending> {
  const { sizeBytes } = await file.stat()
  const found: { name?: string | undefined; time?: number | undefined } = {}
  const options = { firstChunkBytes: nameBytes, signal }
  for await (const lines of readLinesBackward(file, sizeBytes, options))
    for (const line of lines) {
      const read = sizeBytes - line.offset - line.length
      const isPastNames = read > nameBytes
      if (read > endBytes || (isPastNames && found.time !== undefined))
        return { name: found.name, time: found.time }
      const mayTell = found.time === undefined || (found.name === undefined && mayName(line.bytes))
      for (const value of mayTell ? (await objectsIn(line)).slice().reverse() : []) {
        found.time ??= entryTimeOf(value)
        if (!isPastNames) found.name ??= nameOf(value)
      }
    }
  return { name: found.name, time: found.time }
}

function entryTimeOf(value: JsonObject): number | undefined {
  const meaning = codexLine(value, '', 'line')
  if (typeof meaning === 'string' || meaning.type === 'control') return undefined
  return meaning.entries.at(-1)?.timestamp ?? undefined
}

/** Reads the records on a line: one, more where a line feed was lost, none where it is blank or damaged. */
export async function objectsIn(line: FileLine): Promise<readonly JsonObject[]> {
  return valuesOn(line, record)
}

function record(value: unknown, _text: string, position: ValuePosition): JsonObject | string {
  if (!isJsonObject(value)) return 'not a JSON object'
  const isRecord = typeof value.timestamp === 'string' && payloadOf(value) !== undefined
  return position === 'line' || isRecord ? value : 'not a record'
}

function headOf(value: JsonObject): SessionHead | undefined {
  const payload = value.type === 'session_meta' ? payloadOf(value) : undefined
  const meta = payload ?? (isBareHead(value) ? value : undefined)
  if (meta === undefined) return undefined
  const { cwd, timestamp, source } = meta
  return {
    project: textIn(cwd) ?? null,
    createdAt: timeIn(textIn(timestamp) ?? value.timestamp),
    base: baseOf(meta.history_base),
    parentThread: textIn(meta.parent_thread_id) ?? spawnedBy(source),
  }
}

function baseOf(value: unknown): HistoryBase | undefined {
  if (!isJsonObject(value)) return undefined
  const { thread_id: id, end_byte_offset: byte, end_ordinal_exclusive: ordinal } = value
  const thread = textIn(id)
  if (thread === undefined) return undefined
  return { thread, endByte: countIn(byte), endOrdinal: countIn(ordinal) }
}

/** Older files name the thread in `source` alone. */
function spawnedBy(source: unknown): string | undefined {
  const agent = isJsonObject(source) ? source.subagent : undefined
  const spawn = isJsonObject(agent) ? agent.thread_spawn : undefined
  return isJsonObject(spawn) ? textIn(spawn.parent_thread_id) : undefined
}

function wordsOf(value: JsonObject): string | undefined {
  const meaning = codexLine(value, '', 'line')
  if (typeof meaning === 'string' || meaning.type === 'control') return undefined
  const said = meaning.entries.find(isWrittenByPerson)
  return said === undefined ? undefined : firstWords(ownWords(said.content)) || undefined
}

/** Tells whether a line may give a name. False is sure. */
const mayName = lineNames(['thread_name_updated'])

function nameOf(value: JsonObject): string | undefined {
  const payload = value.type === 'event_msg' ? payloadOf(value) : undefined
  return payload?.type === 'thread_name_updated' ? textIn(payload.thread_name) : undefined
}

function countIn(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined
}
