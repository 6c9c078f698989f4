import { type Contract, channelOf, contract } from '../../shared/ipc/contract'
import type { Domain, Emitters } from '../../shared/ipc/wire/primitives'

/** Functions that send the contract's events, by domain. */
export type WindowEvents = { readonly [Name in keyof Contract]: Emitters<Contract[Name]> }

/** Makes the functions that send each event of the contract. @param send sends to every window */
export function windowEvents(send: (channel: string, payload: unknown) => void): WindowEvents {
  const told = Object.entries(contract).map(([name, domain]) => [
    name,
    emitters(name as keyof Contract, domain, send),
  ])
  // Each domain has exactly the members that the mapped type names.
  return Object.fromEntries(told) as WindowEvents
}

function emitters(
  name: keyof Contract,
  domain: Domain,
  send: (channel: string, payload: unknown) => void,
) {
  const told: Record<string, (payload: unknown) => void> = {}
  for (const [member, definition] of Object.entries(domain))
    if (definition.kind === 'event')
      told[member] = (payload) => send(channelOf(name, member), payload)
  return told
}
