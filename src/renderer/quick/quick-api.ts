import type { Contract, Envelope, Transport } from '../../shared/ipc/contract'
import type { Client } from '../../shared/ipc/wire/primitives'

/** Client of the quick entry's part of the contract, and of nothing else. */
export type QuickApi = Client<Contract['quick']>

/**
 * Makes it over the transport that preload exposes. Failed calls reject with an error that has main's words. The whole contract stays out of
 * this page, which is to be there at once.
 */
export function createQuickApi(transport: Transport): QuickApi {
  const call = async (name: keyof Contract['quick'], args?: unknown) =>
    resultOf(await transport.invoke(`quick.${name}`, args))
  const client: { readonly [Name in keyof QuickApi]: unknown } = {
    view: () => call('view'),
    send: (message: unknown) => call('send', message),
    keep: (text: unknown) => call('keep', text),
    hide: () => call('hide'),
    onShown: (listener: (view: unknown) => void) => transport.on('quick.shown', listener),
    onClosing: (listener: () => void) => transport.on('quick.closing', listener),
  }
  // Main gives what the contract says, by the same names.
  return client as QuickApi
}

function resultOf(envelope: Envelope): unknown {
  if (envelope.ok) return envelope.value
  throw new Error(envelope.error.message)
}
