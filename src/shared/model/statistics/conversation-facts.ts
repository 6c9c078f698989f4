import type { ConversationEnd } from '../lists/conversation-end'
import type { NamedCounts } from './counts'
import type { SpreadSums } from './spread'
import type { TokenCounts } from './token-counts'

/** Sums of the spoken and heard entries of a cell. */
export interface SpeechSums {
  readonly exchanges: number
  readonly heard: number
  readonly spoken: number
  readonly wordsHeard: number
  readonly wordsSpoken: number
  readonly providers: NamedCounts
  readonly transports: NamedCounts
  readonly voices: NamedCounts
  /** Seconds, by the names that the records use. */
  readonly timing: readonly (readonly [name: string, seconds: SpreadSums])[]
  /** From one side's record to the other side's next, which is the cell's. */
  readonly turns: readonly SpokenTurns[]
  readonly silenceOn: number
  readonly silenceOff: number
  readonly errors: number
}

/** Turn-arounds that began on one day. */
export interface SpokenTurns {
  /** Local day of the record before. */
  readonly from: string
  readonly seconds: SpreadSums
  /** By the position in `turnaroundSteps`. */
  readonly steps: readonly (readonly [step: number, turns: number])[]
}

/**
 * Sums of the entries of one local day and hour that one model wrote. Only entries that count at this conversation: those
 * that it repeats of an older one count there.
 */
export interface FactsCell {
  /** `YYYY-MM-DD`: of the entry, else of its conversation's begin; empty where neither has a time. */
  readonly day: string
  /** 0 to 23; -1 for entries without a time of their own. */
  readonly hour: number
  /** Null for entries that name none. */
  readonly model: string | null
  readonly entries: number
  readonly types: NamedCounts
  readonly roles: NamedCounts
  /** Calls of tools, by the tool's name. */
  readonly calls: NamedCounts
  /** Results that are failures, by the tool's name; in the cell of the model that made the call. */
  readonly failures: NamedCounts
  /** Bytes of text, by role. */
  readonly bytes: NamedCounts
  /** Bytes that tools answered, by the tool's name. */
  readonly output: NamedCounts
  /** Records of usage; a record that a source line repeats counts once. */
  readonly usages: number
  readonly tokens: TokenCounts
  /** As the provider gave it; null where no record has one. */
  readonly cost: number | null
  readonly speech: SpeechSums | null
}

/** All entries of a day that one model wrote, those that count elsewhere among them. */
export interface FactsLength {
  readonly day: string
  readonly model: string | null
  readonly entries: number
}

/** The facts of one conversation that statistics are summed from, without its text: some hundred bytes for an hour of work. */
export interface StatisticsFacts {
  readonly source: string
  readonly key: string
  readonly title: string
  readonly project: string | null
  readonly cells: readonly FactsCell[]
  readonly lengths: readonly FactsLength[]
  /** Ends of branches that count at this conversation. */
  readonly leaves: number
  /** Its program or a person gave it a title of its own; titles given in Skein are not told. */
  readonly isTitled: boolean
  /** By the last of its entries in file order; null where none tells. */
  readonly end: ConversationEnd | null
}

/** Begins of the steps of turn-around times, in seconds; the last step has no end. */
export const turnaroundSteps = [0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 60, 120] as const

/** Returns the step of a turn-around time; one below zero, of records that are out of order, is in the first. */
export function turnaroundStepOf(seconds: number): number {
  return Math.max(
    0,
    turnaroundSteps.findLastIndex((begin) => begin <= seconds),
  )
}
