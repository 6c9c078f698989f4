import { expect } from 'vitest'
import { createRandom } from '../../bench/support/random'
import { drawnSeed } from './drawn-alike'

/** Set where everything is tried, as `npm run test:faults` asks; else what is long tries a sample, the same each time. */
export const triesAll = process.env.SKEIN_FAULTS === 'all'

/**
 * Draws which of many are tried, in their order: the first, the last, one of each kind, and so many others. All of them
 * where everything is tried.
 */
export function drawnOf<T>(
  all: readonly T[],
  others: number,
  kindOf: (one: T, at: number) => unknown = () => undefined,
): readonly T[] {
  if (triesAll) return all
  const random = createRandom(seedOfTest())
  const places = all.map((_, at) => at)
  const drawn = new Set([0, all.length - 1])
  const kinds = new Map<unknown, number[]>()
  for (const [at, one] of all.entries()) {
    const kind = kindOf(one, at)
    const alike = kinds.get(kind)
    if (alike === undefined) kinds.set(kind, [at])
    else alike.push(at)
  }
  for (const alike of kinds.values()) {
    const at = alike[random.below(alike.length)]
    // One that stands for its kind already is enough.
    if (at !== undefined && !alike.some((one) => drawn.has(one))) drawn.add(at)
  }
  const rest = places.filter((at) => !drawn.has(at))
  for (let n = 0; n < others && rest.length > 0; n++)
    for (const at of rest.splice(random.below(rest.length), 1)) drawn.add(at)
  return all.filter((_, at) => drawn.has(at))
}

/** Counts from the first to the last, in steps; the last only where a step comes there. */
export function numbersBetween(first: number, last: number, step = 1): readonly number[] {
  const length = Math.max(0, Math.floor((last - first) / step) + 1)
  return Array.from({ length }, (_, n) => first + n * step)
}

/**
 * Tries each one in its turn.
 *
 * @throws what was thrown at one, which it then names, with what it was drawn by
 */
export async function tryEach<T>(
  drawn: readonly T[],
  attempt: (one: T) => void | Promise<void>,
): Promise<void> {
  for (const one of drawn)
    try {
      await attempt(one)
    } catch (error) {
      throw sayingWhere(error, String(one))
    }
}

/** Adds to what was thrown where it was, and what draws the same again. */
export function sayingWhere(error: unknown, place: string): unknown {
  const by = triesAll ? '' : `, drawn with SKEIN_SEED=${drawnSeed}`
  if (error instanceof Error) error.message += `\n(at ${place}${by})`
  return error
}

/** Has each test draw others. */
function seedOfTest(): number {
  let seed = drawnSeed
  for (const character of expect.getState().currentTestName ?? '')
    seed = (Math.imul(seed, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  return seed
}
