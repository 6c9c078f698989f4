import { z } from 'zod'
import { entryTimeMs } from '../basics/time'
import { type Entry, speakerOf } from '../conversation/entry'
import { type SpeechSums, turnaroundStepOf } from './conversation-facts'
import { addCount } from './counts'
import { addSpreads, type SpreadSums } from './spread'

const Text = z.string().min(1).optional().catch(undefined)
const SpeechRecord = z.object({
  provider: Text,
  transport: Text,
  voice: Text,
  timing: Text,
  error: Text,
  silence_detection: z.object({ enabled: z.boolean() }).optional().catch(undefined),
})
/** The record of a spoken or heard entry, `metadata.speech`. */
export type SpeechRecord = z.infer<typeof SpeechRecord>

/** Reads the speech record of an entry; undefined for written ones. */
export function readSpeech(entry: Pick<Entry, 'metadata'>): SpeechRecord | undefined {
  const record = entry.metadata?.speech
  return record === undefined ? undefined : SpeechRecord.safeParse(record).data
}

/** Adds up spoken and heard entries. */
export class SpeechFold {
  private readonly names = { providers: counter(), transports: counter(), voices: counter() }
  private readonly timing = new Map<string, SpreadSums>()
  private readonly turns = new Map<string, { seconds: SpreadSums; steps: Map<number, number> }>()
  private readonly sums = {
    exchanges: 0,
    heard: 0,
    spoken: 0,
    wordsHeard: 0,
    wordsSpoken: 0,
    silenceOn: 0,
    silenceOff: 0,
    errors: 0,
  }

  /** Adds an entry. Values that its record does not name count as `unknown`. */
  add(entry: Entry, speech: SpeechRecord): void {
    const { names, sums } = this
    const speaker = speakerOf(entry)
    const words = entry.content.split(/\s+/).filter(Boolean).length
    sums.exchanges += 1
    addCount(names.providers, speech.provider ?? 'unknown')
    addCount(names.transports, speech.transport ?? 'unknown')
    if (speaker === 'agent') addCount(names.voices, speech.voice ?? 'unknown')
    sums[speaker === 'user' ? 'heard' : 'spoken'] += 1
    sums[speaker === 'user' ? 'wordsHeard' : 'wordsSpoken'] += words
    for (const [name, seconds] of timings(speech.timing ?? ''))
      this.timing.set(name, addSpreads(this.timing.get(name), one(seconds)))
    if (speech.silence_detection !== undefined)
      sums[speech.silence_detection.enabled ? 'silenceOn' : 'silenceOff'] += 1
    if (speech.error !== undefined) sums.errors += 1
  }

  /** Adds a turn-around that began on a day, in seconds. */
  addTurn(from: string, seconds: number): void {
    const known = this.turns.get(from)
    const steps = known?.steps ?? new Map<number, number>()
    const step = turnaroundStepOf(seconds)
    steps.set(step, (steps.get(step) ?? 0) + 1)
    this.turns.set(from, { seconds: addSpreads(known?.seconds, one(seconds)), steps })
  }

  /** Returns the sums so far. */
  facts(): SpeechSums {
    const { providers, transports, voices } = this.names
    return {
      ...this.sums,
      providers: [...providers],
      transports: [...transports],
      voices: [...voices],
      timing: [...this.timing],
      turns: [...this.turns].map(([from, { seconds, steps }]) => ({
        from,
        seconds,
        steps: [...steps],
      })),
    }
  }
}

/** Returns the seconds from one side's record to the other's next; undefined where it is the same side or has no time. */
export function turnaroundOf(before: Entry | undefined, entry: Entry): number | undefined {
  if (before === undefined || speakerOf(before) === speakerOf(entry)) return undefined
  if (entryTimeMs(before.timestamp) === undefined || entryTimeMs(entry.timestamp) === undefined)
    return undefined
  return (entry.timestamp ?? 0) - (before.timestamp ?? 0)
}

/** `ttfa 1.2s, gen 2.3s` as names and seconds. */
function timings(text: string): readonly (readonly [string, number])[] {
  return [...text.slice(0, 1000).matchAll(/([a-z_]{1,40}) (\d{1,9}(?:\.\d{1,9})?)s/g)].map(
    ([, name = '', seconds]) => [name, Number(seconds)] as const,
  )
}

function one(seconds: number): SpreadSums {
  return { count: 1, sum: seconds, min: seconds, max: seconds }
}

function counter(): Map<string, number> {
  return new Map()
}
