/** What a run may use up before a person has to speak again, as in chibi. */
export interface Fuel {
  /** Undefined: without a limit; then nothing below changes anything. */
  readonly total: number | undefined
  /** Never below 0. */
  readonly left: number
  burn(cost: number): void
  /** Puts so much in the place of what is left. 0 is used up, not without a limit. */
  set(amount: number): void
  readonly isGone: boolean
}

/** chibi's own number. */
export const usualFuel = 30
export const roundCost = 1
/** Of an answer without a word, and of a round that repeats a call of the one before. */
export const idleCost = 15

/** @param amount 0: without a limit */
export function fuelOf(amount: number): Fuel {
  const total = amount === 0 ? undefined : amount
  let left = total ?? Number.POSITIVE_INFINITY
  return {
    total,
    get left() {
      return left
    },
    burn(cost) {
      left = Math.max(0, left - cost)
    },
    set(now) {
      if (total !== undefined) left = Math.max(0, now)
    },
    get isGone() {
      return left <= 0
    },
  }
}

/** Counts how often a call was asked for with the same arguments, round after round. */
export interface CallStreaks {
  /** Takes the calls of a round and tells for each the how many-th in a row it is, from 1. */
  count(calls: readonly { readonly name: string; readonly arguments: string }[]): readonly number[]
}

export function callStreaks(): CallStreaks {
  let before = new Map<string, number>()
  return {
    count(calls) {
      const now = new Map<string, number>()
      const counts = calls.map((call) => {
        const key = `${call.name}\0${call.arguments.trim()}`
        const count = (now.get(key) ?? before.get(key) ?? 0) + 1
        now.set(key, count)
        return count
      })
      before = now
      return counts
    },
  }
}
