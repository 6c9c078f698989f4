import { firstWords } from '../../../../shared/model/basics/first-words'
import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import { isWrittenByPerson } from '../../../../shared/model/conversation/entry'
import type { SubagentOrigin } from '../../../../shared/model/family/family'
import type { DiskFile } from '../../../disk/interface/disk'
import type { AcceptValue } from '../../../disk/json/json-accept'
import { readLines, readLinesBackward } from '../../../disk/reading/lines'
import { trimmedIn } from '../drafts'
import { valuesOn } from '../record-values'
import type { ValueMeaning } from '../value-meaning'

/** Bytes of a beginning in which a person's words are looked for, and of an end in which the title is. */
const openingBytes = 1024 * 1024
const endingBytes = 64 * 1024

/** Fields of a session that one of its records has. */
export interface SessionRecordFields {
  readonly title?: string | undefined
  readonly project?: string | undefined
  /** Unix seconds. */
  readonly time?: number | undefined
  /** The session that this one was begun from. */
  readonly parent?: string | undefined
  /** The call that began it, where it is a subagent's. */
  readonly caller?: SubagentOrigin | undefined
}

/** Facts of a session that its records tell. */
export interface LineFacts extends SessionRecordFields {
  /** The first words of a person. */
  readonly words?: string | undefined
  /** The first words of whoever speaks to the model. */
  readonly prompt?: string | undefined
}

/** Makes the decoder of what lines tell of their session. @param fieldsOf what a record tells beside its entries */
export function lineFactsOf(
  meaningOf: AcceptValue<ValueMeaning>,
  fieldsOf: (record: JsonObject) => SessionRecordFields,
): AcceptValue<LineFacts> {
  return (value, text, position) => {
    const meaning = meaningOf(value, text, position)
    if (typeof meaning === 'string') return meaning
    if (!isJsonObject(value)) return 'not a JSON object'
    const entries = meaning.type === 'entries' ? meaning.entries : []
    const said = entries.filter(({ role, content }) => role === 'user' && content.trim() !== '')
    return {
      ...fieldsOf(value),
      words: wordsOf(said.find(isWrittenByPerson)?.content),
      prompt: wordsOf(said[0]?.content),
    }
  }
}

function wordsOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : trimmedIn(firstWords(text))
}

/**
 * Reads a session's beginning, up to the first words of a person, at most 1 MB: the first of everything that it tells,
 * and the last title.
 */
export async function readSessionOpening(
  file: DiskFile,
  factsOf: AcceptValue<LineFacts>,
  signal: AbortSignal,
): Promise<LineFacts> {
  let found: LineFacts = {}
  for await (const lines of readLines(file, { chunkBytes: 16 * 1024, signal }))
    for (const line of lines) {
      for (const facts of await valuesOn(line, factsOf))
        found = {
          title: facts.title ?? found.title,
          project: found.project ?? facts.project,
          time: found.time ?? facts.time,
          parent: found.parent ?? facts.parent,
          caller: found.caller ?? facts.caller,
          words: found.words ?? facts.words,
          prompt: found.prompt ?? facts.prompt,
        }
      if (found.words !== undefined || line.offset > openingBytes) return found
    }
  return found
}

/**
 * Reads a session's last 64 KB, at most: the last title that it was given there, and the time of its last record. Of the
 * lines before that one only those are parsed that may give a title.
 *
 * @param mayName false for a line that surely gives none
 */
export async function readSessionEnding(
  file: DiskFile,
  factsOf: AcceptValue<LineFacts>,
  mayName: (line: Uint8Array) => boolean,
  signal: AbortSignal,
): Promise<Pick<LineFacts, 'title' | 'time'>> {
  const { sizeBytes } = await file.stat()
  let title: string | undefined
  let time: number | undefined
  const options = { firstChunkBytes: endingBytes, signal }
  for await (const lines of readLinesBackward(file, sizeBytes, options))
    for (const line of lines) {
      const isWanted = time === undefined || (title === undefined && mayName(line.bytes))
      for (const facts of isWanted ? [...(await valuesOn(line, factsOf))].reverse() : []) {
        title ??= facts.title
        time ??= facts.time
      }
      const isKnown = title !== undefined && time !== undefined
      if (isKnown || line.offset < sizeBytes - endingBytes) return { title, time }
    }
  return { title, time }
}
