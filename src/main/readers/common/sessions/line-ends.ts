import { firstWords } from '../../../shared/model/basics/first-words'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { isWrittenByPerson } from '../../../shared/model/conversation/entry'
import type { DiskFile } from '../../disk/interface/disk'
import type { ValuePosition } from '../../disk/json/json-accept'
import { readLines, readLinesBackward } from '../../disk/reading/lines'
import { timeIn, trimmedIn } from '../common/drafts'
import { valuesOn } from '../common/record-values'
import { piLine } from './line'

/** Bytes of a beginning in which a person's words are looked for, and of an end in which the name is. */
const openingBytes = 1024 * 1024
const endingBytes = 64 * 1024

interface LineFacts {
  readonly name: string | undefined
  readonly words: string | undefined
  readonly project: string | undefined
  readonly time: number | undefined
}

/** Reads a session's beginning, up to the first words of a person: these, its folder, its time, and a name that it has there. */
export async function readPiOpening(
  file: DiskFile,
  signal: AbortSignal,
): Promise<{ words?: string; project?: string; createdAt?: number; name?: string }> {
  const found: { words?: string; project?: string; createdAt?: number; name?: string } = {}
  for await (const lines of readLines(file, { chunkBytes: 16 * 1024, signal }))
    for (const line of lines) {
      for (const { name, words, project, time } of await valuesOn(line, factsOf)) {
        if (name !== undefined) found.name = name
        if (words !== undefined) found.words ??= words
        if (project !== undefined) found.project ??= project
        if (time !== undefined) found.createdAt ??= time
      }
      if (found.words !== undefined || line.offset > openingBytes) return found
    }
  return found
}

/** Reads a session's end: the last name that it was given there, and the time of its last record in Unix seconds. */
export async function readPiEnding(
  file: DiskFile,
  signal: AbortSignal,
): Promise<{ name?: string; lastTime?: number }> {
  const { sizeBytes } = await file.stat()
  const found: { name?: string; lastTime?: number } = {}
  const options = { firstChunkBytes: endingBytes, signal }
  for await (const lines of readLinesBackward(file, sizeBytes, options))
    for (const line of lines) {
      for (const { name, time } of [...(await valuesOn(line, factsOf))].reverse()) {
        if (name !== undefined) found.name ??= name
        if (time !== undefined) found.lastTime ??= time
      }
      if (line.offset < sizeBytes - endingBytes) return found
    }
  return found
}

function factsOf(value: unknown, text: string, position: ValuePosition): LineFacts | string {
  const meaning = piLine(value, text, position)
  if (typeof meaning === 'string') return meaning
  if (!isJsonObject(value)) return 'not a JSON object'
  const { type, name, cwd, timestamp } = value
  const entries = meaning.type === 'entries' ? meaning.entries : []
  const said = entries.find((entry) => isWrittenByPerson(entry) && entry.content.trim() !== '')
  return {
    name: type === 'session_info' ? trimmedIn(name) : undefined,
    words: said === undefined ? undefined : trimmedIn(firstWords(said.content)),
    project: type === 'session' ? trimmedIn(cwd) : undefined,
    time: timeIn(timestamp),
  }
}
