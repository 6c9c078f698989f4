import type { Unit } from './units'

/** A context window parted in two, each part in the window's order. */
export interface PartedWindow {
  readonly dropped: readonly Unit[]
  readonly kept: readonly Unit[]
}

/** The room that a compaction has to make. */
export interface WantedRoom {
  /** The number of messages that are to go. */
  readonly messages: number
  /** The most tokens of the kept part, if that can be; unlimited where it is undefined. */
  readonly tokens: number | undefined
}

/** Returns the indexes that are always kept: the last user message, and the last unit. */
function staying(units: readonly Unit[], bound: Bound): ReadonlySet<number> {
  const asked = units.findLastIndex(({ isAsked }) => isAsked)
  return withBound(
    [asked, units.length - 1].filter((at) => at >= 0),
    bound,
  )
}

/**
 * Parts a window by the chosen indexes; where that makes too little room, the oldest of the others go as well. The
 * kept part begins with a user message, if one is kept. The last user message and the last unit are always kept.
 */
export function partByChoice(
  units: readonly Unit[],
  chosen: ReadonlySet<number>,
  room: Pick<WantedRoom, 'tokens'>,
): PartedWindow {
  const bound = bindUnits(units)
  const stays = staying(units, bound)
  const gone = new Set([...withBound(chosen, bound)].filter((at) => !stays.has(at)))
  if (room.tokens !== undefined) {
    let left = units.reduce((sum, { tokens }, at) => sum + (gone.has(at) ? 0 : tokens), 0)
    for (const at of units.keys()) {
      if (left <= room.tokens) break
      if (stays.has(at) || gone.has(at)) continue
      for (const one of withBound([at], bound)) {
        gone.add(one)
        left -= units[one]?.tokens ?? 0
      }
    }
  }
  return partUnits(units, fromQuestion(units, gone, stays, bound))
}

/** Adds what would come before the first user message that is kept: some models require it to be first. */
function fromQuestion(
  units: readonly Unit[],
  gone: ReadonlySet<number>,
  stays: ReadonlySet<number>,
  bound: Bound,
): ReadonlySet<number> {
  if (!units.some(({ isAsked }, at) => isAsked && !gone.has(at))) return gone
  const all = new Set(gone)
  for (const [at, { isAsked }] of units.entries()) {
    if (all.has(at)) continue
    if (isAsked || stays.has(at)) break
    for (const one of withBound([at], bound)) all.add(one)
  }
  return all
}

/**
 * Returns the indexes of the oldest units, as many as hold the wanted number of messages, and those up to the next
 * user message, so that no question goes without its answer.
 */
export function oldestUnits(units: readonly Unit[], { messages }: WantedRoom): ReadonlySet<number> {
  const bound = bindUnits(units)
  const stays = staying(units, bound)
  const gone = new Set<number>()
  let count = 0
  for (const [at, unit] of units.entries()) {
    // The kept part begins with a user message, as some models require.
    if (count >= messages && unit.isAsked && !gone.has(at)) break
    if (stays.has(at) || gone.has(at)) continue
    for (const one of withBound([at], bound)) {
      gone.add(one)
      count += units[one]?.messages.length ?? 0
    }
  }
  return gone
}

/** Indexes that are kept or dropped together, under each of them; none for those that are bound to no other. */
type Bound = ReadonlyMap<number, readonly number[]>

/**
 * Binds the units whose entries share an id, which only files that another program wrote have: a window names by id
 * the entries that it keeps, so of two such entries it would keep the later one, whichever was meant.
 */
export function bindUnits(units: readonly Unit[]): Bound {
  const bound = new Map<number, number[]>()
  const placeOf = new Map<string, number>()
  for (const [at, { entries }] of units.entries())
    for (const { id } of entries) {
      const first = placeOf.get(id)
      if (first === undefined) placeOf.set(id, at)
      else bindTogether(bound, first, at)
    }
  return bound
}

function bindTogether(bound: Map<number, number[]>, one: number, other: number): void {
  const [ones, others] = [bound.get(one) ?? [one], bound.get(other) ?? [other]]
  if (one === other || ones === others) return
  // The smaller goes into the larger: so it stays cheap however many share one id.
  const [more, fewer] = ones.length < others.length ? [others, ones] : [ones, others]
  for (const at of fewer) more.push(at)
  for (const at of [one, other, ...fewer]) bound.set(at, more)
}

/** Adds to the given indexes those that are bound to them. */
export function withBound(places: Iterable<number>, bound: Bound): ReadonlySet<number> {
  const all = new Set<number>()
  for (const at of places) if (!all.has(at)) for (const one of bound.get(at) ?? [at]) all.add(one)
  return all
}

/** Parts units by the indexes of those that go. */
export function partUnits(units: readonly Unit[], gone: ReadonlySet<number>): PartedWindow {
  return {
    dropped: units.filter((_, at) => gone.has(at)),
    kept: units.filter((_, at) => !gone.has(at)),
  }
}
