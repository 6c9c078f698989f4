import { firstWords } from '../../../shared/model/basics/first-words'
import type { JsonObject } from '../../../shared/model/basics/json-object'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { isWrittenByPerson } from '../../../shared/model/conversation/entry'
import type { DiskFile } from '../../disk/interface/disk'
import type { ValuePosition } from '../../disk/json/json-accept'
import { readLines, readLinesBackward } from '../../disk/reading/lines'
import { textIn, timeIn } from '../common/drafts'
import { valuesOn } from '../common/record-values'
import type { ValueMeaning } from '../common/value-meaning'
import { copilotLine, eventOf, ownLines, sessionProject } from './line'

/** Facts of a session from a short read of its beginning. */
interface SessionHead {
  readonly project: string | null
  /** Unix seconds. */
  readonly createdAt: number | undefined
  /** The first words of a person. */
  readonly words: string | undefined
  /** It begins as sessions do. */
  readonly isSession: boolean
}

/** A person has spoken by then; a file is not read in full to find one. */
const beginningBytes = 4 * 1024 * 1024

/** Reads the head of a session and a person's first words, and nothing past them. */
export async function readCopilotHead(file: DiskFile, signal: AbortSignal): Promise<SessionHead> {
  let start: JsonObject | undefined
  let words: string | undefined
  const options = { chunkBytes: 16 * 1024, to: beginningBytes, signal }
  for await (const lines of readLines(file, options))
    for (const line of lines) {
      for (const { event, meaning } of await valuesOn(line, readEvent)) {
        if (event.type === 'session.start') start ??= event.data
        words ??= wordsOf(meaning)
      }
      if (words !== undefined) return headOf(start, words)
    }
  return headOf(start, words)
}

/** Facts of a session from a short read of its end. */
interface SessionEnd {
  /** The title that it was given last; undefined where none was given there. */
  readonly title: string | undefined
  /** Unix seconds of its last entry that has a time. */
  readonly time: number | undefined
}

const titleBytes = 64 * 1024
/** Between two entries there may be many events that are none. */
const endBytes = 1024 * 1024

/** Reads the last title in the last 64 KB, and the time of the session's last own entry in the last 1 MB. */
export async function readCopilotEnd(file: DiskFile, signal: AbortSignal): Promise<SessionEnd> {
  const { sizeBytes } = await file.stat()
  let title: string | undefined
  let time: number | undefined
  const options = { firstChunkBytes: titleBytes, signal }
  for await (const lines of readLinesBackward(file, sizeBytes, options))
    for (const line of lines) {
      const read = sizeBytes - line.offset - line.length
      if (read > endBytes || (read > titleBytes && time !== undefined)) return { title, time }
      for (const { event, meaning } of [...(await valuesOn(line, readEvent))].reverse()) {
        time ??= entryTime(meaning)
        if (read <= titleBytes && event.type === 'session.title_changed')
          title ??= textIn(event.data.title)
      }
    }
  return { title, time }
}

interface ReadEvent {
  readonly event: { readonly type: string; readonly data: JsonObject }
  readonly meaning: ValueMeaning
}

function readEvent(value: unknown, text: string, position: ValuePosition): ReadEvent | string {
  const meaning = copilotLine(value, text, position)
  if (typeof meaning === 'string') return meaning
  const event = isJsonObject(value) ? eventOf(value) : undefined
  return { event: event ?? { type: '', data: {} }, meaning }
}

function headOf(start: JsonObject | undefined, words: string | undefined): SessionHead {
  return {
    project: start === undefined ? null : sessionProject(start),
    createdAt: timeIn(start?.startTime),
    words,
    isSession: start !== undefined,
  }
}

function wordsOf(meaning: ValueMeaning): string | undefined {
  const said = ownEntries(meaning).find(isWrittenByPerson)
  return said === undefined ? undefined : firstWords(said.content) || undefined
}

function entryTime(meaning: ValueMeaning): number | undefined {
  return ownEntries(meaning).at(-1)?.timestamp ?? undefined
}

/** Without those of subagents. */
function ownEntries(meaning: ValueMeaning) {
  return meaning.type === 'entries' && meaning.key === ownLines ? meaning.entries : []
}
