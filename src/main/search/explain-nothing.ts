import { fold } from '../../shared/model/basics/fold'
import type { EntryLabel } from '../../shared/model/conversation/entry-labels'
import type { NothingFound } from '../../shared/model/nothing-found'
import { parseQuery } from '../../shared/model/query/parse-query'
import type { QueryPiece } from '../../shared/model/query/query'
import { withoutPiece } from '../../shared/model/query/without-piece'
import { NearWords, shortestWord, wordPieces } from './nearby/near-words'
import type { Search } from './search'

/** Parts of a query that are left out, each in a search of its own. */
const mostParts = 8
/** Words of a query that are tried, each in a search of its own, and those that are not there for which others are looked for. */
const mostTried = 16
const mostMissing = 4
/** Patterns of a query that are tried in any case and as texts. */
const mostPatterns = 4
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
  let missing = 0
  for (const { word, at } of triedWords(text, parts)) {
    if (options.signal?.aborted === true || missing >= mostMissing) return near
    if ((await search.run(`"${word}"`, { ...options, limit: 1 })).total > 0) continue
    missing += 1
    for (const instead of await nearestTo(search, fold(word), options))
      near.push({
        word,
        instead,
        query: text.slice(0, at) + instead + text.slice(at + word.length),
      })
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
  for (const { start, end, value } of patterns.slice(0, mostPatterns)) {
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

/** Lists the words of a query's words and phrases, each once, with its place in the query. */
function triedWords(
  text: string,
  parts: readonly QueryPiece[],
): readonly { readonly word: string; readonly at: number }[] {
  const places = new Map<string, { readonly word: string; readonly at: number }>()
  for (const { type, negated, start, end } of parts)
    if (!negated && (type === 'word' || type === 'phrase'))
      for (const { word, at } of wordsOf(text.slice(start, end)))
        if (!places.has(fold(word))) places.set(fold(word), { word, at: start + at })
  return [...places.values()].slice(0, mostTried)
}

const words = /(\\(?:u[0-9a-fA-F]{4}|[bfnrt]))?([\p{L}\p{M}\p{N}]+)(\\u[0-9a-fA-F]{4})?/gu

/**
 * Finds runs of letters that are long enough to be misspelled. Beside an escape, as in `one\ntwo`, nobody knows whether its letter is
 * of a word, as it is in `C:\new`: such a run is none.
 */
function wordsOf(text: string): readonly { readonly word: string; readonly at: number }[] {
  return [...text.matchAll(words)].flatMap(
    ({ 1: before, 2: word = '', 3: behind, index: at = 0 }) =>
      before === undefined &&
      behind === undefined &&
      [...word].length >= shortestWord &&
      /\p{L}/u.test(word)
        ? [{ word, at }]
        : [],
  )
}

async function nearestTo(
  search: Pick<Search, 'run' | 'eachWord' | 'indexProgress'>,
  word: string,
  options: ExplainOptions,
): Promise<readonly string[]> {
  const nearest = new NearWords(word)
  await search.eachWord((other) => nearest.take(other), options.signal)
  const { totalBytes, coveredBytes } = search.indexProgress()
  // Of what has no index yet the words are those around pieces of the word, in the newest hits.
  if (nearest.nearest(1).length === 0 && coveredBytes < totalBytes)
    for (const piece of wordPieces(word)) {
      const { hits } = await search.run(`"${piece}"`, { ...options, limit: mostHits })
      for (const { snippet } of hits)
        for (const { word: other } of wordsOf(snippet)) nearest.take(fold(other))
    }
  return nearest.nearest(toldWords)
}
