import type { Search } from '../../src/main/search/search'
import type { QueryClass } from './query-classes'
import { forInformation, median, type Row } from './report'
import { hasRipgrep, ripgrep } from './ripgrep'
import type { TextsCorpus } from './texts-corpus'

const tries = 4

/**
 * Measures the first 100 hits of each query, the best of four, beside `rg -i -F` over the same files by turns.
 *
 * @throws Error where a search finds less than ripgrep
 */
export async function measureClass(
  search: Search,
  corpus: TextsCorpus,
  { name, queries }: QueryClass,
): Promise<Row[]> {
  const isCompared = hasRipgrep()
  const ours: number[] = []
  const ratios: number[] = []
  for (const query of queries) {
    const asked = `"${query}"`
    const { total } = await search.run(asked, { countAll: true })
    const times: number[] = []
    let theirs = isCompared ? ripgrep(query, corpus.folder, ['-F']) : undefined
    if (theirs !== undefined && total < theirs.lines && !mayBeInMoreLines(query))
      throw new Error(`${asked}: ${total} hits, but ripgrep finds ${theirs.lines}`)
    for (let n = 0; n < tries; n++) {
      times.push((await search.run(asked)).elapsedMs)
      if (theirs === undefined) continue
      const again = ripgrep(query, corpus.folder, ['-F'])
      if (again.ms < theirs.ms) theirs = again
    }
    const best = Math.min(...times)
    ours.push(best)
    if (theirs !== undefined) ratios.push(theirs.ms / best)
  }
  const what = `search, texts of others: ${name} (${queries.length})`
  return [
    forInformation(`${what}, median`, median(ours), 'ms'),
    forInformation(`${what}, slowest tenth`, tenth(ours, 0.9), 'ms'),
    ...(isCompared
      ? [
          forInformation(`${what}, faster than rg -i -F, median`, median(ratios), 'times'),
          forInformation(
            `${what}, faster than rg -i -F, slowest tenth`,
            tenth(ratios, 0.1),
            'times',
          ),
        ]
      : []),
  ]
}

/**
 * The names of fields and what they hold are in the bytes of a line, and no text of its entry; so is the letter of an escape
 * before a word, such as that of a line feed.
 */
function mayBeInMoreLines(query: string): boolean {
  const isOfFields = /file|lines|notes|content|entry|type|tool|result|message|stamp/.test(query)
  return query.length < 5 || /^[bfnrtu]/.test(query) || isOfFields
}

function tenth(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}
