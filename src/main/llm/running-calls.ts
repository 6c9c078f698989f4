import type { LibraryKey } from '../../shared/model/conversation'
import type { RunEvent, RunId } from '../../shared/model/run'
import type { ToolPreview } from '../tools/tool'
import type { ConsentCall } from './consent'

/** A call whose result is not there yet. */
export interface RunningCall {
  readonly callId: string
  readonly name: string
  readonly phase: 'asking' | 'running'
}

/** A call that waits for a person's word, and where. */
export interface ConsentQuestion {
  readonly runId: RunId
  readonly key: LibraryKey
  readonly call: ConsentCall
  readonly preview: ToolPreview
}

/** What is at work after an event; `calls` is what was before. */
export function callsAfter(
  calls: readonly RunningCall[] | undefined,
  { callId, name, phase }: Extract<RunEvent, { type: 'tool' }>,
): readonly RunningCall[] {
  const others = (calls ?? []).filter((call) => call.callId !== callId)
  return phase === 'ended' ? others : [...others, { callId, name, phase }]
}
