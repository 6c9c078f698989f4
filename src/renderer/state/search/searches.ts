import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import { SearchId } from '../../../shared/ipc/conversations/search'
import { type LibraryKey, libraryKeyOf } from '../../../shared/model/conversation/conversation'
import type { KeyValueStorage } from '../base/storage'

/** A search that a person keeps under a name. */
export interface SavedSearch {
  /** Two may have one name or one query. */
  readonly id: string
  readonly name: string
  readonly query: string
}

/** Conversations that a saved search finds. */
export interface FoundConversations {
  readonly search: SavedSearch
  readonly keys: ReadonlySet<LibraryKey>
  /** False where older hits may be in other conversations. */
  readonly isAll: boolean
}

/** State and actions of the searches of before: recent ones, and those that were saved. */
export interface SearchesState {
  /** Queries, the newest first. */
  readonly recent: readonly string[]
  /** False where a person wants none to be kept. */
  readonly keepsRecent: boolean
  /** In the order in which they were saved. */
  readonly saved: readonly SavedSearch[]
  /** The saved search that was removed last, and its place, until the next change. */
  readonly removed: { readonly search: SavedSearch; readonly at: number } | undefined
  /** False where the last change could not be written: it lasts as long as the window. */
  readonly isWritten: boolean
  /** The query that was not saved because there are `mostSaved`; until the next change. */
  readonly refused: string | undefined
  /** Takes down a query that was used. */
  note(query: string): void
  clearRecent(): void
  /** Turning it off clears the recent searches. */
  setKeepsRecent(isOn: boolean): void
  /** Saves a query under its own words, once; its name can be changed. Where there are `mostSaved`, it is `refused`. */
  save(query: string): void
  rename(id: string, name: string): void
  remove(id: string): void
  /** Puts back the search that was removed last. */
  undoRemove(): void
  /** Finds the conversations of a saved search as they are now; undefined where it is gone, failed, or another one was asked for. */
  find(id: string): Promise<FoundConversations | undefined>
}
/** Store of the searches of before. */
export type SearchesStore = StoreApi<SearchesState>

/** Recent searches that are kept. */
export const mostRecent = 50
/** Searches that can be saved; more of them, from elsewhere, are kept. */
export const mostSaved = 200
const longestName = 200
/** Hits by which the conversations of a saved search are told. */
const mostHits = 1000
/** Longest query that is kept, in characters. */
const longestQuery = 10_000

/** Makes the store of the searches of before; they are kept on this machine, by the browser's storage. */
export function createSearchesStore(
  api: Pick<Api, 'search'>,
  kept: KeyValueStorage,
): SearchesStore {
  const name = 'skein.searches'
  /** Number of the last search for conversations. */
  let last = 0
  return createStore<SearchesState>()((set, get) => {
    function change(next: Partial<SearchesState>): void {
      set({ removed: undefined, refused: undefined, ...next })
      const { recent, keepsRecent, saved } = get()
      set({ isWritten: kept.set(name, JSON.stringify({ recent, keepsRecent, saved })) })
    }

    return {
      ...keptSearches(kept.get(name)),
      removed: undefined,
      isWritten: true,
      refused: undefined,
      note(query) {
        const words = query.trim()
        const { keepsRecent, recent, removed } = get()
        if (!keepsRecent || words === '' || words.length > longestQuery || recent[0] === words)
          return
        const others = recent.filter((other) => other !== words)
        change({ recent: [words, ...others].slice(0, mostRecent), removed })
      },
      clearRecent: () => change({ recent: [] }),
      setKeepsRecent: (keepsRecent) =>
        change(keepsRecent ? { keepsRecent } : { keepsRecent, recent: [] }),
      save(query) {
        const words = query.trim()
        const { saved } = get()
        if (words === '' || words.length > longestQuery) return
        if (saved.some((one) => one.query === words)) return
        if (saved.length >= mostSaved) return set({ refused: words })
        const search = { id: freeId(saved), name: nameFrom(words), query: words }
        change({ saved: [...saved, search] })
      },
      rename(id, words) {
        const wanted = nameFrom(words)
        if (wanted === '') return
        change({
          saved: get().saved.map((one) => (one.id === id ? { ...one, name: wanted } : one)),
        })
      },
      remove(id) {
        const { saved } = get()
        const at = saved.findIndex((one) => one.id === id)
        const search = saved[at]
        if (search === undefined) return
        change({ saved: saved.filter((one) => one !== search), removed: { search, at } })
      },
      undoRemove() {
        const { saved, removed } = get()
        if (removed === undefined) return
        change({
          saved: [...saved.slice(0, removed.at), removed.search, ...saved.slice(removed.at)],
        })
      },
      async find(id) {
        const search = get().saved.find((one) => one.id === id)
        if (search === undefined) return undefined
        const mine = ++last
        const searchId = SearchId.parse(`saved-${mine}`)
        const asked = { searchId, query: search.query, limit: mostHits }
        const result = await api.search.query(asked).catch(() => undefined)
        if (result === undefined || mine !== last) return undefined
        const { hits, total, complete } = result
        const places = hits.flatMap((hit) => [hit, ...(hit.also ?? [])])
        const keys = new Set(places.map(({ source, key }) => libraryKeyOf(source, key)))
        return { search, keys, isAll: complete && total <= hits.length }
      },
    }
  })
}

function nameFrom(words: string): string {
  return words.replace(/\s+/g, ' ').trim().slice(0, longestName)
}

function freeId(saved: readonly SavedSearch[]): string {
  const used = saved.map(({ id }) => Number(id)).filter(Number.isSafeInteger)
  return String(Math.max(0, ...used) + 1)
}

/** Reads what was kept; whatever is none of ours is left out. */
function keptSearches(
  text: string | undefined,
): Pick<SearchesState, 'recent' | 'keepsRecent' | 'saved'> {
  const { recent, keepsRecent, saved } = parsed(text)
  return {
    recent: listOf(recent).filter(isQuery).slice(0, mostRecent),
    keepsRecent: keepsRecent !== false,
    saved: listOf(saved).filter(isSaved),
  }
}

function parsed(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isQuery(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestQuery
}

function isSaved(value: unknown): value is SavedSearch {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, query }: Partial<Readonly<Record<string, unknown>>> = { ...value }
  return typeof id === 'string' && typeof name === 'string' && name !== '' && isQuery(query)
}
