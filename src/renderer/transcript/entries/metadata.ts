import { unfinishedSentence } from '../../../shared/model/conversation/answer-end'
import type { Entry } from '../../../shared/model/conversation/entry'
import { CompactionFacts, Interruption, RunFailure } from '../../../shared/model/run/run'

/** Facts of an entry's metadata that Skein understands; others are left to the raw view. */
export interface MetadataFacts {
  readonly model: string | undefined
  readonly reasoning: string | undefined
  readonly interrupted: Interruption | undefined
  /** A sentence on why the provider ended the answer early. */
  readonly unfinished: string | undefined
  /** Recovered from a line that could not be read as a whole. */
  readonly isRecovered: boolean
  /** Some bytes of its line were not valid text. */
  readonly isDamaged: boolean
  /** Some metadata was nested too deeply and is kept as text. */
  readonly isDeep: boolean
}

/** Reads the facts of an entry's metadata. */
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

/** Reads the failure of a `run_error` entry; from one of another shape, its text alone. */
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

/** Returns the summary of a compaction. */
export function compactionSummaryOf(entry: Entry): string | undefined {
  return textOf(entry.metadata?.summary)
}

/** Reads the facts of one of Skein's own compactions; undefined for any other. */
export function compactionFactsOf(entry: Entry): CompactionFacts | undefined {
  return CompactionFacts.safeParse(entry.metadata?.compaction).data
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
