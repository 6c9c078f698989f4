import { z } from 'zod'
import { type Entry, speakerOf } from '../../shared/model/conversation/entry'
import { addCount, type CountByName, sortedByCount } from '../terminal/counts'

/** Numbers of spoken and heard entries. Values that a record does not name count as `unknown`. */
export interface SpeechNumbers {
  readonly exchanges: number
  /** What a person was heard to say, and what was spoken. */
  readonly heard: number
  readonly spoken: number
  readonly words: { readonly heard: number; readonly spoken: number }
  readonly byProvider: CountByName
  readonly byTransport: CountByName
  readonly byVoice: CountByName
  /** Seconds, by the names that the records use: `ttfa`, `gen`, `play`, `record`, `stt`. */
  readonly timing: Readonly<Record<string, Spread>>
  /** Seconds from one side's record to the other side's next. */
  readonly turnaround: Spread | null
  readonly silenceDetection: { readonly on: number; readonly off: number }
  readonly errors: number
}

interface Spread {
  readonly count: number
  readonly average: number
  readonly min: number
  readonly max: number
}

const Text = z.string().min(1).optional().catch(undefined)
const Speech = z.object({
  provider: Text,
  transport: Text,
  voice: Text,
  timing: Text,
  error: Text,
  silence_detection: z.object({ enabled: z.boolean() }).optional().catch(undefined),
})

/** Counts the entries of conversations that have `metadata.speech`; null where none has. */
export function speechNumbers(conversations: readonly (readonly Entry[])[]): SpeechNumbers | null {
  const counts = { provider: counter(), transport: counter(), voice: counter() }
  const timing = new Map<string, number[]>()
  const turnarounds: number[] = []
  const sides = { heard: 0, spoken: 0 }
  const words = { heard: 0, spoken: 0 }
  const silence = { on: 0, off: 0 }
  let exchanges = 0
  let errors = 0
  for (const entries of conversations) {
    let before: Entry | undefined
    for (const entry of entries) {
      const speech = Speech.safeParse(entry.metadata?.speech).data
      if (speech === undefined) continue
      exchanges += 1
      addCount(counts.provider, speech.provider ?? 'unknown')
      addCount(counts.transport, speech.transport ?? 'unknown')
      if (speakerOf(entry) === 'agent') addCount(counts.voice, speech.voice ?? 'unknown')
      const side = speakerOf(entry) === 'user' ? 'heard' : 'spoken'
      sides[side] += 1
      words[side] += entry.content.split(/\s+/).filter(Boolean).length
      for (const [name, seconds] of timings(speech.timing ?? '')) {
        const known = timing.get(name)
        if (known === undefined) timing.set(name, [seconds])
        else known.push(seconds)
      }
      const turn = turnaround(before, entry)
      if (turn !== undefined) turnarounds.push(turn)
      if (speech.silence_detection !== undefined)
        silence[speech.silence_detection.enabled ? 'on' : 'off'] += 1
      if (speech.error !== undefined) errors += 1
      before = entry
    }
  }
  if (exchanges === 0) return null
  return {
    exchanges,
    ...sides,
    words,
    byProvider: sortedByCount(counts.provider),
    byTransport: sortedByCount(counts.transport),
    byVoice: sortedByCount(counts.voice),
    timing: Object.fromEntries(
      [...timing].flatMap(([name, seconds]) => {
        const spread = spreadOf(seconds)
        return spread === null ? [] : [[name, spread]]
      }),
    ),
    turnaround: spreadOf(turnarounds),
    silenceDetection: silence,
    errors,
  }
}

function counter(): Map<string, number> {
  return new Map()
}

/** `ttfa 1.2s, gen 2.3s` as names and seconds. */
function timings(text: string): readonly (readonly [string, number])[] {
  return [...text.slice(0, 1000).matchAll(/([a-z_]{1,40}) (\d{1,9}(?:\.\d{1,9})?)s/g)].map(
    ([, name = '', seconds]) => [name, Number(seconds)] as const,
  )
}

function turnaround(before: Entry | undefined, entry: Entry): number | undefined {
  if (before === undefined || speakerOf(before) === speakerOf(entry)) return undefined
  if (before.timestamp === null || entry.timestamp === null) return undefined
  return entry.timestamp - before.timestamp
}

function spreadOf(seconds: readonly number[]): Spread | null {
  if (seconds.length === 0) return null
  const sum = seconds.reduce((all, one) => all + one, 0)
  return {
    count: seconds.length,
    average: toMilliseconds(sum / seconds.length),
    min: toMilliseconds(seconds.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)),
    max: toMilliseconds(seconds.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)),
  }
}

/** The difference of two times has more decimals than either. */
function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
