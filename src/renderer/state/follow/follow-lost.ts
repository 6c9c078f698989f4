import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import type { AppStore } from '../app/app'
import type { LibraryStore } from '../library/library'
import type { LostStore } from '../library/lost'
import type { SearchStore } from '../search/search'

/** Keeps the lost and found true to the library, and one view over the middle pane; returns the function that ends it. */
export function followLost(stores: {
  readonly app: AppStore
  readonly library: LibraryStore
  readonly search: SearchStore
  readonly lost: LostStore
}): () => void {
  const { app, library, search, lost } = stores
  const ends = [
    library.subscribe((now, before) => {
      if (now.phase !== 'ready') return
      if (before.phase !== 'ready') return lost.getState().lookSoon()
      if (now.conversations === before.conversations) return
      // Every count may bring something; while nobody looks, only what concerns it does.
      if (lost.getState().isOpen || lossesOf(now.conversations) !== lossesOf(before.conversations))
        lost.getState().lookSoon()
    }),
    app.subscribe((now, before) => {
      // Whoever goes to a conversation wants to see it.
      if (now.place !== before.place) lost.getState().hide(true)
      if (now.status?.home.path !== before.status?.home.path) lost.getState().reset()
    }),
    search.subscribe((now, before) => {
      if (now.isOpen && !before.isOpen) lost.getState().hide(true)
    }),
    lost.subscribe((now, before) => {
      if (now.isOpen && !before.isOpen) search.getState().hide(true)
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** The same for two lists where the same is wrong with the same conversations. */
function lossesOf(conversations: readonly ConversationSummary[]): string {
  const losses = conversations.flatMap(({ key, unreadable, damaged = 0, gone }) =>
    unreadable === undefined && damaged === 0 && !gone ? [] : [[key, unreadable, damaged, gone]],
  )
  return JSON.stringify(losses.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}
