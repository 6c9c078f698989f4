import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { CompactionProgress, RunEvent, RunFailure, RunId } from '../../../shared/model/run/run'

/** A call that has no result yet. */
export interface RunningCall {
  readonly callId: string
  readonly name: string
  readonly phase: 'asking' | 'running'
}

/** The progress of a run, as the app window gets it. */
export interface RunProgress {
  readonly runId: RunId
  readonly key: LibraryKey
  readonly phase: 'sending' | 'streaming' | 'retrying' | 'complete' | 'stopped' | 'failed'
  readonly model?: string
  readonly attempt?: number
  /** The id that the answer's entry will have: once the entry is there, the streamed text is no longer needed. */
  readonly answerId?: EntryId
  /** With `sending`: when the request went out, in Unix milliseconds. */
  readonly sentAtMs?: number
  /** With `retrying`: when the next attempt starts, in Unix milliseconds. */
  readonly retryAtMs?: number
  /** The tools that are at work now, or wait for a person's word. */
  readonly calls?: readonly RunningCall[]
  /** Room is being made in the window, or would have to be. */
  readonly compaction?: CompactionProgress
  readonly failure?: RunFailure
  /** With `complete`: the last answer is not whole. */
  readonly unfinished?: true
}

/** The part of the progress that a change replaces. */
export type ProgressChange = Omit<RunProgress, 'runId' | 'key'>

/** Returns the progress after a change: run, model, attempt and answer stay, everything else is the change's. */
export function progressAfter(before: RunProgress, change: ProgressChange): RunProgress {
  const { runId, key, model, attempt, answerId } = before
  return {
    runId,
    key,
    ...(model === undefined ? {} : { model }),
    ...(attempt === undefined ? {} : { attempt }),
    ...(answerId === undefined ? {} : { answerId }),
    ...change,
  }
}

/** Returns the change that an event makes; undefined where it makes none. */
export function changeBy(
  before: RunProgress,
  event: RunEvent,
  nowMs: number,
): ProgressChange | undefined {
  switch (event.type) {
    case 'appended':
      return undefined
    case 'requested': {
      const { model, attempt, answerId } = event
      return { phase: 'sending', model, attempt, answerId, sentAtMs: nowMs }
    }
    case 'delta':
      return before.phase === 'streaming' ? undefined : { phase: 'streaming' }
    case 'retrying': {
      const { attempt, failure } = event
      return { phase: 'retrying', attempt, retryAtMs: nowMs + event.waitMs, failure }
    }
    case 'tool':
      return { phase: before.phase, calls: callsAfter(before.calls, event) }
    case 'compaction': {
      const { type: _, ...compaction } = event
      return { phase: before.phase, compaction }
    }
    case 'ended':
      return {
        phase: event.outcome,
        ...(event.unfinished === undefined ? {} : { unfinished: event.unfinished }),
        ...(event.failure === undefined ? {} : { failure: event.failure }),
      }
  }
}

/** Returns the running calls after an event; `calls` are those before. */
function callsAfter(
  calls: readonly RunningCall[] | undefined,
  { callId, name, phase }: Extract<RunEvent, { type: 'tool' }>,
): readonly RunningCall[] {
  const others = (calls ?? []).filter((call) => call.callId !== callId)
  return phase === 'ended' ? others : [...others, { callId, name, phase }]
}
