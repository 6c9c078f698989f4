import path from 'node:path'
import { endOfOptions } from './opened/end-of-options'

/** The options of the app window on the command line and in the environment. */
export interface StartOptions {
  /** Absolute; undefined where neither `--home` nor `CHIBI_HOME` names one. */
  readonly home: string | undefined
  /** `--home` was given: then other systems' histories are read only where `--root` names them. */
  readonly isHomeGiven: boolean
  /** `SOURCE=PATH` of each `--root`, not parsed yet. */
  readonly roots: readonly string[]
  /** The folder of caches; absolute. Undefined for the usual one. */
  readonly cache: string | undefined
  readonly sample: boolean
}

/**
 * Parses Skein's own options among Chromium's, which are in the same list; unknown ones are left to it.
 *
 * @param all arguments after the program's and the app's path
 * @param folder what relative paths are relative to
 */
export function startOptions(
  all: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): StartOptions {
  const argv = all.slice(0, endOfOptions(all))
  const given = valuesOf(argv, '--home').at(-1)
  const home = given ?? environment.CHIBI_HOME
  const cache = valuesOf(argv, '--cache').at(-1)
  return {
    home: home ? path.resolve(folder, home) : undefined,
    isHomeGiven: Boolean(given),
    roots: valuesOf(argv, '--root'),
    cache: cache ? path.resolve(folder, cache) : undefined,
    sample: argv.includes('--sample'),
  }
}

/** The values of an option, each as `--name value` or `--name=value`. */
function valuesOf(argv: readonly string[], name: string): readonly string[] {
  return argv.flatMap((argument, at) => {
    if (argument.startsWith(`${name}=`)) return [argument.slice(name.length + 1)]
    const next = argv[at + 1]
    return argument === name && next !== undefined ? [next] : []
  })
}
