import type { Api } from '../../shared/ipc/contract'
import { type AppStore, createAppStore } from './app'
import { type CompletionStore, createCompletionStore } from './completion'
import { createDetailsStore, type DetailsStore } from './details'
import { createDraftsStore, type DraftsStore } from './drafts'
import { createLayoutStore, type LayoutStore } from './layout'
import { createLibraryStore, type LibraryStore } from './library'
import { createReadingStore, type ReadingStore } from './reading'
import { createSettingsStore, type SettingsStore } from './settings'
import type { KeptValues } from './storage'
import type { AppendedRows } from './transcript'
import { createTranscriptStore, type TranscriptStore } from './transcript'

/** Everything the window knows: one store a domain. */
export interface Stores {
  readonly app: AppStore
  readonly library: LibraryStore
  readonly transcript: TranscriptStore
  readonly reading: ReadingStore
  readonly details: DetailsStore
  readonly completion: CompletionStore
  readonly settings: SettingsStore
  readonly drafts: DraftsStore
  readonly layout: LayoutStore
}

/** Makes the stores of one window. */
export function createStores(api: Api, kept: KeptValues): Stores {
  return {
    app: createAppStore(api),
    library: createLibraryStore(api),
    transcript: createTranscriptStore(api),
    reading: createReadingStore(api),
    details: createDetailsStore(api),
    completion: createCompletionStore(api),
    settings: createSettingsStore(api),
    drafts: createDraftsStore(kept),
    layout: createLayoutStore(kept),
  }
}

/** Folds what main tells into the stores; returns the function that ends it. */
export function followMain(api: Api, stores: Stores): () => void {
  const { app, library, transcript, reading, details, completion, settings, drafts } = stores

  function appended(told: AppendedRows): void {
    // The keys first: an answer must not be on the screen twice, nor under a new key, for one frame.
    transcript.getState().showAs(completion.getState().settle(told.key, told.rows))
    transcript.getState().foldAppended(told)
    details.getState().foldAppended(told.key)
    const sent = completion.getState().sending[told.key]
    const isSent = told.rows.some(
      (row) => row.type === 'entry' && row.entry.content.endsWith(sent ?? '\0'),
    )
    if (sent !== undefined && isSent) drafts.getState().clear(told.key)
  }

  const ends = [
    api.app.onStatusChanged((status) => app.setState({ status })),
    api.library.onChanged((change) => library.getState().fold(change)),
    api.transcript.onAppended(appended),
    api.transcript.onChanged(({ key }) => {
      void transcript.getState().foldChanged(key, reading.getState().isReadingUp)
      details.getState().foldAppended(key)
    }),
    api.transcript.onLock(({ key, lock }) => transcript.getState().foldLock(key, lock)),
    api.completion.onState((state) => {
      completion.getState().foldState(state)
      if (transcript.getState().key !== state.key) completion.getState().forget(state.key)
    }),
    api.completion.onDelta((delta) => completion.getState().foldDelta(delta)),
    api.settings.onChanged((view) => settings.getState().fold(view)),
  ]
  return () => {
    for (const end of ends) end()
  }
}
