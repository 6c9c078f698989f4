import type { CommandContext } from '../command/command'

/** Outcome of a search, for its exit code. */
export interface FoundInAll {
  readonly hits: number
  /** Everything could be read. */
  readonly isWhole: boolean
}

/**
 * Returns the exit code of a search: 0, or 1 where not all could be read. With `--exit-code` it is grep's: 0 with a hit, 1 without one, 2 where
 * something could not be read.
 */
export function searchExitCode(
  { args }: Pick<CommandContext, 'args'>,
  { hits, isWhole }: FoundInAll,
): number {
  if (args.flags['exit-code'] !== true) return isWhole ? 0 : 1
  return isWhole ? (hits > 0 ? 0 : 1) : 2
}
