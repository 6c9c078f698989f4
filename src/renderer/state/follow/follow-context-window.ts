import type { Api } from '../../../shared/ipc/contract'
import type { ContextWindowSizeStore } from '../context-window/context-window-size'
import type { NotesStore } from '../contexts/notes'
import type { ModelsStore } from '../settings/models'
import type { TranscriptStore } from '../transcript/transcript'

/** Measures the open conversation again whenever its next request changes. Returns a function that stops it. */
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
    // A setting may bring another model, threshold or set of tools.
    api.settings.onChanged(() => again()),
    // A fetched list may bring the model's context length.
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
