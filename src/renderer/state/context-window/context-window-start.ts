import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { isAnchor } from '../../../shared/model/conversation/entry'
import type { TranscriptRow, WindowStart } from '../../../shared/model/conversation/transcript'

/** State and actions of the context window's start. */
export interface ContextWindowStartState {
  readonly key: LibraryKey | undefined
  /** Start of the context window of `key`; null where there is no border, undefined while unknown. */
  readonly start: WindowStart | null | undefined
  /** Follows a conversation from now on; undefined follows none. */
  follow(key: LibraryKey | undefined): Promise<void>
  /** Reads the start again where new rows have an anchor. */
  foldAppended(key: string, rows: readonly TranscriptRow[]): void
  /** Reads the start again after the files were replaced. */
  foldChanged(key: string): void
}
/** Store of the context window's start. */
export type ContextWindowStartStore = StoreApi<ContextWindowStartState>

/**
 * Makes the store of where the context window of the open conversation begins. A start that cannot be read is
 * undefined.
 */
export function createContextWindowStartStore(api: Api): ContextWindowStartStore {
  let request = 0
  return createStore<ContextWindowStartState>()((set, get) => {
    async function load(key: LibraryKey): Promise<void> {
      const mine = ++request
      const start = await api.transcript.windowStart({ key }).catch(() => undefined)
      if (mine === request) set({ start })
    }
    const again = (key: string) => {
      const { key: followed } = get()
      if (followed === key) void load(followed)
    }
    return {
      key: undefined,
      start: undefined,

      async follow(key) {
        request++
        set({ key, start: undefined })
        if (key !== undefined) await load(key)
      },

      foldAppended(key, rows) {
        if (rows.some((row) => row.type === 'entry' && isAnchor(row.entry))) again(key)
      },

      foldChanged: again,
    }
  })
}
