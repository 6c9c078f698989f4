import type { Unit } from './units'

/** A window parted in two; both in its order. */
export interface Parted {
  readonly dropped: readonly Unit[]
  readonly kept: readonly Unit[]
}

/** What a window has to become. */
export interface Room {
  /** How many messages are to go. */
  readonly messages: number
  /** What stays must not take more tokens, if that can be; no matter where it is undefined. */
  readonly tokens: number | undefined
}

/** The places that stay whatever is chosen: the words that are being answered, and the last that was said or done. */
function staying(units: readonly Unit[]): ReadonlySet<number> {
  const asked = units.findLastIndex(({ isAsked }) => isAsked)
  return new Set([asked, units.length - 1].filter((at) => at >= 0))
}

/** Parts a window by what was chosen; where that makes too little room, the oldest of the others go as well. */
export function partedBy(
  units: readonly Unit[],
  chosen: ReadonlySet<number>,
  room: Pick<Room, 'tokens'>,
): Parted {
  const stays = staying(units)
  const gone = new Set([...chosen].filter((at) => !stays.has(at)))
  if (room.tokens !== undefined) {
    let left = units.reduce((sum, { tokens }, at) => sum + (gone.has(at) ? 0 : tokens), 0)
    for (const [at, { tokens }] of units.entries()) {
      if (left <= room.tokens) break
      if (stays.has(at) || gone.has(at)) continue
      gone.add(at)
      left -= tokens
    }
  }
  return parted(units, gone)
}

/** The places of the oldest, of so many messages together, but no question without its answer where that can be. */
export function oldest(units: readonly Unit[], { messages }: Room): ReadonlySet<number> {
  const stays = staying(units)
  const gone = new Set<number>()
  let count = 0
  for (const [at, unit] of units.entries()) {
    // What stays begins with a person's words, as some models want it.
    if (count >= messages && unit.isAsked) break
    if (stays.has(at)) continue
    gone.add(at)
    count += unit.messages.length
  }
  return gone
}

export function parted(units: readonly Unit[], gone: ReadonlySet<number>): Parted {
  return {
    dropped: units.filter((_, at) => gone.has(at)),
    kept: units.filter((_, at) => !gone.has(at)),
  }
}
