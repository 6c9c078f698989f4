import { z } from 'zod'
import { LibraryKey } from '../model/conversation'
import { EntryId } from '../model/entry'
import { RunFailure, RunId } from '../model/run'
import { call, event } from './primitives'

/** What a run is doing. */
export const RunState = z.object({
  runId: RunId,
  key: LibraryKey,
  phase: z.enum(['sending', 'streaming', 'retrying', 'complete', 'stopped', 'failed']),
  model: z.string().optional(),
  attempt: z.int().optional(),
  /** The id that the answer's entry will have: where it stands, the streamed text is no longer shown. */
  answerId: EntryId.optional(),
  /** With `retrying`: when the next attempt starts, in Unix milliseconds. */
  retryAtMs: z.number().optional(),
  failure: RunFailure.optional(),
})
export type RunState = z.infer<typeof RunState>

export const completion = {
  /**
   * Writes the person's message and asks the model; the context is created when it does not exist and `create` is set.
   * Resolves when the message is durable. Throws `locked`, `busy` (a run is going on there), `no-model`, `no-key`, `disk-full`, `exists`.
   */
  start: call(
    z.object({
      key: LibraryKey,
      text: z.string().min(1).max(4_000_000),
      create: z.boolean(),
    }),
    z.object({ runId: RunId }),
  ),
  /** Asks the model again from the window as it stands, without a new message. */
  retry: call(z.object({ key: LibraryKey }), z.object({ runId: RunId })),
  /** Stops a run; what came stays, marked. Does nothing when it has ended. */
  cancel: call(z.object({ runId: RunId }), z.void()),
  /** What is going on now, for a window that was reloaded: the text so far included. */
  running: call(
    z.void(),
    z.array(RunState.extend({ content: z.string(), reasoning: z.string(), nextSeq: z.int() })),
  ),
  delta: event(
    z.object({
      runId: RunId,
      key: LibraryKey,
      seq: z.int(),
      kind: z.enum(['content', 'reasoning']),
      text: z.string(),
    }),
  ),
  state: event(RunState),
}
