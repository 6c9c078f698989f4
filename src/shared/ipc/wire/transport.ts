import type { ErrorReport } from '../../model/basics/errors'

/** Returns the channel name of a call or an event: `domain.name`. Channel names are never written by hand. */
export function channelOf(domain: string, name: string): string {
  return `${domain}.${name}`
}

/**
 * Result or error of a call on its way to the renderer. A thrown error would lose all but its message
 * (electron#24427).
 */
export type Envelope =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ErrorReport }

/** Interface that preload exposes as `window.api`. Channel names are checked on both sides. */
export interface Transport {
  invoke(channel: string, args: unknown): Promise<Envelope>
  on(channel: string, listener: (payload: unknown) => void): () => void
  /** The path of a file that a person dropped or picked; empty for one that a page made. Absent outside of Electron. */
  pathOf?(file: unknown): string
}
