import {
  type Api,
  channelOf,
  contract,
  type Envelope,
  type Transport,
} from '../shared/ipc/contract'
import type { Domain } from '../shared/ipc/wire/primitives'
import { AppError } from '../shared/model/basics/errors'

declare global {
  interface Window {
    /** The transport that preload exposes; absent where the page runs outside of Skein. */
    readonly api?: Transport
  }
}

/**
 * Makes the typed client of the IPC contract over a transport: the app window's own, or one in memory. Failed calls
 * reject with `AppError`.
 */
export function createApi(transport: Transport): Api {
  const client: Record<string, Record<string, unknown>> = {}
  for (const [domain, members] of Object.entries(contract))
    client[domain] = clientOf(domain, members, transport)
  // The loop makes exactly the members that the mapped type names.
  return client as unknown as Api
}

/**
 * Returns the transport that preload exposes.
 *
 * @throws Error where there is none
 */
export function windowTransport(): Transport {
  if (window.api === undefined) throw new Error('window.api is missing: the preload did not run')
  return window.api
}

/** Returns the path of a file that was dropped or picked; empty where nobody knows it. */
export function pathOfFile(file: File): string {
  return window.api?.pathOf?.(file) ?? ''
}

function clientOf(domain: string, members: Domain, transport: Transport): Record<string, unknown> {
  const client: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(members)) {
    const channel = channelOf(domain, name)
    if (member.kind === 'call')
      client[name] = async (args: unknown) => unwrapped(await transport.invoke(channel, args))
    else
      client[`on${name.charAt(0).toUpperCase()}${name.slice(1)}`] = (
        listener: (payload: unknown) => void,
      ) => transport.on(channel, listener)
  }
  return client
}

function unwrapped(envelope: Envelope): unknown {
  if (envelope.ok) return envelope.value
  const { code, message, detail } = envelope.error
  throw new AppError(code, message, detail === undefined ? {} : { detail })
}
