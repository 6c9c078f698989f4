import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import type { LabelColor } from '../../../shared/model/conversation/label'
import type { ListingState } from '../../../shared/model/listing-state'
import type { SmartListId } from '../../../shared/model/lists/smart-lists'
import { browserClock, type StoreClock } from '../base/clock'
import { toErrorReport } from '../base/failure'
import type { KeyValueStorage } from '../base/storage'
import { type KeptFilters, keepFilters, noFilters, readKeptFilters } from './kept-filters'
import { createLiveKeys } from './live'
import { mergeSummaries } from './merged-summaries'
import { createPinnedRow } from './pinned-row'

/** Conversations of one page: 500 summaries cross in a few milliseconds. */
const pageSize = 500

/** State and actions of the library store. */
export interface LibraryState extends KeptFilters {
  /** Most recently updated first; grows page by page while `phase` is `loading`. */
  readonly conversations: readonly ConversationSummary[]
  readonly phase: 'idle' | 'loading' | 'ready' | 'failed'
  /** How far a list is whose rows come before all of them are known, while `phase` is `loading`. */
  readonly listing: 'finding' | 'reading' | undefined
  /** Number of conversations when such a list was whole; undefined for one that came at once. */
  readonly listedInParts: number | undefined
  readonly failure: ErrorReport | undefined
  /** Number of conversations by main's count; more than are loaded while pages are loading. */
  readonly total: number
  readonly filter: string
  /** Conversations that a view picked, such as those of a mark of the statistics; undefined shows all. */
  readonly picked: PickedConversations | undefined
  /** Keys of conversations that another program wrote to within the last seconds. */
  readonly live: ReadonlySet<string>
  load(): Promise<void>
  setFilter(filter: string): void
  setSource(source: string | undefined): void
  setTag(tag: string | undefined): void
  setColor(color: LabelColor | undefined): void
  setProject(project: string | undefined): void
  /** Shows a smart list in place of picked conversations. */
  setList(list: SmartListId | undefined): void
  /** Leaves the filters that are of one home: another one is open. */
  leaveHome(): void
  /** Shows exactly these, archived ones among them: the other filters are cleared. */
  setPicked(picked: PickedConversations | undefined): void
  /** Keeps the row that the pointer or the cursor is on at its place while the list is being read; undefined lets it go. */
  hold(key: string | undefined): void
  fold(change: LibraryUpdate): void
  /** A picked conversation has another key now. */
  foldRenamed(from: string, to: string): void
}
/** Conversations of a list that a view gave, with the words that name them. */
export interface PickedConversations {
  readonly label: string
  readonly keys: ReadonlySet<string>
  /** The saved search that found them, where one did. */
  readonly search?: string
}

/** Store of the library. */
export type LibraryStore = StoreApi<LibraryState>

/** Change of the library: conversations that are new or changed, and keys that are gone. */
export interface LibraryUpdate {
  readonly conversations: readonly ConversationSummary[]
  readonly gone: readonly string[]
  readonly listing?: ListingState | undefined
}

/** Makes the store of all conversations: it loads them page by page and then follows main's changes. Filters last where they are kept. */
export function createLibraryStore(
  api: Api,
  clock: StoreClock = browserClock,
  kept?: KeyValueStorage,
): LibraryStore {
  /** Grows with each load: pages of an earlier one are dropped. */
  let generation = 0
  /** All pages are here: what is still to come comes as changes. */
  let hasPages = false
  const pinned = createPinnedRow()
  const liveKeys = createLiveKeys(clock, (live) => store.setState({ live }))

  const store = createStore<LibraryState>()((set, get) => ({
    conversations: [],
    phase: 'idle',
    listing: undefined,
    listedInParts: undefined,
    failure: undefined,
    total: 0,
    filter: '',
    ...(kept === undefined ? noFilters : readKeptFilters(kept)),
    picked: undefined,
    live: new Set(),

    async load() {
      const mine = ++generation
      liveKeys.clear()
      pinned.release()
      hasPages = false
      const empty = { conversations: [], total: 0, listing: undefined, listedInParts: undefined }
      set({ ...empty, phase: 'loading', failure: undefined })
      try {
        let cursor: string | undefined
        let isWhole = true
        do {
          const page = await api.library.list({
            limit: pageSize,
            ...(cursor === undefined ? {} : { cursor }),
          })
          // The list may have failed meanwhile.
          if (mine !== generation || get().phase !== 'loading') return
          set(({ conversations: here, listing, listedInParts }) => {
            // Rows that a change brought meanwhile are newer than the page.
            const conversations = mergeSummaries(page.conversations, here)
            return {
              conversations,
              total: Math.max(page.total, conversations.length),
              ...(listedInParts === undefined ? { listing: page.listing ?? listing } : {}),
            }
          })
          isWhole = page.listing === undefined
          cursor = page.next
        } while (cursor !== undefined)
        hasPages = true
        // Where the list was not whole, a change says when it is; that may have come before this page.
        if (isWhole || get().listedInParts !== undefined) endLoading()
      } catch (error) {
        if (mine === generation) set({ phase: 'failed', failure: toErrorReport(error) })
      }
    },

    setFilter: (filter) => set({ filter }),
    setSource: (source) => narrow({ source }),
    setTag: (tag) => narrow({ tag }),
    setColor: (color) => narrow({ color }),
    setProject: (project) => narrow({ project }),
    setList(list) {
      narrow({ list })
      if (list !== undefined) set({ picked: undefined })
    },
    setPicked(picked) {
      if (picked !== undefined) narrow({ ...noFilters })
      set(picked === undefined ? { picked } : { picked, filter: '' })
    },

    leaveHome: () => narrow({ tag: undefined, project: undefined, list: undefined }),

    foldRenamed(from, to) {
      const { picked } = get()
      if (picked?.keys.has(from) !== true) return
      const keys = new Set(picked.keys)
      keys.delete(from)
      set({ picked: { ...picked, keys: keys.add(to) } })
    },

    hold(key) {
      const late = pinned.hold(key)
      if (late !== undefined)
        set(({ conversations }) => ({ conversations: mergeSummaries(conversations, [late]) }))
    },

    fold(change) {
      const gone = new Set(change.gone)
      const here = get().conversations
      const kept = here.filter(({ key }) => !gone.has(key))
      const before = new Map(here.map((summary) => [summary.key as string, summary]))
      // What a list finds and reads was there before.
      if (change.listing === undefined) liveKeys.fold(before, change.conversations, change.gone)
      const isLoading = get().phase === 'loading'
      pinned.replace(gone)
      if (!isLoading) pinned.replace(new Set(change.conversations.map(({ key }) => key)))
      const rows = isLoading
        ? pinned.atItsPlace(change.conversations, before)
        : change.conversations
      const conversations = mergeSummaries(kept, rows)
      set(({ total }) => ({
        conversations,
        total: isLoading ? Math.max(total, conversations.length) : conversations.length,
      }))
      if (change.listing !== undefined && isLoading) foldListing(change.listing)
    },
  }))

  function narrow(filters: Partial<KeptFilters>): void {
    store.setState(filters)
    if (kept !== undefined) keepFilters(kept, store.getState())
  }

  function endLoading(): void {
    const { conversations, listedInParts } = store.getState()
    const total = conversations.length
    store.setState({
      phase: 'ready',
      total,
      listing: undefined,
      // Pages may have come after the end was told.
      ...(listedInParts === undefined ? {} : { listedInParts: total }),
    })
  }

  function foldListing(listing: ListingState): void {
    if (listing.state === 'failed')
      store.setState({ phase: 'failed', failure: listing.failure, listing: undefined })
    else if (listing.state === 'done') {
      store.setState(({ conversations }) => ({ listedInParts: conversations.length }))
      if (hasPages) endLoading()
    } else store.setState({ listing: listing.state })
  }

  return store
}
