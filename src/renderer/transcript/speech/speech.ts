import { entryTimeMs } from '../../../shared/model/basics/time'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Entry } from '../../../shared/model/conversation/entry'
import type { Track } from '../../state/audio/audio'
import { cutText } from '../../ui/format/cut-text'
import { clockTime } from '../../ui/format/format'
import { visibleText } from '../../ui/format/visible-text'
import type { ListItem } from '../items/use-items'

/** What is known of how something was said aloud. */
export interface SpeechFacts {
  readonly kind: 'heard' | 'spoken'
  /** Whose voice a model spoke with. */
  readonly voice: string | undefined
  /** How it was heard or spoken, in short words: "whisper-1", "openai", "record 3.2s, stt 1.4s". */
  readonly words: readonly string[]
  readonly audio: AudioFacts | undefined
  /** Why it failed, where that is told. */
  readonly error: string | undefined
  /** What else is told of it, each under its name: language, emotion, lengths and waits. */
  readonly facts: readonly SpeechFact[]
}

/** One thing that is told of how something was said. */
export interface SpeechFact {
  readonly name: string
  readonly value: string
}

/** A recording of it. */
export interface AudioFacts {
  /** A bare file name, which may be anything: lines are hostile. */
  readonly file: string
  readonly durationMs: number | undefined
}

/** voicemode's words for a recording in which nobody spoke. */
const nothingHeard = '[no speech detected]'

/** What an entry's metadata tells of its sound; undefined for what was not said aloud. */
export function speechOf({ metadata = {} }: Entry): SpeechFacts | undefined {
  const speech = recordOf(metadata.speech)
  const audio = audioOf(metadata.audio)
  if (speech === undefined && audio === undefined) return undefined
  const told = speech ?? {}
  const isHeard = told.type === 'stt'
  const voice = wordOf(told.voice)
  const model = wordOf(metadata.model)
  const reason = wordOf(told.fallback_reason)
  const words = [
    model,
    wordOf(told.provider),
    wordOf(told.transport),
    wordOf(told.timing),
    told.is_fallback === true ? `fallback${reason === undefined ? '' : `: ${reason}`}` : undefined,
  ]
  return {
    kind: isHeard ? 'heard' : 'spoken',
    voice,
    words: words.filter((word) => word !== undefined),
    audio,
    error: wordOf(told.error),
    facts: factsOf(told, audio, recordOf(metadata.raw_fields)),
  }
}

/** @param raw fields that have no place of their own: a length without a recording */
function factsOf(
  told: Readonly<Record<string, unknown>>,
  audio: AudioFacts | undefined,
  raw: Readonly<Record<string, unknown>> | undefined,
): readonly SpeechFact[] {
  const rawMs = raw?.duration_ms
  const lengthMs = audio?.durationMs ?? (typeof rawMs === 'number' ? rawMs : undefined)
  const found: readonly (readonly [string, string | undefined])[] = [
    ['Language', wordOf(told.language)],
    ['Emotion', wordOf(told.emotion)],
    ['Length', secondsWords(lengthMs === undefined ? undefined : lengthMs / 1000)],
    ['First sound after', secondsWords(told.time_to_first_audio)],
    ['Generated in', secondsWords(told.generation_time)],
    ['Played in', secondsWords(told.playback_time)],
    ['Transcribed in', secondsWords(told.transcription_time)],
    ['Turnaround', secondsWords(told.total_turnaround_time)],
    ['Format', wordOf(told.audio_format)],
    ['Provider', wordOf(told.provider_url)],
    ['Silence detection', silenceWords(recordOf(told.silence_detection))],
  ]
  return found.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
}

/** @param seconds from a line: anything */
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

/** Whether somebody was listened to who said nothing. */
export function isSilence(entry: Entry): boolean {
  return entry.content.trim() === nothingHeard && recordOf(entry.metadata?.speech) !== undefined
}

/** The recordings of a transcript in its order, one after the other. */
export function tracksOf(items: readonly ListItem[], key: LibraryKey): readonly Track[] {
  return items.flatMap((item) => {
    if (item.type !== 'user' && item.type !== 'agent') return []
    const audio = speechOf(item.entry)?.audio
    return audio === undefined ? [] : [trackOf(key, item.key, item.entry, audio)]
  })
}

/** An entry's recording as it is played. */
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

/** A day: no recording is longer. */
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
