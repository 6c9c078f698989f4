import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { RunId } from '../../../shared/model/run/run'
import type { ToolPreview } from '../../tools/base/tool'

/** A call that waits for consent. */
export interface ConsentCall {
  /** The `tool_call_id` of its entries. */
  readonly id: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** A call that waits for a person's consent, and its run. */
export interface ConsentQuestion {
  readonly runId: RunId
  readonly key: LibraryKey
  readonly call: ConsentCall
  readonly preview: ToolPreview
}

/** The answer. `as` is kept in the result's metadata: `once` where it is absent. */
export type ConsentAnswer =
  | { readonly allowed: true; readonly as?: 'once' | 'always' }
  | { readonly allowed: false; readonly reason?: string | undefined }

/**
 * A function that asks whether a call may be made that changes files or sends something. Stopping the run aborts the
 * signal.
 */
export type AskConsent = (
  call: ConsentCall,
  preview: ToolPreview,
  signal: AbortSignal,
) => Promise<ConsentAnswer>
