import { z } from 'zod'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { recordOf } from '../common/record-values'
import type { NamelessEntry, ValueMeaning } from '../common/value-meaning'
import { instantOf } from './instant'
import { isId, keyOfLine } from './line-key'

/** The content of one line of a day file. */
export type VoiceLine = Extract<ValueMeaning, { type: 'entries' }> & {
  readonly entries: readonly [NamelessEntry]
  readonly key: string
}

/** Converts one line: an utterance, heard (`stt`) or spoken (`tts`). Uses nothing but this line. */
export function voiceLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): VoiceLine | string {
  const record = recordOf(value)
  if (typeof record === 'string') return record
  if (position !== 'line' && !isSurelyUtterance(record, text)) return 'not an utterance'
  return { type: 'entries', entries: [entryOf(record, text)], key: keyOfLine(record, text) }
}

/** The text that voicemode writes where it listened in vain. */
export const nothingHeard = '[no speech detected]'

type Line = Readonly<Record<string, unknown>>

/**
 * On a damaged line only an object with an id, a time, a type and text counts: no object inside an utterance has all of them.
 * The id's key has to be there as it is written, since the index of a day searches for that.
 */
function isSurelyUtterance(line: Line, text: string): boolean {
  const { conversation_id: id, timestamp, type, text: words } = line
  const hasAll = [id, timestamp, type, words].every((field) => typeof field === 'string')
  return hasAll && text.includes('"conversation_id"')
}

type Speaker = Pick<NamelessEntry, 'from' | 'to' | 'entry_type' | 'role'>

const heard: Speaker = { from: 'user', to: 'voicemode', entry_type: 'message', role: 'user' }
const spoken: Speaker = { from: 'voicemode', to: 'user', entry_type: 'message', role: 'agent' }
const unknown: Speaker = { from: 'voicemode', to: 'user', entry_type: 'unknown' }

/** Returns the speaker of an utterance of this type. */
export function speakerOfType(type: unknown): Speaker {
  return type === 'stt' ? heard : type === 'tts' ? spoken : unknown
}

/** Fields with another type than the format's are kept unchanged (`raw_fields`). */
const Fields = z.object({
  text: z.string().nullish().catch(undefined),
  timestamp: z.string().nullish().catch(undefined),
  project_path: z.string().nullish().catch(undefined),
  audio_file: z.string().nullish().catch(undefined),
  duration_ms: z.number().nullish().catch(undefined),
})

function entryOf(line: Line, text: string): NamelessEntry {
  const { type } = line
  const speaker = speakerOfType(type)
  const fields = Fields.parse(line)
  const given = isJsonObject(line.metadata) ? line.metadata : undefined
  const timestamp = instantOf(fields.timestamp ?? '') ?? null
  // Nobody knows what matters in a line of an unknown kind without words: it is kept as it is.
  const wordless = speaker === unknown ? text.trim() : ''
  const metadata = {
    ...speechMetadata(line.type, line.version ?? 1, given ?? {}),
    ...(fields.project_path ? { project: fields.project_path } : {}),
    ...(fields.audio_file ? { audio: audioOf(fields.audio_file, fields.duration_ms) } : {}),
    ...rawFields(line, { ...fields, metadata: given, timestamp: timestamp ?? undefined }),
  }
  const rawType = typeof type === 'string' ? type : (JSON.stringify(type) ?? '')
  return {
    timestamp,
    ...speaker,
    content: fields.text ?? wordless,
    metadata: speaker === unknown ? { raw_type: rawType, ...metadata } : metadata,
  }
}

/**
 * Returns the metadata of an utterance: its type, its version and the metadata of its line in `speech`, and the model
 * as `model`.
 */
export function speechMetadata(
  type: unknown,
  version: unknown,
  given: Line,
): Readonly<Record<string, unknown>> {
  const { model } = given
  const isNamed = typeof model === 'string' && model !== ''
  const others = Object.entries(given).filter(
    ([key]) => !isOurs(key) && !(isNamed && key === 'model'),
  )
  const own = Object.entries({ type, version }).filter(([, value]) => value !== undefined)
  return { ...(isNamed ? { model } : {}), speech: Object.fromEntries([...own, ...others]) }
}

function audioOf(file: string, durationMs: number | null | undefined) {
  return durationMs == null ? { file } : { file, duration_ms: durationMs }
}

/** Keys that are in the entry under another name, where they are of the type that the format gives them. */
const spokenFor: ReadonlySet<string> = new Set(['version', 'type'])

/** @param known the fields that are in the entry; undefined where their type is another than the format's */
function rawFields(line: Line, known: Line & { readonly metadata: Line | undefined }) {
  const raw = Object.entries(line).filter(([key, value]) => {
    if (spokenFor.has(key) || value === null) return false
    if (key === 'conversation_id') return !isId(value)
    // Without a file there is nothing that lasts so long.
    if (key === 'duration_ms' && !known.audio_file) return true
    return !Object.hasOwn(known, key) || known[key] === undefined
  })
  // What a name of ours would hide.
  const hidden = Object.entries(known.metadata ?? {}).filter(([key]) => isOurs(key))
  const others = hidden.length === 0 ? raw : [...raw, ['metadata', Object.fromEntries(hidden)]]
  return others.length === 0 ? {} : { raw_fields: Object.fromEntries(others) }
}

function isOurs(key: string): boolean {
  return key === 'type' || key === 'version'
}
