import { fold } from '../../shared/model/basics/fold'
import type { EntryLabel } from '../../shared/model/conversation/entry-labels'
import type { NothingFound } from '../../shared/model/nothing-found'
import { parseQuery } from '../../shared/model/query/parse-query'
import type { QueryPiece } from '../../shared/model/query/query'
import { withoutPiece } from '../../shared/model/query/without-piece'
import { NearWords, shortestWord, wordPieces } from './nearby/near-words'
import type { Search } from './search'

/** Parts of a query that are left out, each in a search of its own, and words that others are looked for. */
const mostParts = 8
const mostWords = 4
/** Hits at which the search without a part ends. */
const mostHits = 100
/** Words that are told for one that is not there. */
const toldWords = 3

/** Options of explaining why a query finds nothing. */
interface ExplainOptions {
  readonly signal?: AbortSignal
  readonly labels?: readonly EntryLabel[] | undefined
}

/**
 * Finds queries next to one that finds nothing: those without one of its parts, those with a word that is there in place of one
 * that is not, and those with a pattern in any case or as a text. An abort ends it with what was found.
 */
export async function explainNothing(
  search: Pick<Search, 'run' | 'eachWord' | 'indexProgress'>,
  text: string,
  options: ExplainOptions,
): Promise<NothingFound> {
  const { pieces } = parseQuery(text)
  const parts = pieces.filter(({ type }) => type !== 'operator')
  const near = [
    ...(await nearOf(search, text, parts, options)),
    ...(await loosePatterns(search, text, parts, options)),
  ]
  const without: NothingFound['without'][number][] = []
  if (parts.length > 1)
    for (const piece of [...parts].sort((a, b) => costOf(a) - costOf(b)).slice(0, mostParts)) {
      if (options.signal?.aborted === true) break
      const query = withoutPiece(text, piece)
      if (!asksForSomething(query) || without.some((other) => other.query === query)) continue
      const { total, complete } = await search.run(query, { ...options, limit: mostHits })
      const part = text.slice(piece.start, piece.end)
      if (total > 0) without.push({ part, query, hits: total, hasMore: !complete })
    }
  without.sort((a, b) => b.hits - a.hits)
  return { without, near }
}

/** Returns true where a query asks for something: one that only leaves out has no answer to explain. */
function asksForSomething(query: string): boolean {
  return parseQuery(query).pieces.some(({ type, negated }) => type !== 'operator' && !negated)
}

/** Words of the rest plan a search: a query is cheap without its fields, and dear without its words. */
function costOf({ type, negated }: QueryPiece): number {
  if (type === 'field' || negated) return 0
  return type === 'regex' ? 1 : 2
}

async function nearOf(
  search: Pick<Search, 'run' | 'eachWord' | 'indexProgress'>,
  text: string,
  parts: readonly QueryPiece[],
  options: ExplainOptions,
): Promise<NothingFound['near']> {
  const near: NothingFound['near'] = []
  const words = parts.filter(
    ({ type, negated }) => !negated && (type === 'word' || type === 'phrase'),
  )
  for (const piece of words.slice(0, mostWords)) {
    for (const word of wordsOf(piece.value)) {
      if (options.signal?.aborted === true) return near
      if ((await search.run(`"${word}"`, { ...options, limit: 1 })).total > 0) continue
      for (const instead of await nearestTo(search, fold(word), options)) {
        const written = text.slice(piece.start, piece.end).replace(word, instead)
        const query = text.slice(0, piece.start) + written + text.slice(piece.end)
        near.push({ word, instead, query })
      }
    }
  }
  return near
}

/** Patterns that find something in any case, or as a text, which titles may hold too: `/etc/` may be meant for a folder. */
async function loosePatterns(
  search: Pick<Search, 'run'>,
  text: string,
  parts: readonly QueryPiece[],
  options: ExplainOptions,
): Promise<NothingFound['near']> {
  const near: NothingFound['near'] = []
  const patterns = parts.filter(({ type, negated }) => !negated && type === 'regex')
  for (const { start, end, value } of patterns.slice(0, mostWords)) {
    const word = text.slice(start, end)
    const inAnyCase = /i\w*$/.test(word.slice(word.lastIndexOf('/'))) ? [] : [`${word}i`]
    const asText = `"${value.replace(/["\\]/g, '\\$&')}"`
    for (const instead of [...inAnyCase, asText]) {
      if (options.signal?.aborted === true) return near
      const query = text.slice(0, start) + instead + text.slice(end)
      if ((await search.run(query, { ...options, limit: 1 })).total === 0) continue
      near.push({ word, instead, query })
      break
    }
  }
  return near
}

/** Runs of letters that are long enough to be misspelled. */
function wordsOf(text: string): readonly string[] {
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter(
    (word) => [...word].length >= shortestWord && /\p{L}/u.test(word),
  )
}

async function nearestTo(
  search: Pick<Search, 'run' | 'eachWord' | 'indexProgress'>,
  word: string,
  options: ExplainOptions,
): Promise<readonly string[]> {
  const words = new NearWords(word)
  await search.eachWord((other) => words.take(other), options.signal)
  const { totalBytes, coveredBytes } = search.indexProgress()
  // Of what has no index yet the words are those around pieces of the word, in the newest hits.
  if (words.nearest(1).length === 0 && coveredBytes < totalBytes)
    for (const piece of wordPieces(word)) {
      const { hits } = await search.run(`"${piece}"`, { ...options, limit: mostHits })
      for (const { snippet } of hits) for (const other of wordsOf(snippet)) words.take(fold(other))
    }
  return words.nearest(toldWords)
}
