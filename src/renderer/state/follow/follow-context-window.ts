import type { Api } from '../../../shared/ipc/contract'
import type { ContextWindowSizeStore } from '../context-window/context-window-size'
import type { NotesStore } from '../contexts/notes'
import type { ModelsStore } from '../settings/models'
import type { TranscriptStore } from '../transcript/transcript'

/** Has the open conversation measured anew when its next request is another one; returns the function that ends it. */
export function followContextWindow(
  api: Api,
  stores: {
    readonly contextWindowSize: ContextWindowSizeStore
    readonly transcript: TranscriptStore
    readonly models: ModelsStore
    readonly notes: NotesStore
  },
): () => void {
  const { contextWindowSize, transcript, models, notes } = stores
  const again = (key?: string) => contextWindowSize.getState().foldChanged(key)
  const ends = [
    transcript.subscribe((now, before) => {
      if (now.key !== before.key) contextWindowSize.getState().follow(now.key)
    }),
    api.transcript.onAppended(({ key }) => again(key)),
    api.transcript.onChanged(({ key }) => again(key)),
    // Its summary and its prompt are read with it.
    api.compaction.onState(({ key }) => again(key)),
    // Another model, a threshold, a tool that is not allowed any more.
    api.settings.onChanged(() => again()),
    // A list that was fetched may say how much the model takes.
    models.subscribe((now, before) => {
      if (now.lists !== before.lists) again()
    }),
    notes.subscribe((now, before) => {
      if (now.notes !== before.notes) again(now.key)
    }),
    api.plugins.onChanged(() => again()),
  ]
  return () => {
    for (const end of ends) end()
  }
}
