import path from 'node:path'

/** What the command line and the environment ask of the window. */
export interface StartOptions {
  /** Absolute; undefined where neither `--home` nor `CHIBI_HOME` names one. */
  readonly home: string | undefined
  /** `--home` was given: then other systems' histories are read only where `--root` names them. */
  readonly isHomeGiven: boolean
  /** `SOURCE=PATH` as it was given with each `--root`; nobody has looked whether it can be understood. */
  readonly roots: readonly string[]
  /** Where caches are kept; absolute. Undefined where the usual place has to do. */
  readonly cache: string | undefined
  readonly sample: boolean
}

/**
 * Reads Skein's own options among Chromium's, which stand in the same list; unknown ones are left to it.
 *
 * @param argv arguments after the program's and the app's path
 * @param folder what relative paths are relative to
 */
export function startOptions(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): StartOptions {
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
