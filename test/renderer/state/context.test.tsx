import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { createApi } from '../../../src/renderer/api'
import { createActions } from '../../../src/renderer/state/actions'
import {
  AppWindowProvider,
  type Stores,
  useActions,
  useApp,
  useAudio,
  useBackground,
  useBranches,
  useBranching,
  useCheckup,
  useChosen,
  useCompacting,
  useCompare,
  useCompletion,
  useConsent,
  useContexts,
  useContextWindowSize,
  useContextWindowStart,
  useDetails,
  useDrafts,
  useDrift,
  useExporting,
  useFacets,
  useFamilies,
  useFind,
  useHistory,
  useHomeTexts,
  useKnownValues,
  useLabels,
  useLandmarks,
  useLayout,
  useLibraryState,
  useLost,
  useMap,
  useMapSearch,
  useMentions,
  useModels,
  useNotes,
  useNothing,
  usePalette,
  usePatternTrial,
  usePlugins,
  usePreview,
  usePrompts,
  useQueue,
  useReading,
  useReadList,
  useSearch,
  useSearches,
  useSent,
  useSettings,
  useSnapshots,
  useSources,
  useStatistics,
  useStores,
  useTags,
  useTitles,
  useTranscript,
  useUndo,
  useUnread,
  useUpkeep,
} from '../../../src/renderer/state/context'
import { createStores } from '../../../src/renderer/state/stores'
import { createMemoryHome } from '../harness/memory-home'
import { keptInMap } from './support/map-storage'
import { quietHome } from './support/quiet-home'

type Hook = (select: (state: unknown) => unknown) => unknown

/** The hook of each store. */
const hooks: Readonly<Record<Exclude<keyof Stores, 'queue'>, Hook>> = {
  app: useApp,
  audio: useAudio,
  background: useBackground,
  branches: useBranches,
  branching: useBranching,
  chosen: useChosen,
  compacting: useCompacting,
  compare: useCompare,
  completion: useCompletion,
  consent: useConsent,
  contexts: useContexts,
  details: useDetails,
  drift: useDrift,
  find: useFind,
  landmarks: useLandmarks,
  knownValues: useKnownValues,
  searches: useSearches,
  drafts: useDrafts,
  exporting: useExporting,
  facets: useFacets,
  families: useFamilies,
  history: useHistory,
  homeTexts: useHomeTexts,
  labels: useLabels,
  layout: useLayout,
  library: useLibraryState,
  lost: useLost,
  map: useMap,
  mapSearch: useMapSearch,
  models: useModels,
  notes: useNotes,
  nothing: useNothing,
  palette: usePalette,
  plugins: usePlugins,
  prompts: usePrompts,
  mentions: useMentions,
  preview: usePreview,
  readList: useReadList,
  reading: useReading,
  unread: useUnread,
  search: useSearch,
  sent: useSent,
  settings: useSettings,
  patternTrial: usePatternTrial,
  checkup: useCheckup,
  snapshots: useSnapshots,
  sources: useSources,
  statistics: useStatistics,
  tags: useTags,
  titles: useTitles,
  transcript: useTranscript,
  undo: useUndo,
  upkeep: useUpkeep,
  contextWindowSize: useContextWindowSize,
  contextWindowStart: useContextWindowStart,
}

function View({ use }: { readonly use: () => void }) {
  use()
  return null
}

/** What `use` reads below the provider of a window that has just opened, and the window's stores. */
function readIn<T>(use: () => T) {
  const home = createMemoryHome(quietHome())
  const api = createApi(home.api.transport)
  const kept = keptInMap()
  const stores = createStores(api, kept)
  const actions = createActions(stores, kept)
  const read: T[] = []
  const value = { stores, actions, onCommand: api.app.onCommand }
  renderToStaticMarkup(
    <AppWindowProvider value={value}>
      <View use={() => read.push(use())} />
    </AppWindowProvider>,
  )
  return { read, stores, actions }
}

it.each(Object.entries(hooks))('follows the store %s by its hook', (name, useSlice) => {
  const { read, stores } = readIn(() => useSlice((state) => state))
  expect(read).toEqual([stores[name as keyof Stores].getInitialState()])
})

it('reads an empty queue of a conversation in which nothing waits', () => {
  expect(readIn(() => useQueue('garden')).read).toEqual([{ messages: [] }])
})

it('gives the actions and the stores themselves', () => {
  const { read, stores, actions } = readIn(() => [useStores(), useActions()])
  expect(read).toEqual([[stores, actions]])
})

it('fails outside of a window, and says so', () => {
  expect(() => renderToStaticMarkup(<View use={() => void useStores()} />)).toThrow(
    'no AppWindowProvider',
  )
})
