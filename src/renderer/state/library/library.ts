import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import { browserClock, type StoreClock } from '../base/clock'
import { toErrorReport } from '../base/failure'
import { createLiveKeys } from './live'

/** Conversations of one page: 500 summaries cross in a few milliseconds. */
const pageSize = 500

/** State and actions of the library store. */
export interface LibraryState {
  /** Most recently updated first; grows page by page while `phase` is `loading`. */
  readonly conversations: readonly ConversationSummary[]
  readonly phase: 'idle' | 'loading' | 'ready' | 'failed'
  readonly failure: ErrorReport | undefined
  /** Number of conversations by main's count; more than are loaded while pages are loading. */
  readonly total: number
  readonly filter: string
  /** The one source that is shown; undefined shows all. */
  readonly source: string | undefined
  /** The one tag whose conversations are shown; undefined shows all. */
  readonly tag: string | undefined
  /** Conversations that a view picked, such as those of a mark of the statistics; undefined shows all. */
  readonly picked: PickedConversations | undefined
  /** Keys of conversations that another program wrote to within the last seconds. */
  readonly live: ReadonlySet<string>
  load(): Promise<void>
  setFilter(filter: string): void
  setSource(source: string | undefined): void
  setTag(tag: string | undefined): void
  /** Shows exactly these, archived ones among them: the other filters are cleared. */
  setPicked(picked: PickedConversations | undefined): void
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
}

/** Makes the store of all conversations: it loads them page by page and then follows main's changes. */
export function createLibraryStore(api: Api, clock: StoreClock = browserClock): LibraryStore {
  /** Grows with each load: pages of an earlier one are dropped. */
  let generation = 0
  const liveKeys = createLiveKeys(clock, (live) => store.setState({ live }))

  const store = createStore<LibraryState>()((set, get) => ({
    conversations: [],
    phase: 'idle',
    failure: undefined,
    total: 0,
    filter: '',
    source: undefined,
    tag: undefined,
    picked: undefined,
    live: new Set(),

    async load() {
      const mine = ++generation
      liveKeys.clear()
      set({ phase: 'loading', failure: undefined, conversations: [], total: 0 })
      try {
        let cursor: string | undefined
        do {
          const page = await api.library.list({
            limit: pageSize,
            ...(cursor === undefined ? {} : { cursor }),
          })
          if (mine !== generation) return
          set(({ conversations }) => ({
            // Rows that a change brought meanwhile are newer than the page.
            conversations: mergeSummaries(page.conversations, conversations),
            total: page.total,
          }))
          cursor = page.next
        } while (cursor !== undefined)
        set(({ conversations }) => ({ phase: 'ready', total: conversations.length }))
      } catch (error) {
        if (mine === generation) set({ phase: 'failed', failure: toErrorReport(error) })
      }
    },

    setFilter: (filter) => set({ filter }),
    setSource: (source) => set({ source }),
    setTag: (tag) => set({ tag }),
    setPicked: (picked) =>
      set(
        picked === undefined
          ? { picked }
          : { picked, filter: '', source: undefined, tag: undefined },
      ),

    foldRenamed(from, to) {
      const { picked } = get()
      if (picked?.keys.has(from) !== true) return
      const keys = new Set(picked.keys)
      keys.delete(from)
      set({ picked: { ...picked, keys: keys.add(to) } })
    },

    fold(change) {
      const gone = new Set(change.gone)
      const here = get().conversations
      const kept = here.filter(({ key }) => !gone.has(key))
      const before = new Map(here.map((summary) => [summary.key as string, summary]))
      liveKeys.fold(before, change.conversations, change.gone)
      const conversations = mergeSummaries(kept, change.conversations)
      set(({ phase, total }) => ({
        conversations,
        total: phase === 'loading' ? total : conversations.length,
      }))
    },
  }))
  return store
}

/** Joins two lists, the newer summary of a key winning; most recently updated first, then by title. */
function mergeSummaries(
  older: readonly ConversationSummary[],
  newer: readonly ConversationSummary[],
): readonly ConversationSummary[] {
  const byKey = new Map<string, ConversationSummary>()
  for (const summary of [...older, ...newer]) byKey.set(summary.key, summary)
  return [...byKey.values()].sort(newestFirst)
}

function newestFirst(a: ConversationSummary, b: ConversationSummary): number {
  const times = (b.updated ?? '').localeCompare(a.updated ?? '')
  return times !== 0 ? times : a.title.localeCompare(b.title)
}
