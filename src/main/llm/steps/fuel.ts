/** The fuel of a run, as in chibi: how much it may do before a person has to write again. */
export interface Fuel {
  /** Undefined: without a limit; then nothing here changes anything. */
  readonly total: number | undefined
  /** Never below 0. */
  readonly left: number
  burn(cost: number): void
  /** Sets what is left. 0 is used up, not unlimited. */
  set(amount: number): void
  readonly isGone: boolean
}

/** The default of chibi. */
export const usualFuel = 30
/** The cost of a round of calls, and of another turn of the model's own. */
export const roundCost = 1
/** The default cost of an empty answer, and of a round that repeats a call of the round before. */
export const idleCost = 15

/**
 * Returns the fuel of a run at its beginning.
 *
 * @param amount 0: without a limit
 */
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

/** Counts of equal calls, round after round. */
export interface CallStreaks {
  /** Takes the calls of a round and returns for each its number in a row, from 1. */
  count(calls: readonly { readonly name: string; readonly arguments: string }[]): readonly number[]
}

/** Returns counts without any call. */
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
