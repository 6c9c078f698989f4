import type { Search } from '../../src/main/search/search'
import type { FullText } from './full-text'
import type { QueryClass } from './query-classes'
import { forInformation, median, type Row } from './report'
import { hasRipgrep, ripgrep } from './ripgrep'

const tries = 4

/** Corpus that a class of queries is asked of, and programs that are asked beside it. */
interface Compared {
  /** Begins the names of figures. */
  readonly name: string
  readonly search: Search
  readonly folder: string
  readonly fullTexts: readonly FullText[]
}

/**
 * Measures the first 100 hits of each query, the best of four, beside `rg -i` over the same files by turns, and beside tables of FTS5; of
 * phrases also the time to count all hits.
 *
 * @throws Error where a search finds less than ripgrep
 */
export async function measureClass(
  { name, search, folder, fullTexts }: Compared,
  { name: kind, queries, arePatterns, areParts }: QueryClass,
): Promise<Row[]> {
  const isCompared = hasRipgrep()
  const flags = arePatterns ? [] : ['-F']
  const ours: number[] = []
  const ratios: number[] = []
  const counts: number[] = []
  for (const query of queries) {
    const asked = arePatterns ? `/${query}/i` : `"${query}"`
    let all = await search.run(asked, { countAll: true })
    const times: number[] = []
    let theirs = isCompared ? ripgrep(query, folder, flags) : undefined
    if (
      theirs !== undefined &&
      all.total < theirs.lines &&
      !arePatterns &&
      !mayBeInMoreLines(query)
    )
      throw new Error(`${asked}: ${all.total} hits, but ripgrep finds ${theirs.lines}`)
    for (let n = 0; n < tries; n++) {
      times.push((await search.run(asked)).elapsedMs)
      if (n === 0) {
        const again = await search.run(asked, { countAll: true })
        if (again.elapsedMs < all.elapsedMs) all = again
      }
      if (theirs === undefined) continue
      const again = ripgrep(query, folder, flags)
      if (again.ms < theirs.ms) theirs = again
    }
    const best = Math.min(...times)
    ours.push(best)
    if (theirs === undefined) continue
    ratios.push(theirs.ms / best)
    counts.push(theirs.ms / all.elapsedMs)
  }
  const what = `${name}: ${kind} (${queries.length})`
  const rg = ['rg -i', ...flags].join(' ')
  return [
    forInformation(`${what}, median`, median(ours), 'ms'),
    forInformation(`${what}, slowest tenth`, tenth(ours, 0.9), 'ms'),
    ...(isCompared
      ? [
          forInformation(`${what}, faster than ${rg}, median`, median(ratios), 'times'),
          forInformation(`${what}, faster than ${rg}, slowest tenth`, tenth(ratios, 0.1), 'times'),
          forInformation(`${what}, faster than ${rg}, least`, Math.min(...ratios), 'times'),
          forInformation(
            `${what}, all counted, faster than ${rg} -c, median`,
            median(counts),
            'times',
          ),
        ]
      : []),
    ...(arePatterns ? [] : fullTexts)
      .filter((table) => !areParts || table.kind === 'trigram')
      .flatMap((table) => fullTextRows(what, table, queries)),
  ]
}

function fullTextRows(what: string, table: FullText, queries: readonly string[]): readonly Row[] {
  const runs = Array.from({ length: tries }, () => table.ask(queries))
  const best = queries.flatMap((_, n) => {
    const times = runs.flatMap((run) => run[n] ?? [])
    return times.length === 0 ? [] : [Math.min(...times)]
  })
  if (best.length === 0) return []
  return [forInformation(`${what}, FTS5 ${table.kind}, median`, median(best), 'ms')]
}

/**
 * The names of fields and what they hold are in the bytes of a line, and no text of its entry; so is the letter of an escape
 * before a word, such as that of a line feed.
 */
function mayBeInMoreLines(query: string): boolean {
  const isOfFields =
    /file|lines|notes|content|entry|type|tool|result|message|stamp|shell|exec/.test(query)
  return query.length < 5 || /^[bfnrtu]/.test(query) || isOfFields
}

function tenth(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}
