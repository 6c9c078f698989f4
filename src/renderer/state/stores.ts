import type { Api } from '../../shared/ipc/contract'
import { isoSeconds } from '../../shared/model/basics/time'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { type AppStore, createAppStore } from './app/app'
import { type BackgroundStore, createBackgroundStore } from './app/background'
import { createLayoutStore, type LayoutStore } from './app/layout'
import { createPaletteStore, type PaletteStore } from './app/palette'
import { type AudioStore, createAudioStore } from './audio/audio'
import { browserAttention } from './base/attention'
import { browserClock } from './base/clock'
import type { KeyValueStorage } from './base/storage'
import { type CompareStore, createCompareStore } from './compare/compare'
import {
  type ContextWindowSizeStore,
  createContextWindowSizeStore,
} from './context-window/context-window-size'
import {
  type ContextWindowStartStore,
  createContextWindowStartStore,
} from './context-window/context-window-start'
import { type ChosenStore, createChosenStore } from './contexts/chosen'
import { type CompactingStore, createCompactingStore } from './contexts/compacting'
import { type ContextsStore, createContextsStore } from './contexts/contexts'
import { createNotesStore, type NotesStore } from './contexts/notes'
import { createTagsStore, type TagsStore } from './contexts/tags'
import { createUndoStore, type UndoStore } from './contexts/undo'
import { createUpkeepStore, type UpkeepStore } from './contexts/upkeep'
import { followCompare } from './follow/follow-compare'
import { followContextWindow } from './follow/follow-context-window'
import { followContexts } from './follow/follow-contexts'
import { followFacets } from './follow/follow-facets'
import { followHistory } from './follow/follow-history'
import { followLost } from './follow/follow-lost'
import { followMapSearch } from './follow/follow-map-search'
import { followNothing } from './follow/follow-nothing'
import { followPreview } from './follow/follow-preview'
import { followQueue } from './follow/follow-queue'
import { followReadList } from './follow/follow-read-list'
import { followUnread } from './follow/follow-unread'
import { followViews } from './follow/follow-views'
import { createHistoryStore, type HistoryStore } from './history/history'
import { createLandmarksStore, type LandmarksStore } from './landmarks/landmarks'
import { createExportingStore, type ExportingStore } from './library/exporting'
import { createFamiliesStore, type FamiliesStore } from './library/families'
import { createLibraryStore, type LibraryStore } from './library/library'
import { createLostStore, type LostStore } from './library/lost'
import { createReadListStore, type ReadListStore } from './library/read-list'
import { createTitlesStore, type TitlesStore } from './library/titles'
import { createMapStore, type MapStore } from './map/map'
import { createMapSearchStore, type MapSearchStore } from './map/map-search'
import { type CompletionStore, createCompletionStore } from './run/completion'
import { type ConsentStore, createConsentStore } from './run/consent'
import { createDraftsStore, type DraftsStore } from './run/drafts'
import { createMentionsStore, type MentionsStore } from './run/mentions'
import { pdfReader } from './run/pdf-reader'
import { createQueueStore, type QueueStore } from './run/queue'
import { createFacetsStore, type FacetsStore } from './search/facets'
import { createKnownValuesStore, type KnownValuesStore } from './search/known-values'
import { createNothingStore, type NothingStore } from './search/nothing'
import { createPreviewStore, type PreviewStore } from './search/preview'
import { createSearchStore, type SearchStore } from './search/search'
import { createSearchesStore, type SearchesStore } from './search/searches'
import { type CheckupStore, createCheckupStore } from './settings/checkup'
import { createDriftStore, type DriftStore } from './settings/drift'
import { createHomeTextsStore, type HomeTextsStore } from './settings/home-texts'
import { createModelsStore, type ModelsStore } from './settings/models'
import { createPatternTrialStore, type PatternTrialStore } from './settings/pattern-trial'
import { createPluginsStore, type PluginsStore } from './settings/plugins'
import { createPromptsStore, type PromptsStore } from './settings/prompts'
import { createSettingsStore, type SettingsStore } from './settings/settings'
import { createSnapshotsStore, type SnapshotsStore } from './settings/snapshots'
import { createSourcesStore, type SourcesStore } from './settings/sources'
import { createStatisticsStore, type StatisticsStore } from './statistics/statistics'
import { type BranchesStore, createBranchesStore } from './transcript/branches'
import { type BranchingStore, createBranchingStore } from './transcript/branching'
import { createDetailsStore, type DetailsStore } from './transcript/details'
import { createFindStore, type FindStore } from './transcript/find'
import { createLabelsStore, type LabelsStore } from './transcript/labels'
import { createReadingStore, type ReadingStore } from './transcript/reading'
import type { AppendedRows } from './transcript/row-requests'
import { createSentStore, type SentStore } from './transcript/sent'
import { createTranscriptStore, type TranscriptStore } from './transcript/transcript'
import { createUnreadStore, type UnreadStore } from './transcript/unread'

/** Stores of an app window, one for each domain. */
export interface Stores {
  readonly app: AppStore
  readonly library: LibraryStore
  readonly readList: ReadListStore
  readonly families: FamiliesStore
  readonly transcript: TranscriptStore
  readonly contextWindowStart: ContextWindowStartStore
  readonly contextWindowSize: ContextWindowSizeStore
  readonly reading: ReadingStore
  readonly unread: UnreadStore
  readonly details: DetailsStore
  readonly completion: CompletionStore
  readonly compacting: CompactingStore
  readonly consent: ConsentStore
  readonly contexts: ContextsStore
  readonly undo: UndoStore
  readonly chosen: ChosenStore
  readonly notes: NotesStore
  readonly settings: SettingsStore
  readonly drafts: DraftsStore
  readonly queue: QueueStore
  readonly layout: LayoutStore
  readonly palette: PaletteStore
  readonly search: SearchStore
  readonly facets: FacetsStore
  readonly nothing: NothingStore
  readonly preview: PreviewStore
  readonly find: FindStore
  readonly landmarks: LandmarksStore
  readonly knownValues: KnownValuesStore
  readonly searches: SearchesStore
  readonly branches: BranchesStore
  readonly branching: BranchingStore
  readonly map: MapStore
  readonly mapSearch: MapSearchStore
  readonly compare: CompareStore
  readonly exporting: ExportingStore
  readonly sent: SentStore
  readonly sources: SourcesStore
  readonly drift: DriftStore
  readonly titles: TitlesStore
  readonly tags: TagsStore
  readonly labels: LabelsStore
  readonly lost: LostStore
  readonly statistics: StatisticsStore
  readonly models: ModelsStore
  readonly plugins: PluginsStore
  readonly homeTexts: HomeTextsStore
  readonly prompts: PromptsStore
  readonly mentions: MentionsStore
  readonly snapshots: SnapshotsStore
  readonly checkup: CheckupStore
  readonly patternTrial: PatternTrialStore
  readonly upkeep: UpkeepStore
  readonly background: BackgroundStore
  readonly audio: AudioStore
  readonly history: HistoryStore
}

/** Makes the stores of one app window. */
export function createStores(api: Api, kept: KeyValueStorage): Stores {
  const library = createLibraryStore(api, browserClock, kept)
  const search = createSearchStore(api, (key) => updatedAt(library, key), kept)
  const branches = createBranchesStore(api)
  const families = createFamiliesStore(api)
  const drafts = createDraftsStore(kept, pdfReader(api))
  const details = createDetailsStore(api)
  const chosen = createChosenStore(api)
  return {
    audio: createAudioStore(),
    history: createHistoryStore(),
    app: createAppStore(api),
    library,
    readList: createReadListStore(api),
    families,
    transcript: createTranscriptStore(api),
    contextWindowStart: createContextWindowStartStore(api),
    contextWindowSize: createContextWindowSizeStore(api),
    reading: createReadingStore(api),
    unread: createUnreadStore(kept),
    details,
    completion: createCompletionStore(api, (place) => ({
      images: drafts.getState().attached[place] ?? [],
      files: drafts.getState().textsAt(place),
    })),
    compacting: createCompactingStore(api),
    consent: createConsentStore(api),
    contexts: createContextsStore(api),
    undo: createUndoStore(api, (change, keys) => chosen.getState().change(change, keys)),
    chosen,
    notes: createNotesStore(api),
    settings: createSettingsStore(api),
    drafts,
    queue: createQueueStore(kept),
    layout: createLayoutStore(kept),
    palette: createPaletteStore(),
    search,
    facets: createFacetsStore(api, kept),
    nothing: createNothingStore(api),
    preview: createPreviewStore(api, kept),
    find: createFindStore(api),
    landmarks: createLandmarksStore(api),
    knownValues: createKnownValuesStore(api),
    searches: createSearchesStore(api, kept),
    branches,
    branching: createBranchingStore(api),
    map: createMapStore(api),
    mapSearch: createMapSearchStore(api),
    compare: createCompareStore(api, kept),
    exporting: createExportingStore(api, kept),
    sent: createSentStore(api),
    lost: createLostStore(api),
    statistics: createStatisticsStore(api),
    titles: createTitlesStore(api),
    tags: createTagsStore(api),
    labels: createLabelsStore(api),
    models: createModelsStore(api),
    plugins: createPluginsStore(api),
    homeTexts: createHomeTextsStore(api),
    prompts: createPromptsStore(api),
    mentions: createMentionsStore(api),
    snapshots: createSnapshotsStore(api),
    checkup: createCheckupStore(api),
    patternTrial: createPatternTrialStore(api),
    background: createBackgroundStore(api),
    upkeep: createUpkeepStore(api, (key) => void details.getState().load(key)),
    drift: createDriftStore(api),
    sources: createSourcesStore(api, () => {
      void library.getState().load()
      branches.getState().foldChanged()
      families.getState().reset()
      if (search.getState().isOpen) search.getState().searchAgain()
    }),
  }
}

/** Folds main's events into the stores. Returns a function that stops it. */
export function followMain(api: Api, stores: Stores, attention = browserAttention()): () => void {
  const { app, library, transcript, reading, details, completion, settings, search, exporting } =
    stores
  const { branches, branching, sources, consent } = stores

  function appended(change: AppendedRows): void {
    // The keys first, so that no frame has an answer twice or under a new key.
    transcript.getState().showAs(completion.getState().settle(change.key, change.rows))
    transcript.getState().foldAppended(change)
    stores.compare.getState().foldChanged(change.key)
    stores.find.getState().foldChanged(change.key)
    stores.landmarks.getState().foldChanged(change.key, transcript.getState().run.totalBytes)
    stores.contextWindowStart.getState().foldAppended(change.key, change.rows)
    details.getState().foldAppended(change.key)
    branches.getState().foldAppended(change.key)
    stores.map.getState().foldChanged()
  }

  const ends = [
    api.app.onStatusChanged((status) => app.setState({ status })),
    api.app.onQuickKeyChanged((state) => app.getState().foldQuickKey(state)),
    api.library.onChanged((change) => library.getState().fold(change)),
    api.transcript.onAppended(appended),
    api.transcript.onChanged(({ key }) => {
      void transcript.getState().foldChanged(key, reading.getState().isReadingUp)
      stores.contextWindowStart.getState().foldChanged(key)
      stores.find.getState().foldChanged(key)
      stores.landmarks.getState().foldChanged(key, transcript.getState().run.totalBytes)
      details.getState().foldAppended(key)
      branches.getState().foldAppended(key)
      stores.map.getState().foldChanged()
      if (library.getState().phase === 'ready') stores.families.getState().foldChanged()
    }),
    api.transcript.onLock(({ key, lock }) => transcript.getState().foldLock(key, lock)),
    api.completion.onState((state) => {
      completion.getState().foldState(state)
      if (transcript.getState().key !== state.key) completion.getState().forget(state.key)
    }),
    api.compaction.onState((state) => stores.compacting.getState().fold(state)),
    api.completion.onDelta((delta) => completion.getState().foldDelta(delta)),
    api.completion.onConsentAsked((asked) => consent.getState().foldAsked(asked)),
    api.completion.onConsentEnded(({ consentId }) => consent.getState().foldEnded(consentId)),
    api.settings.onChanged((view) => settings.getState().fold(view)),
    api.models.onChanged((view) => stores.models.getState().fold(view)),
    api.background.onChanged((notices) => stores.background.getState().fold(notices)),
    api.plugins.onChanged(() => stores.plugins.getState().foldChanged()),
    api.sources.onChanged((view) => sources.getState().fold(view)),
    // Not before the list is there: reading for families must not make it wait.
    library.subscribe((now, before) => {
      if (now.phase === 'ready' && before.phase !== 'ready') void stores.families.getState().load()
    }),
    api.labels.onChanged(() => void stores.labels.getState().load()),
    api.branches.onChanged(() => {
      branches.getState().foldChanged()
      stores.map.getState().foldChanged()
    }),
    api.search.onFound(({ searchId, hits }) => search.getState().foldFound(searchId, hits)),
    api.search.onProgress(({ searchId, segments }) =>
      search.getState().foldProgress(searchId, segments),
    ),
    api.search.onCounted(({ searchId, facets }) =>
      stores.facets.getState().foldCounted(searchId, facets),
    ),
    api.statistics.onChanged(() => {
      stores.statistics.getState().foldChanged()
      void stores.readList.getState().load()
    }),
    api.checkup.onProgress((step) => stores.checkup.getState().fold(step)),
    api.snapshots.onProgress((step) => stores.snapshots.getState().fold(step)),
    api.snapshots.onEnded(({ done }) => stores.snapshots.getState().end(done ?? undefined)),
    api.exports.onProgress((soFar) => exporting.getState().foldProgress(soFar)),
    api.search.onIndex((index) => search.getState().foldIndex(index)),
    transcript.subscribe((now, before) => {
      stores.find.getState().follow(now.key, now.branches?.way)
      stores.landmarks.getState().follow(now.key, now.branches?.way)
      if (now.key === before.key) return
      void stores.contextWindowStart.getState().follow(now.key)
      // Another program may have changed them.
      if (now.key !== undefined) void stores.labels.getState().load()
    }),
    followLost(stores),
    followReadList(stores),
    followFacets(stores),
    followNothing(stores),
    followPreview(stores),
    followMapSearch(api, stores),
    followViews(stores),
    followCompare(stores),
    followContextWindow(api, stores),
    // Before any other move: places have the new names when the window goes there.
    followHistory(api, stores),
    followContexts(api, stores),
    followQueue(api, stores),
    followUnread(stores, attention),
    app.subscribe((now, before) => {
      if (now.status?.phase !== 'ready') stores.palette.getState().close()
      if (now.status?.home.path === before.status?.home.path) return
      stores.palette.getState().close()
      // Hits are of one home only, and so are numbers and the conversations behind them.
      search.getState().reset()
      stores.preview.getState().show(undefined)
      stores.facets.getState().reset()
      stores.statistics.getState().reset()
      stores.knownValues.getState().reset()
      library.getState().setPicked(undefined)
      stores.models.getState().reset()
      stores.titles.getState().reset()
      stores.tags.getState().reset()
      stores.labels.getState().reset()
      // At the start there is no other home that they were of.
      if (before.status !== undefined) library.getState().leaveHome()
      stores.homeTexts.getState().reset()
      stores.prompts.getState().reset()
      stores.mentions.getState().reset()
      stores.upkeep.getState().reset()
      stores.sent.getState().close()
      branches.getState().reset()
      stores.map.getState().reset()
      stores.mapSearch.getState().reset()
      stores.families.getState().reset()
      branching.getState().reset()
      stores.undo.getState().reset()
      stores.chosen.getState().reset()
      consent.getState().reset()
      if (now.status?.phase === 'ready') void consent.getState().load()
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Returns the time of a conversation's last change, in Unix seconds. */
function updatedAt(library: LibraryStore, key: LibraryKey): number | undefined {
  const { conversations } = library.getState()
  return isoSeconds(conversations.find((known) => known.key === key)?.updated)
}
