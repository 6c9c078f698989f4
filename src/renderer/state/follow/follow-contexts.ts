import type { Api } from '../../../shared/ipc/contract'
import { parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { AppStore } from '../app/app'
import type { ChosenStore } from '../contexts/chosen'
import type { ContextsStore } from '../contexts/contexts'
import type { NotesStore } from '../contexts/notes'
import type { UndoStore } from '../contexts/undo'
import type { UpkeepStore } from '../contexts/upkeep'
import type { LibraryStore } from '../library/library'
import type { DraftsStore } from '../run/drafts'
import type { UnreadStore } from '../transcript/unread'

/** Folds main's events about contexts into the stores. Returns a function that stops it. */
export function followContexts(
  api: Api,
  stores: {
    readonly app: AppStore
    readonly contexts: ContextsStore
    readonly library: LibraryStore
    readonly drafts: DraftsStore
    readonly notes: NotesStore
    readonly undo: UndoStore
    readonly chosen: ChosenStore
    readonly upkeep: UpkeepStore
    readonly unread: UnreadStore
  },
): () => void {
  const { app, contexts, library, drafts, notes, undo, chosen, upkeep, unread } = stores
  const forgetUndo = (key: string) => {
    const { act } = undo.getState()
    const isOfSeveral = act?.type === 'several' && act.keys.some((one) => one === key)
    if (act?.key === key || isOfSeveral) undo.getState().dismiss()
  }
  const ends = [
    api.contexts.onRenamed(({ from, to }) => {
      // The draft moves along.
      drafts.getState().move(from, to)
      unread.getState().renamed(from, to)
      forgetUndo(from)
      chosen.getState().renamed(from, to)
      notes.getState().renamed(from, to)
      upkeep.getState().renamed(from, to)
      contexts.getState().foldRenamed(from, to)
      library.getState().foldRenamed(from, to)
    }),
    api.contexts.onDestroyed(({ key }) => {
      // Else it would appear in the next context of that name.
      drafts.getState().clear(key)
      unread.getState().forget(key)
      forgetUndo(key)
      chosen.getState().drop([key])
      notes.getState().destroyed(key)
      upkeep.getState().destroyed(key)
      const row = library.getState().conversations.find((known) => known.key === key)
      contexts.getState().foldDestroyed(key, row?.title ?? parseLibraryKey(key).key)
    }),
    api.contexts.onArchivedChanged(({ archived }) => contexts.getState().foldArchived(archived)),
    api.contexts.onNotesChanged((notesNow) => notes.getState().fold(notesNow)),
    app.subscribe((now, before) => {
      if (now.place !== before.place && now.place.type !== 'none')
        contexts.getState().forgetDestroyed()
      const isSame = now.status?.home.path === before.status?.home.path
      if (isSame && now.status?.phase === before.status?.phase) return
      if (!isSame) contexts.getState().reset()
      if (now.status?.phase === 'ready') void contexts.getState().load()
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
