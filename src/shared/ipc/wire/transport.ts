import type { ErrorReport } from '../../model/basics/errors'

/** The name of a call's or event's channel; never written by hand. */
export function channelOf(domain: string, name: string): string {
  return `${domain}.${name}`
}

/** How a call's end crosses: Electron keeps of a thrown error its message alone (electron#24427). */
export type Envelope =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ErrorReport }

/** What preload exposes as `window.api`: names of channels are checked on both sides. */
export interface Transport {
  invoke(channel: string, args: unknown): Promise<Envelope>
  on(channel: string, listener: (payload: unknown) => void): () => void
}
