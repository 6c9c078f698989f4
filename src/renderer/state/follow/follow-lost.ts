import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import type { AppStore } from '../app/app'
import type { LibraryStore } from '../library/library'
import type { LostStore } from '../library/lost'

/** Checks for lost items after changes of the library. Returns a function that stops it. */
export function followLost(stores: {
  readonly app: AppStore
  readonly library: LibraryStore
  readonly lost: LostStore
}): () => void {
  const { app, library, lost } = stores
  const ends = [
    library.subscribe((now, before) => {
      if (now.phase !== 'ready') return
      if (before.phase !== 'ready') return lost.getState().lookSoon()
      if (now.conversations === before.conversations) return
      // In an open view each change counts; in a closed one only a change of the losses.
      if (lost.getState().isOpen || lossesOf(now.conversations) !== lossesOf(before.conversations))
        lost.getState().lookSoon()
    }),
    app.subscribe((now, before) => {
      if (now.status?.home.path !== before.status?.home.path) lost.getState().reset()
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Returns a text that is equal for lists with the same losses of the same conversations. */
function lossesOf(conversations: readonly ConversationSummary[]): string {
  const losses = conversations.flatMap(({ key, unreadable, damaged = 0, gone }) =>
    unreadable === undefined && damaged === 0 && !gone ? [] : [[key, unreadable, damaged, gone]],
  )
  return JSON.stringify(losses.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}
