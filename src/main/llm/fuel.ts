/** What a run may use up before a person has to speak again, as in chibi. */
export interface Fuel {
  burn(cost: number): void
  readonly isGone: boolean
}

/** chibi's own number. */
export const usualFuel = 30
export const roundCost = 1
/** Of an answer without a word, and of a round that repeats a call of the one before. */
export const idleCost = 15

/** @param amount 0: without a limit */
export function fuelOf(amount: number): Fuel {
  let left = amount === 0 ? Number.POSITIVE_INFINITY : amount
  return {
    burn(cost) {
      left -= cost
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
