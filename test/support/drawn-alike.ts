import fc from 'fast-check'
import { createRandom, type Random } from '../../bench/support/random'

/**
 * What properties are tried with is the same in every run, so that a suite that passed passes again. `SKEIN_SEED=random`
 * draws anew, `SKEIN_SEED=NUMBER` as a failure told.
 */
const wanted = Number(process.env.SKEIN_SEED ?? 20_260_528)

/** For what is drawn by other means than fast-check. */
export const drawnSeed = Number.isInteger(wanted) ? wanted : Date.now()
if (Number.isInteger(wanted)) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: wanted })

/** Draws what a property is tried with: as its own seed has it, or as `SKEIN_SEED` asks. */
export function drawnRandom(ownSeed: number): Random {
  return createRandom(process.env.SKEIN_SEED === undefined ? ownSeed : ownSeed + drawnSeed)
}

/** Returns how often a property is tried: as many times as usual, or as `SKEIN_TRIALS` asks. */
export function trialsOf(usual: number): number {
  return Number(process.env.SKEIN_TRIALS ?? usual)
}
