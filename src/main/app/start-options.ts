import path from 'node:path'

/** What the command line and the environment ask of the window. */
export interface StartOptions {
  /** Absolute; undefined where neither `--home` nor `CHIBI_HOME` names one. */
  readonly home: string | undefined
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
  let home: string | undefined
  for (const [index, argument] of argv.entries()) {
    if (argument === '--home') home = argv[index + 1] ?? home
    else if (argument.startsWith('--home=')) home = argument.slice('--home='.length)
  }
  home ??= environment.CHIBI_HOME || undefined
  return {
    home: home === undefined || home === '' ? undefined : path.resolve(folder, home),
    sample: argv.includes('--sample'),
  }
}
