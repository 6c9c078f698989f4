import fs from 'node:fs'
import { createRandom, type Random } from '../../../bench/support/random'
import { drawnSeed, trialsOf } from '../drawn-alike'

/** One only, by its number, to look at it. */
const only = process.env.SKEIN_ROUND
/** Failures that a long run by hand gathers before it ends: of each sentence the first. */
const mostKinds = 25

/**
 * Plays rounds, each drawn by its own number: as many as usual, or as `SKEIN_TRIALS` asks; `SKEIN_ROUND` plays one alone.
 * What fails says the seed and the round. By hand, failures of other words are gathered and thrown together.
 *
 * @param name of what is played: others draw others
 * @throws Error what rounds have thrown, with what draws them again
 */
export async function playRounds(
  name: string,
  usual: number,
  round: (random: Random, number: number) => Promise<void>,
): Promise<void> {
  const isLong = process.env.SKEIN_TRIALS !== undefined
  const numbers =
    only === undefined ? Array.from({ length: trialsOf(usual) }, (_, n) => n) : [Number(only)]
  const failures = new Map<string, string>()
  for (const number of numbers) {
    if (isLong) noteRound(name, number)
    try {
      await round(createRandom(seedOf(name) + number * 7919), number)
    } catch (error) {
      const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
      const said = `${name}, round ${number} of SKEIN_SEED=${drawnSeed}: ${words}`
      if (!isLong) throw new Error(said, { cause: error })
      const kind = kindOf(words)
      if (!failures.has(kind)) failures.set(kind, said)
      if (failures.size >= mostKinds) break
    }
  }
  if (failures.size > 0) throw new Error([...failures.values()].join('\n\n'))
}

function seedOf(name: string): number {
  let seed = drawnSeed
  for (const character of name) seed = (Math.imul(seed, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  return seed
}

/** What is the same of two failures of one cause, as far as words tell. */
function kindOf(words: string): string {
  return (
    words
      .split('\n')[0]
      ?.replace(/\d+|"[^"]*"|'[^']*'/g, '#')
      .slice(0, 90) ?? ''
  )
}

/** Where a round hangs, the file says which. */
function noteRound(name: string, number: number): void {
  const file = process.env.SKEIN_ROUND_FILE
  if (file !== undefined) fs.writeFileSync(file, `${name} ${number} SKEIN_SEED=${drawnSeed}\n`)
}
