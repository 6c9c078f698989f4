import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import { SearchId } from '../../../shared/ipc/conversations/search'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import { type LibraryKey, libraryKeyOf } from '../../../shared/model/conversation/conversation'
import type { EntryName } from '../../../shared/model/map/entries-on-map'
import { type EntryPositions, entryPositions } from '../../../shared/model/map/entry-positions'
import type { FamilyMap } from '../../../shared/model/map/family-map'
import {
  nameOf,
  type PaintedHit,
  type PaintedHits,
  paintHits,
  sameHit,
  unknownOnMap,
} from '../../../shared/model/map/painted-hits'
import type { HitPlaces, SearchCounts, SearchHit, SearchResult } from '../../../shared/model/search'
import { browserClock, type StoreClock } from '../base/clock'
import { toErrorReport } from '../base/failure'
import { type HitLine, hitLine, loadHitLine } from './hit-lines'

/** Pause of typing after which the map is searched, in ms. */
const typingRestMs = 120
/** Most hits whose lines come with an answer; those of others are loaded when they are looked at. */
const mostLines = 1000

/** State and actions of the search that is painted on the map. */
export interface MapSearchState {
  /** The conversation whose family is searched, and its map. */
  readonly key: LibraryKey | undefined
  readonly map: FamilyMap | undefined
  readonly text: string
  readonly phase: 'idle' | 'searching' | 'done' | 'failed'
  /** Hits at the messages of `map`; while the next search runs, those of the one before. Undefined before the first answer. */
  readonly hits: PaintedHits | undefined
  /** The hits are of an earlier text. */
  readonly isStale: boolean
  readonly progress: SearchCounts | undefined
  /** The answer without its hits. */
  readonly outcome: Pick<SearchResult, 'complete' | 'notices' | 'hints'> | undefined
  /** A person stopped the search before its end. */
  readonly isStopped: boolean
  readonly failure: ErrorReport | undefined
  /** The hit that was reached last. */
  readonly current: PaintedHit | undefined
  /** By `nameOf` their entry: lines of hits. */
  readonly lines: ReadonlyMap<string, HitLine>
  /** Shows a family: the hits are put on its map, and searched again where there is a text. */
  setFamily(key: LibraryKey | undefined, map: FamilyMap | undefined): void
  setText(text: string): void
  /** Searches for the typed text without further delay. */
  searchNow(): void
  /** Repeats the search, after a failure. */
  searchAgain(): void
  /** Ends the search; the hits so far stay. */
  stop(): void
  /** Empties the text: nothing is painted any more. */
  clear(): void
  goTo(hit: PaintedHit | undefined): void
  /** Loads the line of a hit, once. */
  loadLine(hit: PaintedHit): Promise<void>
  foldFound(searchId: string, hits: readonly SearchHit[]): void
  foldProgress(searchId: string, progress: SearchCounts): void
  reset(): void
}
/** Store of the search on the map. */
export type MapSearchStore = StoreApi<MapSearchState>

const nothing = {
  text: '',
  phase: 'idle',
  hits: undefined,
  isStale: false,
  progress: undefined,
  outcome: undefined,
  isStopped: false,
  failure: undefined,
  current: undefined,
  lines: new Map<string, HitLine>(),
} as const

/** Makes the store of the search on the map: a new search cancels the one before, whose late answers are dropped. */
export function createMapSearchStore(api: Api, clock: StoreClock = browserClock): MapSearchStore {
  let running: SearchId | undefined
  /** The running search repeats one: its answer replaces what is painted, and nothing says that it runs. */
  let isRepeated = false
  let searches = 0
  let cancelRest: (() => void) | undefined
  let positions: EntryPositions | undefined
  /** Where the hits are by the names that the search gives, and the names of them on the map. */
  let places: readonly HitPlaces[] = []
  let names = new Map<string, EntryName>()
  /** Prefix of search ids that no reloaded window has used before. */
  const window = `map-${Math.random().toString(36).slice(2, 10)}`

  return createStore<MapSearchState>()((set, get) => {
    function nextId(): SearchId {
      return SearchId.parse(`${window}-${++searches}`)
    }

    function cancel(): void {
      cancelRest?.()
      cancelRest = undefined
      if (running === undefined) return
      const searchId = running
      running = undefined
      // Its answer is dropped.
      void api.search.cancel({ searchId }).catch(() => undefined)
    }

    /** Puts what was found on the map. */
    function paint(): void {
      const { map, current } = get()
      if (map === undefined) return
      positions ??= entryPositions(map)
      const hits = paintHits(map, positions, places, names)
      set({ hits, isStale: false, current: sameHit(hits.list, current) })
    }

    /** Puts what is painted on another map of the family; hits of an earlier text stay such. */
    function placeAnew(): void {
      const { isStale } = get()
      paint()
      if (isStale) set({ isStale })
    }

    /** Asks for the names of entries that the map has under another one. */
    async function learnNames(found: readonly HitPlaces[], isWanted: () => boolean): Promise<void> {
      const { key, map } = get()
      if (key === undefined || map === undefined) return
      positions ??= entryPositions(map)
      const isKnown = (name: EntryName | undefined) =>
        name !== undefined && positions?.(name.key, name.entry) !== undefined
      const unknown = unknownOnMap(positions, found).filter(
        (name) => !isKnown(names.get(nameOf(name))),
      )
      if (unknown.length === 0) return
      const answers = await api.branches.entriesOnMap({ key, entries: [...unknown] })
      if (!isWanted()) return
      unknown.forEach((name, i) => {
        const shown = answers[i]
        if (shown != null) names.set(nameOf(name), shown)
      })
    }

    async function run(isAgain = false): Promise<void> {
      cancel()
      const { text, map } = get()
      if (map === undefined || text.trim() === '') return
      const searchId = nextId()
      running = searchId
      isRepeated = isAgain
      const isWanted = () => running === searchId
      const begun = { isStopped: false, progress: undefined, failure: undefined }
      set(isAgain ? begun : { ...begun, phase: 'searching', isStale: true })
      try {
        const conversations = map.conversations.map((one) => one.key)
        const question = { searchId, query: text, limit: mostLines, scope: { conversations } }
        const { hits, places: found = [], ...answer } = await api.search.query(question)
        // Where that fails, a copy is at the end of its conversation.
        if (isWanted()) await learnNames(found, isWanted).catch(() => undefined)
        if (!isWanted()) return
        running = undefined
        places = found
        const { complete, notices, hints } = answer
        const outcome = { complete, notices, ...(hints === undefined ? {} : { hints }) }
        set({ phase: 'done', outcome, lines: new Map(hits.flatMap(namedLine)) })
        paint()
      } catch (error) {
        if (!isWanted()) return
        running = undefined
        places = []
        const failure = toErrorReport(error)
        set({ phase: 'failed', failure, hits: undefined, isStale: false, current: undefined })
      }
    }

    return {
      ...nothing,
      key: undefined,
      map: undefined,

      setFamily(key, map) {
        const { map: before, text } = get()
        if (map === before) {
          set({ key })
          return
        }
        positions = undefined
        const isSame = map?.conversations.some((one) => before?.conversations.some(sameKey(one)))
        if (isSame !== true) {
          cancel()
          places = []
          names = new Map()
          set({ ...nothing, key, map })
          return
        }
        const { hits, phase, isStopped } = get()
        set({ key, map })
        if (hits !== undefined) placeAnew()
        // What a person stopped is not begun again for them.
        if (text.trim() !== '' && !(isStopped && phase === 'done')) void run(phase === 'done')
      },

      setText(text) {
        const isSame = text.trim() === get().text.trim() && get().phase !== 'failed'
        set({ text })
        if (isSame) return
        if (text.trim() === '') {
          get().clear()
          set({ text })
          return
        }
        cancel()
        set({ phase: 'searching', isStale: true })
        cancelRest = clock.after(typingRestMs, () => void run())
      },

      searchNow() {
        if (cancelRest !== undefined) void run()
      },

      searchAgain: () => void run(),

      stop() {
        if (running === undefined) {
          if (cancelRest !== undefined) get().clear()
          return
        }
        set({ isStopped: true })
        // The query resolves with the hits so far, which are painted.
        void api.search.cancel({ searchId: running }).catch(() => undefined)
      },

      clear() {
        cancel()
        places = []
        set({ ...nothing })
      },

      goTo: (current) => set({ current }),

      async loadLine(hit) {
        const name = nameOf(hit)
        const { text, lines } = get()
        if (lines.has(name)) return
        const line = await loadHitLine(api, nextId(), text, hit)
        // A hit whose line cannot be read shows its node's first words alone; the next look tries again.
        if (line === undefined || get().text !== text) return
        set({ lines: new Map([...get().lines, [name, line]]) })
      },

      foldFound(searchId, found) {
        if (searchId !== running || isRepeated) return
        if (get().isStale) places = []
        places = [...places, ...found.flatMap(placeOf)]
        set({
          lines: new Map([...(get().isStale ? [] : get().lines), ...found.flatMap(namedLine)]),
        })
        paint()
      },

      foldProgress(searchId, progress) {
        if (searchId === running) set({ progress })
      },

      reset() {
        cancel()
        places = []
        names = new Map()
        positions = undefined
        set({ ...nothing, key: undefined, map: undefined })
      },
    }
  })
}

function sameKey({ key }: { readonly key: LibraryKey }) {
  return (one: { readonly key: LibraryKey }) => one.key === key
}

function placeOf({ source, key, entryId }: SearchHit): readonly HitPlaces[] {
  return entryId === null ? [] : [{ source, key, entries: [entryId] }]
}

function namedLine(hit: SearchHit): readonly (readonly [string, HitLine])[] {
  const { source, key, entryId } = hit
  if (entryId === null) return []
  return [[nameOf({ key: libraryKeyOf(source, key), entry: entryId }), hitLine(hit)]]
}
