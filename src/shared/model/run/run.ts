import { z } from 'zod'
import { EntryId } from '../conversation/entry'
import { TranscriptRow } from '../conversation/transcript'

/** One turn of the loop. */
export const RunId = z.string().min(1).brand<'RunId'>()
export type RunId = z.infer<typeof RunId>

/** Kind of a provider's failure; the advice that people get depends on it. */
export const FailureKind = z.enum([
  'bad-key',
  'no-credit',
  'forbidden',
  'not-found',
  'bad-request',
  'too-long',
  'rate-limited',
  'server',
  'unreachable',
  'stalled',
  'cut',
  'not-an-api',
  'too-much',
  'storage',
  'out-of-fuel',
])
export type FailureKind = z.infer<typeof FailureKind>

/** A provider's failure in words. Kept in the transcript as the metadata of a `run_error` entry. */
export const RunFailure = z.object({
  kind: FailureKind,
  /** One sentence: "The provider closed the stream after 31 s". */
  message: z.string(),
  /** The thing to do: "Check the key in Settings". */
  advice: z.string(),
  status: z.int().optional(),
  /** Requests made, the first included. */
  attempts: z.int(),
  /** The provider's own words, at most 2,000 characters, keys removed. */
  response: z.string().optional(),
})
export type RunFailure = z.infer<typeof RunFailure>

/** `metadata.interrupted` of an answer that did not end by itself. */
export const Interruption = z.enum(['stopped', 'failed', 'crashed'])
export type Interruption = z.infer<typeof Interruption>

/** Mode of a compaction: a summary of all messages, a summary of a share of them, or none. */
export const CompactionMode = z.enum(['full', 'rolling', 'drop'])
export type CompactionMode = z.infer<typeof CompactionMode>

/** Facts that an anchor has of the compaction that made it, as far as people are shown them. */
export const CompactionFacts = z.object({
  mode: CompactionMode,
  /** Messages that are not in the window any more. */
  archived: z.int().nonnegative(),
})
export type CompactionFacts = z.infer<typeof CompactionFacts>

/** Progress of a compaction. */
export const CompactionProgress = z.object({
  /**
   * `near`: the next request comes near the limit, and nothing is done about it. `choosing`, `summarizing`: the model is
   * asked. `done`: the new window is written. `kept`: the old one stays; `words` say why.
   */
  phase: z.enum(['near', 'choosing', 'summarizing', 'done', 'kept']),
  /** Of the request, as it would be now; estimated. */
  tokens: z.int(),
  /** The model's window in tokens; 0 where it is not known. */
  limit: z.int(),
  words: z.string().optional(),
})
export type CompactionProgress = z.infer<typeof CompactionProgress>

/**
 * Event of a run; they come in order. Closed: a new kind of event is added here and nowhere else.
 *
 * An `appended` row is durable. A `delta` is not on the disk as an entry yet (its text is in the partial file, at
 * most a second behind). `ended` is always the last.
 */
export const RunEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('appended'), row: TranscriptRow }),
  z.object({
    type: z.literal('requested'),
    model: z.string(),
    attempt: z.int(),
    /** The id under which the answer will stand in the transcript, if any text comes. */
    answerId: EntryId,
  }),
  z.object({
    type: z.literal('delta'),
    /** Counts from 0 in a run; a gap means that the window must ask for the page again. */
    seq: z.int(),
    /** `parted`: all content of this answer before were thoughts; its text is empty. */
    kind: z.enum(['content', 'reasoning', 'parted']),
    text: z.string(),
  }),
  z.object({
    type: z.literal('retrying'),
    attempt: z.int(),
    waitMs: z.int(),
    failure: RunFailure,
  }),
  z.object({
    type: z.literal('tool'),
    /** The `tool_call_id` of its entries. */
    callId: z.string(),
    name: z.string(),
    /** `asking`: a person is asked. `running`: it was begun. `ended`: its result is written next, in the order of the calls. */
    phase: z.enum(['asking', 'running', 'ended']),
  }),
  /** Told between two requests: with `done` right after the anchor was `appended`. */
  CompactionProgress.extend({ type: z.literal('compaction') }),
  z.object({
    type: z.literal('ended'),
    outcome: z.enum(['complete', 'stopped', 'failed']),
    /** With `complete`: the server ended the last answer before it was whole. */
    unfinished: z.literal(true).optional(),
    /** With `failed`: why. Also when no `run_error` entry could be written, as on a full disk. */
    failure: RunFailure.optional(),
  }),
])
export type RunEvent = z.infer<typeof RunEvent>
