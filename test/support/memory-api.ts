import {
  type Contract,
  channelOf,
  contract,
  type Envelope,
  type Transport,
} from '../../src/shared/ipc/contract'
import type { Domain, Emitters, Handlers } from '../../src/shared/ipc/wire/primitives'
import { AppError } from '../../src/shared/model/basics/errors'

/** Handlers of every domain; a test may leave domains out that it does not use. */
export type AllHandlers = { readonly [Name in keyof Contract]: Handlers<Contract[Name]> }
export type AllEmitters = { readonly [Name in keyof Contract]: Emitters<Contract[Name]> }

/** A transport without a main process, and the events that its main would tell. */
export interface MemoryApi {
  readonly transport: Transport
  readonly tell: AllEmitters
  /** Channels that were called, in order. */
  readonly calls: readonly { readonly channel: string; readonly args: unknown }[]
}

/**
 * Serves the contract from memory: arguments, results and events are parsed by the contract's own schemas, so a fake
 * that says what main could not say fails at once.
 */
export function createMemoryApi(handlers: Partial<AllHandlers>): MemoryApi {
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const calls: { channel: string; args: unknown }[] = []

  async function answer(channel: string, args: unknown): Promise<unknown> {
    const [domain = '', name = ''] = channel.split('.')
    const member = memberOf(domain, name)
    if (member?.kind !== 'call') throw new Error(`no such call: ${channel}`)
    const handler = (
      handlers as Record<string, Record<string, (args: unknown) => Promise<unknown>>>
    )[domain]?.[name]
    if (handler === undefined) throw new Error(`no handler: ${channel}`)
    return member.result.parse(await handler(member.args.parse(args)))
  }

  return {
    calls,
    transport: {
      async invoke(channel, args): Promise<Envelope> {
        calls.push({ channel, args })
        try {
          return { ok: true, value: copied(await answer(channel, args)) }
        } catch (error) {
          const report =
            error instanceof AppError
              ? error.report()
              : { code: 'internal' as const, message: String(error) }
          return { ok: false, error: report }
        }
      },
      on(channel, listener) {
        const set = listeners.get(channel) ?? new Set()
        listeners.set(channel, set.add(listener))
        return () => void set.delete(listener)
      },
    },
    tell: emittersOf((channel, payload) => {
      for (const listener of listeners.get(channel) ?? []) listener(copied(payload))
    }),
  }
}

function emittersOf(send: (channel: string, payload: unknown) => void): AllEmitters {
  const tell: Record<string, Record<string, (payload: unknown) => void>> = {}
  for (const [domain, members] of Object.entries(contract)) {
    const emitters: Record<string, (payload: unknown) => void> = {}
    for (const [name, member] of Object.entries(members as Domain))
      if (member.kind === 'event')
        emitters[name] = (payload) => send(channelOf(domain, name), member.payload.parse(payload))
    tell[domain] = emitters
  }
  // The loop makes exactly the members that the mapped type names.
  return tell as AllEmitters
}

function memberOf(domain: string, name: string) {
  return (contract as Record<string, Domain>)[domain]?.[name]
}

/** What crosses between processes is a copy: nobody may rely on sharing an object. */
function copied(value: unknown): unknown {
  return value === undefined ? undefined : structuredClone(value)
}
