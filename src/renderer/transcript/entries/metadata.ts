import { unfinishedSentence } from '../../../shared/model/conversation/answer-end'
import type { Entry } from '../../../shared/model/conversation/entry'
import { CompactionFacts, Interruption, RunFailure } from '../../../shared/model/run/run'

/** What an entry's metadata tells, as far as it is understood; anything else is left to the raw view. */
export interface MetadataFacts {
  readonly model: string | undefined
  readonly reasoning: string | undefined
  readonly interrupted: Interruption | undefined
  /** Says that the provider ended an answer before its end, and why. */
  readonly unfinished: string | undefined
  /** Came out of a line that as a whole could not be read. */
  readonly isRecovered: boolean
  /** Some bytes of its line were no text. */
  readonly isDamaged: boolean
  /** Some of its metadata was nested so deeply that it is kept as text. */
  readonly isDeep: boolean
}

/** Reads the metadata that Skein knows. */
export function metadataFactsOf(entry: Entry): MetadataFacts {
  const { metadata = {} } = entry
  const interrupted = Interruption.safeParse(metadata.interrupted)
  return {
    model: textOf(metadata.model),
    reasoning: textOf(metadata.reasoning),
    interrupted: interrupted.success ? interrupted.data : undefined,
    unfinished: unfinishedSentence(metadata),
    isRecovered: metadata.recovered !== undefined && metadata.recovered !== false,
    isDamaged: metadata.damaged !== undefined && metadata.damaged !== false,
    isDeep: metadata.deep_fields !== undefined,
  }
}

/** The failure that a `run_error` entry tells of; one that cannot be understood still has its words. */
export function runFailureOf(entry: Entry): RunFailure {
  const parsed = RunFailure.safeParse(entry.metadata)
  if (parsed.success) return parsed.data
  return {
    kind: 'server',
    message: entry.content === '' ? 'The answer broke off' : entry.content,
    advice: '',
    attempts: 1,
  }
}

/** What a compaction kept of the entries above it. */
export function compactionSummaryOf(entry: Entry): string | undefined {
  return textOf(entry.metadata?.summary)
}

/** What a compaction of Skein's tells of itself. */
export function compactionFactsOf(entry: Entry): CompactionFacts | undefined {
  return CompactionFacts.safeParse(entry.metadata?.compaction).data
}

/** Whether a result tells of a failure, by its metadata or its first word. */
export function isFailedResult(result: Entry): boolean {
  const mark = result.metadata?.is_error ?? result.metadata?.error
  return mark === undefined ? /^\s*error\b/i.test(result.content.slice(0, 80)) : mark !== false
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
