import { contract } from './contract'
import type { Domain } from './wire/primitives'
import { channelOf } from './wire/transport'

/** Lists the channel names of all calls, or of all events. */
export function channels(kind: 'call' | 'event'): readonly string[] {
  return Object.entries(contract).flatMap(([domain, members]: [string, Domain]) =>
    Object.entries(members)
      .filter(([, member]) => member.kind === kind)
      .map(([name]) => channelOf(domain, name)),
  )
}
