import type { Entry } from '../../../shared/model/conversation/entry'
import { creationSeconds, isExportableTime } from '../parts/exact-time'
import { CallPairing, type PairedStep } from './call-pairing'

/** An entry with its time in the session. */
export interface TimedEntry {
  readonly entry: Entry
  /** Unix milliseconds; of entries one after the other never less. */
  readonly atMs: number
  /** Its own time is earlier than that of the entry before. */
  readonly isLate: boolean
}

/** Step of a session, in the order in which it is written. */
export type WrittenStep = PairedStep<TimedEntry>

/** Makes steps of the entries that a session has: calls paired with results, and times that rise. */
export class SessionSteps {
  private readonly pairing = new CallPairing<{ readonly entry: Entry }>()
  private lastMs: number

  constructor(created: string | null) {
    this.lastMs = Math.round(creationSeconds(created) * 1000)
  }

  /** Takes the next entry; gives the steps that are known by then. */
  add(entry: Entry): readonly WrittenStep[] {
    return this.pairing.add({ entry }).map((step) => this.timed(step))
  }

  /** Ends the session. */
  end(): readonly WrittenStep[] {
    return this.pairing.end().map((step) => this.timed(step))
  }

  private timed(step: PairedStep<{ readonly entry: Entry }>): WrittenStep {
    if (step.type !== 'answer') return { ...step, entry: this.at(step.entry.entry) }
    const words = step.words.map(({ entry }) => this.at(entry))
    // All calls are written before the first result.
    const asked = step.calls.map(({ call }) => this.at(call.entry))
    const calls = step.calls.flatMap(({ result }, index) => {
      const call = asked[index]
      return call === undefined ? [] : [{ call, result: this.at(result.entry) }]
    })
    return { ...step, words, calls }
  }

  private at(entry: Entry): TimedEntry {
    const { timestamp } = entry
    const ownMs = isExportableTime(timestamp) ? Math.round(timestamp * 1000) : undefined
    const isLate = ownMs !== undefined && ownMs < this.lastMs
    if (ownMs !== undefined && !isLate) this.lastMs = ownMs
    return { entry, atMs: this.lastMs, isLate }
  }
}
