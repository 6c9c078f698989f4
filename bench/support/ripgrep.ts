import { spawnSync } from 'node:child_process'

/** Tells whether ripgrep is there to compare with. */
export function hasRipgrep(): boolean {
  return spawnSync('rg', ['--version']).status === 0
}

/**
 * Counts the lines of a folder's files that have a text in any case, by ripgrep, and measures it.
 *
 * @param flags such as `-F`, which takes the text as it is
 */
export function ripgrep(
  text: string,
  folder: string,
  flags: readonly string[] = [],
): { readonly lines: number; readonly ms: number } {
  const startedAt = performance.now()
  const { stdout } = spawnSync('rg', ['-i', ...flags, '-c', '--no-filename', '-e', text, folder], {
    encoding: 'utf8',
  })
  const ms = performance.now() - startedAt
  return { lines: stdout.split('\n').reduce((sum, count) => sum + Number(count), 0), ms }
}
