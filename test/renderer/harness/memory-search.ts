import { previewRows, rowOfHit } from '../../../src/main/ipc/limits/preview-rows'
import { queryPieces } from '../../../src/renderer/state/search/query'
import type { SearchId } from '../../../src/shared/ipc/conversations/search'
import type { AppError } from '../../../src/shared/model/basics/errors'
import {
  type LibraryKey,
  libraryKeyOf,
  parseLibraryKey,
} from '../../../src/shared/model/conversation/conversation'
import type { Entry } from '../../../src/shared/model/conversation/entry'
import { hasTag } from '../../../src/shared/model/conversation/tag'
import type { PageFrom, TranscriptPage } from '../../../src/shared/model/conversation/transcript'
import {
  type FacetName,
  facetChoice,
  facetNames,
  withFacetChoice,
} from '../../../src/shared/model/query/facets'
import type { QueryPiece } from '../../../src/shared/model/query/query'
import { withoutPiece } from '../../../src/shared/model/query/without-piece'
import type {
  HitPlaces,
  SearchCounts,
  SearchHit,
  SearchOrder,
  SearchResult,
  SearchScope,
} from '../../../src/shared/model/search'
import type { AllEmitters, AllHandlers } from '../../support/memory-api'
import { namesOnMap } from './family'
import type { MemoryContext } from './memory-home'

/** What a test does to the searches of a home in memory. */
export interface MemorySearch {
  /** Searches that begin from now on tell nothing and do not end, until the test says so. */
  hold(): void
  /** What is looked for by the search that is held now; what was typed before it may have been one too. */
  held(): string | undefined
  /** Tells some of the hits that were found, the oldest or the newest of those that were not told. */
  tell(count: number, from?: 'oldest' | 'newest'): void
  /** The held search ends with all of its hits; later ones are not held. */
  finish(): void
  /** What the next search throws. */
  refuse(error: AppError): void
}

interface HeldSearch {
  readonly query: string
  readonly searchId: SearchId
  readonly result: SearchResult
  readonly untold: SearchHit[]
  readonly told: SearchHit[]
  readonly resolve: (result: SearchResult) => void
}

/** Search over the rows of a home in memory: every text is looked through, in one segment a conversation. */
export function createMemorySearch(options: {
  readonly contexts: ReadonlyMap<string, MemoryContext>
  readonly tell: () => AllEmitters['search']
  readonly page: (key: LibraryKey, from: PageFrom, limit: number) => TranscriptPage
  readonly notices: readonly string[]
}): { readonly handlers: AllHandlers['search']; readonly controls: MemorySearch } {
  let isHolding = false
  let held: HeldSearch | undefined
  let refusal: AppError | undefined

  function end(search: HeldSearch, result: SearchResult): void {
    if (held === search) held = undefined
    search.resolve(result)
  }

  return {
    handlers: {
      query: async ({ searchId, query, limit, order, scope }) => {
        const error = refusal
        refusal = undefined
        if (error !== undefined) throw error
        const contexts = [...options.contexts.values()]
        const result =
          scope === undefined
            ? searchIn(contexts, query, limit, options.notices, order)
            : searchInScope(contexts, query, limit, scope)
        if (isHolding)
          return new Promise<SearchResult>((resolve) => {
            held = { searchId, query, result, untold: [...result.hits], told: [], resolve }
          })
        if (result.hits.length > 0) options.tell().found({ searchId, hits: [...result.hits] })
        return result
      },
      cancel: async ({ searchId }) => {
        if (held?.searchId !== searchId) return
        const { told, result } = held
        const places = result.places === undefined ? {} : { places: placesOf(told) }
        end(held, { ...result, ...places, hits: told, total: told.length, complete: false })
      },
      explain: async ({ query }) => {
        const contexts = [...options.contexts.values()]
        const without = queryPieces(query).flatMap((piece) => {
          const rest = withoutPiece(query, piece)
          const { total } =
            rest === '' ? { total: 0 } : searchIn(contexts, rest, Number.POSITIVE_INFINITY, [])
          const part = query.slice(piece.start, piece.end)
          return total === 0 ? [] : [{ part, query: rest, hits: total, hasMore: false }]
        })
        return { without, near: [] }
      },
      facets: async ({ query }) => {
        const contexts = [...options.contexts.values()]
        const facets = facetNames.map((facet) => {
          const base = withFacetChoice(query, facet, [])
          const found = searchIn(contexts, base, Number.POSITIVE_INFINITY, []).hits
          const fixed = facet === 'branch' && found.length > 0 ? ['current', 'left'] : []
          const counts = new Map(
            [...facetChoice(query, facet), ...fixed].map((value) => [value, 0]),
          )
          for (const value of found.flatMap((hit) => factOf(facet, hit) ?? []))
            counts.set(value, (counts.get(value) ?? 0) + 1)
          const values = [...counts].map(([value, count]) => ({ value, count }))
          values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
          return { facet, values, others: 0, complete: true }
        })
        return {
          facets,
          total: searchIn(contexts, query, Number.POSITIVE_INFINITY, []).hits.length,
          isCut: false,
          notices: [],
          elapsedMs: 5,
        }
      },
      preview: async ({ key, at, ...sought }) => {
        const { rows } = options.page(key, at === undefined ? 'start' : { around: at }, 24)
        const hit = at === undefined ? null : rowOfHit(rows, at)
        return { ...previewRows(rows, hit, sought), isLeft: false }
      },
    },
    controls: {
      hold() {
        isHolding = true
      },
      held: () => held?.query,
      tell(count, from = 'newest') {
        if (held === undefined) throw new Error('no search is held')
        const { untold, told, searchId, result } = held
        const hits = from === 'newest' ? untold.splice(0, count) : untold.splice(-count)
        told.push(...hits)
        const share = told.length / Math.max(1, result.hits.length)
        options.tell().progress({ searchId, segments: partOf(result.segments, share) })
        options.tell().found({ searchId, hits })
      },
      finish() {
        isHolding = false
        if (held !== undefined) end(held, held.result)
      },
      refuse(error) {
        refusal = error
      },
    },
  }
}

function partOf({ total, read, skipped }: SearchCounts, share: number): SearchCounts {
  return { total, read: Math.floor(read * share), skipped: Math.floor(skipped * share) }
}

function searchIn(
  contexts: readonly MemoryContext[],
  query: string,
  limit: number,
  notices: readonly string[],
  order: SearchOrder = 'newest',
): SearchResult {
  const pieces = queryPieces(query)
  const words = pieces
    .filter(({ type, negated }) => (type === 'word' || type === 'phrase') && !negated)
    .map(({ value }) => value.toLowerCase())
  const found: { readonly hit: SearchHit; readonly time: number }[] = []
  let skipped = 0
  for (const context of contexts) {
    const hits = hitsIn(context, pieces, words)
    if (hits.length === 0) skipped++
    const updated = Date.parse(context.summary.updated ?? '') / 1000
    found.push(...hits.map((hit) => ({ hit, time: hit.timestamp ?? updated })))
  }
  // Of equally good ones the newest come first, and here all are.
  found.sort((a, b) => (order === 'oldest' ? a.time - b.time : b.time - a.time))
  const planned = words.some((word) => word.length > 2)
  return {
    hits: found.slice(0, limit).map(({ hit }) => hit),
    total: found.length,
    segments: {
      total: contexts.length,
      read: planned ? contexts.length - skipped : contexts.length,
      skipped: planned ? skipped : 0,
    },
    complete: true,
    planned,
    notices: [...notices],
    elapsedMs: 38,
  }
}

/** An entry that several contexts hold is one hit, of the first of them. */
function searchInScope(
  all: readonly MemoryContext[],
  query: string,
  limit: number,
  { conversations, entry }: SearchScope,
): SearchResult {
  const contexts = all.filter(({ summary }) => conversations.includes(summary.key))
  const found = searchIn(contexts, query, Number.POSITIVE_INFINITY, []).hits
  const inEntries = found.flatMap((hit) =>
    hit.entryId === null || (entry !== undefined && hit.entryId !== entry)
      ? []
      : [{ hit, name: { key: libraryKeyOf(hit.source, hit.key), entry: hit.entryId } }],
  )
  const names = namesOnMap(
    contexts,
    inEntries.map(({ name }) => name),
  )
  const distinct = new Map(
    inEntries.map(({ hit }, i) => [JSON.stringify(names[i]), hit] as const).reverse(),
  )
  const hits = [...distinct.values()].reverse()
  const { segments } = searchIn(contexts, query, 1, [])
  return {
    hits: hits.slice(0, limit),
    total: hits.length,
    segments,
    complete: true,
    planned: true,
    notices: [],
    places: placesOf(hits),
    elapsedMs: 12,
  }
}

/** Returns the value that a hit has for a facet. */
function factOf(facet: FacetName, { source, role, tool, timestamp, field }: SearchHit) {
  if (facet === 'source') return source
  if (facet === 'role') return role
  if (facet === 'tool') return tool
  if (facet === 'branch') return field === 'title' ? undefined : 'current'
  if (facet === 'month' && timestamp !== null)
    return new Date(timestamp * 1000).toISOString().slice(0, 7)
  const types = {
    content: 'message',
    arguments: 'tool_call',
    result: 'tool_result',
    damaged: 'damaged',
  } as const
  return facet === 'type' && field !== 'title' ? types[field] : undefined
}

function placesOf(hits: readonly SearchHit[]): HitPlaces[] {
  const places = new Map<string, HitPlaces>()
  for (const { source, key, entryId } of hits) {
    if (entryId === null) continue
    const known = places.get(key) ?? { source, key, entries: [] }
    known.entries.push(entryId)
    places.set(key, known)
  }
  return [...places.values()]
}

function hitsIn(
  { summary, rows }: MemoryContext,
  pieces: readonly QueryPiece[],
  words: readonly string[],
): SearchHit[] {
  const { source, title } = summary
  const { key } = parseLibraryKey(summary.key)
  const hits: SearchHit[] = []
  const asksForEntries = pieces.some(
    ({ field }) => field === 'role' || field === 'type' || field === 'tool' || field === 'branch',
  )
  if (words.length > 0 && !asksForEntries && matches(title, summary, undefined, pieces, words))
    hits.push({
      source,
      key,
      entryId: null,
      field: 'title',
      line: null,
      timestamp: null,
      ...snippetOf(title, words),
    })
  for (const row of rows) {
    if (row.type !== 'entry' || !matches(row.entry.content, summary, row.entry, pieces, words))
      continue
    const { id, content, timestamp, file, line, offset, length, role } = row.entry
    const field = fieldOf(row.entry)
    const tool = toolOf(row.entry)
    hits.push({
      source,
      key,
      entryId: id,
      field,
      ...(role === undefined ? {} : { role }),
      ...(tool === undefined ? {} : { tool }),
      line: line ?? null,
      timestamp,
      ...snippetOf(content, words),
      file,
      offset,
      length,
    })
  }
  return hits
}

function matches(
  text: string,
  { source, title, key, tags, color }: MemoryContext['summary'],
  entry: Entry | undefined,
  pieces: readonly QueryPiece[],
  words: readonly string[],
): boolean {
  const lower = text.toLowerCase()
  if (!words.every((word) => lower.includes(word))) return false
  return pieces.every(({ type, field, value, negated }) => {
    if (type === 'regex' || type === 'operator')
      throw new Error('this home has no patterns and no OR')
    if (type !== 'field') return !negated || !lower.includes(value.toLowerCase())
    const time = (entry?.timestamp ?? 0) * 1000
    const holds = {
      source: source === value,
      context: source === 'chibi' && key === value,
      title: title.toLowerCase().includes(value.toLowerCase()),
      tag: hasTag(tags, value),
      color: color === value,
      label: false,
      before: time < Date.parse(value),
      after: time >= Date.parse(value),
      during: new Date(time).toISOString().startsWith(value),
      role: entry?.role === value,
      type: entry?.entry_type === value,
      tool: entry !== undefined && toolOf(entry) === value,
      branch: entry !== undefined && value === 'current',
      from: entry?.from.includes(value) === true,
      model: JSON.stringify(entry?.metadata?.model ?? '').includes(value),
      provider: JSON.stringify(entry?.metadata?.speech ?? '').includes(value),
      project: JSON.stringify(entry?.metadata?.project ?? '').includes(value),
      reaction: JSON.stringify(entry?.metadata?.reaction ?? '').includes(value),
      to: entry?.to.includes(value) === true,
      has: entry?.metadata?.[`${value}s`] !== undefined,
      case: true,
      words: true,
    }[field ?? 'title']
    return holds !== negated
  })
}

function fieldOf(entry: Entry): 'content' | 'arguments' | 'result' {
  if (entry.entry_type === 'tool_call') return 'arguments'
  return entry.entry_type === 'tool_result' ? 'result' : 'content'
}

function toolOf(entry: Entry): string | undefined {
  const field = fieldOf(entry)
  return field === 'arguments' ? entry.to : field === 'result' ? entry.from : undefined
}

function snippetOf(
  text: string,
  words: readonly string[],
): { readonly snippet: string; readonly ranges: [number, number][] } {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).sort((a, b) => a - b)
  const at = places[0] ?? 0
  const start = Math.max(0, at - 60)
  const snippet = text.slice(start, at + 180)
  const ranges: [number, number][] = []
  const inSnippet = snippet.toLowerCase()
  for (const word of words)
    for (let i = inSnippet.indexOf(word); i >= 0; i = inSnippet.indexOf(word, i + word.length))
      ranges.push([i, i + word.length])
  ranges.sort((a, b) => a[0] - b[0])
  return { snippet, ranges: ranges.filter(([from], i) => from >= (ranges[i - 1]?.[1] ?? 0)) }
}
