import type { SearchHit, SearchResult } from '../../shared/model/search'
import type { CommandContext } from '../command/command'
import { jsonOutput } from '../terminal/output'
import type { ContextLine } from './hit-text'
import { sayOutcome } from './search-text'

/** Hits that are written as they are found. */
export interface HitStream {
  /** Takes hits that were just found, and resolves when they are written; those beyond the limit are left out. */
  found(hits: readonly SearchHit[]): Promise<void>
  /** Writes what waits, and says on standard error what the search says of itself. @throws AppError `disk-full`, `io` */
  end(result: SearchResult): Promise<void>
}

/**
 * Writes each hit as a line of JSON as soon as it is found, in no order; once each.
 *
 * @param limit hits after which `enough` is called
 * @param linesOf lines of the text around a hit, where they were asked for
 */
export function streamHits(
  { output }: Pick<CommandContext, 'output'>,
  limit: number,
  enough: () => void,
  linesOf: (hit: SearchHit) => Promise<readonly ContextLine[] | undefined>,
): HitStream {
  let count = 0
  /** One line after the other; the first failure ends it. */
  let writing: Promise<void> = Promise.resolve()
  let failure: unknown

  async function write(hit: SearchHit): Promise<void> {
    if (failure !== undefined) return
    try {
      const context = await linesOf(hit)
      await output.write(jsonOutput(context === undefined ? hit : { ...hit, context }))
    } catch (error) {
      failure = error
      enough()
    }
  }

  return {
    found(hits) {
      for (const hit of hits.slice(0, limit - count)) {
        count += 1
        writing = writing.then(() => write(hit))
      }
      if (count >= limit) enough()
      return writing
    },
    async end(result) {
      await writing
      if (failure !== undefined) throw failure
      sayOutcome(output, result, `the first ${count} that were found shown`, count)
    },
  }
}
