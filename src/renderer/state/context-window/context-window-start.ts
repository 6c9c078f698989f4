import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { isAnchor } from '../../../shared/model/conversation/entry'
import type { TranscriptRow, WindowStart } from '../../../shared/model/conversation/transcript'

export interface ContextWindowStartState {
  readonly key: LibraryKey | undefined
  /** Where the window of `key` begins; null where it has no such border, undefined while that is not known. */
  readonly start: WindowStart | null | undefined
  /** Follows a conversation from now on; undefined follows none. */
  follow(key: LibraryKey | undefined): Promise<void>
  /** Looks again where rows bring a new border. */
  foldAppended(key: string, rows: readonly TranscriptRow[]): void
  /** Looks again: the files were replaced. */
  foldChanged(key: string): void
}
export type ContextWindowStartStore = StoreApi<ContextWindowStartState>

/** Where the model's window of the open conversation begins. What cannot be read marks nothing. */
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
