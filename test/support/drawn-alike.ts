import fc from 'fast-check'

/**
 * What properties are tried with is the same in every run, so that a suite that passed passes again. `SKEIN_SEED=random`
 * draws anew, `SKEIN_SEED=NUMBER` as a failure told.
 */
const wanted = Number(process.env.SKEIN_SEED ?? 20_260_528)

/** For what is drawn by other means than fast-check. */
export const drawnSeed = Number.isInteger(wanted) ? wanted : Date.now()
if (Number.isInteger(wanted)) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: wanted })
