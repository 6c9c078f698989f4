import { entryTimeMs } from '../../../shared/model/basics/time'
import { visibleText } from '../../../shared/model/basics/visible'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Entry } from '../../../shared/model/conversation/entry'
import type { Track } from '../../state/audio/audio'
import { cutText } from '../../ui/format/cut-text'
import { clockTime } from '../../ui/format/format'
import type { ListItem } from '../items/use-items'

/** Facts of how an entry was heard or spoken. */
export interface SpeechFacts {
  readonly kind: 'heard' | 'spoken'
  /** The voice of the model's speech. */
  readonly voice: string | undefined
  /** Model, provider and times in short: "whisper-1", "openai", "record 3.2s, stt 1.4s". */
  readonly words: readonly string[]
  readonly audio: AudioFacts | undefined
  /** Why it failed, where the entry says so. */
  readonly error: string | undefined
  /** Further facts by name: language, emotion, durations. */
  readonly facts: readonly SpeechFact[]
}

/** Fact of speech with its name. */
export interface SpeechFact {
  readonly name: string
  readonly value: string
}

/** Recording of an entry. */
export interface AudioFacts {
  /** A bare file name, not checked: lines are hostile. */
  readonly file: string
  readonly durationMs: number | undefined
}

/** voicemode's text for a recording without speech. */
const nothingHeard = '[no speech detected]'

/** Reads the facts of an entry's speech from its metadata; undefined without any. */
export function speechOf({ metadata = {} }: Entry): SpeechFacts | undefined {
  const speech = recordOf(metadata.speech)
  const audio = audioOf(metadata.audio)
  if (speech === undefined && audio === undefined) return undefined
  const fields = speech ?? {}
  const isHeard = fields.type === 'stt'
  const voice = wordOf(fields.voice)
  const model = wordOf(metadata.model)
  const reason = wordOf(fields.fallback_reason)
  const words = [
    model,
    wordOf(fields.provider),
    wordOf(fields.transport),
    wordOf(fields.timing),
    fields.is_fallback === true
      ? `fallback${reason === undefined ? '' : `: ${reason}`}`
      : undefined,
  ]
  return {
    kind: isHeard ? 'heard' : 'spoken',
    voice,
    words: words.filter((word) => word !== undefined),
    audio,
    error: wordOf(fields.error),
    facts: factsOf(fields, audio, recordOf(metadata.raw_fields)),
  }
}

/** @param raw unknown keys of the line: a length without a recording is one */
function factsOf(
  fields: Readonly<Record<string, unknown>>,
  audio: AudioFacts | undefined,
  raw: Readonly<Record<string, unknown>> | undefined,
): readonly SpeechFact[] {
  const rawMs = raw?.duration_ms
  const lengthMs = audio?.durationMs ?? (typeof rawMs === 'number' ? rawMs : undefined)
  const found: readonly (readonly [string, string | undefined])[] = [
    ['Language', wordOf(fields.language)],
    ['Emotion', wordOf(fields.emotion)],
    ['Length', secondsWords(lengthMs === undefined ? undefined : lengthMs / 1000)],
    ['First sound after', secondsWords(fields.time_to_first_audio)],
    ['Generated in', secondsWords(fields.generation_time)],
    ['Played in', secondsWords(fields.playback_time)],
    ['Transcribed in', secondsWords(fields.transcription_time)],
    ['Turnaround', secondsWords(fields.total_turnaround_time)],
    ['Format', wordOf(fields.audio_format)],
    ['Provider', wordOf(fields.provider_url)],
    ['Silence detection', silenceWords(recordOf(fields.silence_detection))],
  ]
  return found.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
}

/** @param seconds a value of a line, of any type */
function secondsWords(seconds: unknown): string | undefined {
  const isTime = typeof seconds === 'number' && seconds >= 0 && seconds * 1000 < longestMs
  return isTime ? `${(Math.round(seconds * 100) / 100).toLocaleString()} s` : undefined
}

function silenceWords(silence: Readonly<Record<string, unknown>> | undefined): string | undefined {
  if (silence === undefined) return undefined
  if (silence.enabled === false) return 'off'
  const { vad_aggressiveness: level, silence_threshold_ms: ms } = silence
  return [
    'on',
    ...(typeof level === 'number' ? [`level ${level}`] : []),
    ...(typeof ms === 'number'
      ? [`ends after ${secondsWords(ms / 1000) ?? 'an unknown time'}`]
      : []),
  ].join(', ')
}

/** Returns true where a recording of a person holds no speech. */
export function isSilence(entry: Entry): boolean {
  return entry.content.trim() === nothingHeard && recordOf(entry.metadata?.speech) !== undefined
}

/** Returns the recordings of a transcript as tracks, in its order. */
export function tracksOf(items: readonly ListItem[], key: LibraryKey): readonly Track[] {
  return items.flatMap((item) => {
    if (item.type !== 'user' && item.type !== 'agent') return []
    const audio = speechOf(item.entry)?.audio
    return audio === undefined ? [] : [trackOf(key, item.key, item.entry, audio)]
  })
}

/** Makes the track of an entry's recording. */
export function trackOf(
  key: LibraryKey,
  itemKey: string,
  entry: Pick<Entry, 'timestamp'>,
  audio: AudioFacts,
): Track {
  return { key, itemKey, name: audio.file, durationMs: audio.durationMs, said: saidWords(entry) }
}

function saidWords({ timestamp }: Pick<Entry, 'timestamp'>): string {
  const atMs = entryTimeMs(timestamp)
  return atMs === undefined ? 'what was said here' : `what was said at ${clockTime(atMs)}`
}

function audioOf(value: unknown): AudioFacts | undefined {
  const { file, duration_ms: durationMs } = recordOf(value) ?? {}
  if (typeof file !== 'string' || file === '') return undefined
  const isLength = typeof durationMs === 'number' && durationMs > 0 && durationMs < longestMs
  return { file, durationMs: isLength ? durationMs : undefined }
}

/** Longest duration that is believed: a day. */
const longestMs = 86_400_000
const wordUnits = 160

function wordOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const { shown, isCut } = cutText(value.trim(), 1, wordUnits)
  return `${visibleText(shown).trim()}${isCut ? '…' : ''}`
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}
