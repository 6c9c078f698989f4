import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { type ExtractState, useStore } from 'zustand'
import type { MenuCommand } from '../../shared/ipc/app/app'
import type { Api } from '../../shared/ipc/contract'
import type { Actions } from './actions'
import type { Queue } from './run/queue'
import type { Stores } from './stores'

export type { Actions } from './actions'
export type { Stores } from './stores'

/** Stores and actions of an app window. */
export interface AppWindowState {
  readonly stores: Stores
  readonly actions: Actions
  /** Follows the commands of the menu. */
  readonly onCommand: Api['app']['onCommand']
}

const AppWindowContext = createContext<AppWindowState | undefined>(undefined)

/** Provider of the app window's state for all components below it. */
export function AppWindowProvider(props: {
  readonly value: AppWindowState
  readonly children: ReactNode
}) {
  return <AppWindowContext value={props.value}>{props.children}</AppWindowContext>
}

function useAppWindow(): AppWindowState {
  const value = useContext(AppWindowContext)
  if (value === undefined) throw new Error('This view has no AppWindowProvider above it.')
  return value
}

/** Returns the actions that involve more than one store. Throws outside of `AppWindowProvider`. */
export function useActions(): Actions {
  return useAppWindow().actions
}

/** Calls the listener with each command of the menu. */
export function useMenuCommand(listener: (command: MenuCommand) => void): void {
  const { onCommand } = useAppWindow()
  useEffect(() => onCommand(listener), [onCommand, listener])
}

/** Returns the stores, for event handlers that read without following. Throws outside of `AppWindowProvider`. */
export function useStores(): Stores {
  return useAppWindow().stores
}

type StateOf<K extends keyof Stores> = ExtractState<Stores[K]>

/** Follows one store: select the smallest slice. */
function useStoreSlice<K extends keyof Stores, T>(name: K, select: (state: StateOf<K>) => T): T {
  return useStore(useAppWindow().stores[name], select)
}

/** Makes the hook that follows the store of this name. */
function sliceHook<K extends keyof Stores>(name: K) {
  return <T,>(select: (state: StateOf<K>) => T): T => useStoreSlice(name, select)
}

/** Follows the open home, the route and Settings. */
export const useApp = sliceHook('app')
/** Follows the list of conversations. */
export const useLibraryState = sliceHook('library')
/** Follows the conversations that are chosen in the library. */
export const useChosen = sliceHook('chosen')
/** Follows what is read for a smart list. */
export const useReadList = sliceHook('readList')
/** Follows the families of the library. */
export const useFamilies = sliceHook('families')
/** Follows the open transcript. */
export const useTranscript = sliceHook('transcript')
/** Follows the dialog for tags. */
export const useTags = sliceHook('tags')
/** Follows the labels of entries. */
export const useLabels = sliceHook('labels')
/** Follows what is unfolded and highlighted in the open transcript. */
export const useReading = sliceHook('reading')
/** Follows how far conversations were seen. */
export const useUnread = sliceHook('unread')
/** Follows the family of the open conversation. */
export const useBranches = sliceHook('branches')
/** Follows the map of a family. */
export const useMap = sliceHook('map')
/** Follows the search on the map. */
export const useMapSearch = sliceHook('mapSearch')
/** Follows the making of branches. */
export const useBranching = sliceHook('branching')
/** Follows the comparison that covers the conversation. */
export const useCompare = sliceHook('compare')
/** Follows the details of the open conversation. */
export const useDetails = sliceHook('details')
/** Follows where the context window of the open conversation begins. */
export const useContextWindowStart = sliceHook('contextWindowStart')
/** Follows the size of the next request in tokens. */
export const useContextWindowSize = sliceHook('contextWindowSize')
/** Follows runs and their answers. */
export const useCompletion = sliceHook('completion')
/** Follows the compaction that a person asked for. */
export const useCompacting = sliceHook('compacting')
/** Follows the calls that wait for consent. */
export const useConsent = sliceHook('consent')
/** Follows the drafts. */
export const useDrafts = sliceHook('drafts')
/** Follows the request that is inspected. */
export const useSent = sliceHook('sent')
/** Follows the recordings. */
export const useAudio = sliceHook('audio')
/** Follows the actions on whole contexts. */
export const useContexts = sliceHook('contexts')
/** Follows what can be undone. */
export const useUndo = sliceHook('undo')
/** Follows the todos and goals of the open conversation. */
export const useNotes = sliceHook('notes')
/** Follows the dialogs for titles. */
export const useTitles = sliceHook('titles')
/** Follows the partitions and side files of the open context. */
export const useUpkeep = sliceHook('upkeep')
/** Follows the lost items. */
export const useLost = sliceHook('lost')
/** Follows the statistics. */
export const useStatistics = sliceHook('statistics')
/** Follows the export dialog. */
export const useExporting = sliceHook('exporting')
/** Follows the search. */
export const useSearch = sliceHook('search')
/** Follows the facets of the search. */
export const useFacets = sliceHook('facets')
/** Follows the queries next to one that finds nothing. */
export const useNothing = sliceHook('nothing')
/** Follows the preview of a hit. */
export const usePreview = sliceHook('preview')
/** Follows the words that are looked for in the open conversation. */
export const useFind = sliceHook('find')
/** Follows the landmarks of the open conversation. */
export const useLandmarks = sliceHook('landmarks')
/** Follows the searches of before: recent and saved ones. */
export const useSearches = sliceHook('searches')
/** Follows the values that queries are completed with. */
export const useKnownValues = sliceHook('knownValues')
/** Follows the pattern of redaction that is being typed. */
export const usePatternTrial = sliceHook('patternTrial')

/** Follows the checkup of the home. */
export const useCheckup = sliceHook('checkup')
/** Follows snapshots of the home. */
export const useSnapshots = sliceHook('snapshots')
/** Follows the settings. */
export const useSettings = sliceHook('settings')
/** Follows the providers and their models. */
export const useModels = sliceHook('models')
/** Follows the roots of other systems. */
export const useSources = sliceHook('sources')
/** Returns a slice of the drift store. */
export const useDrift = sliceHook('drift')
/** Follows the plugins. */
export const usePlugins = sliceHook('plugins')
/** Follows the texts of the home. */
export const useHomeTexts = sliceHook('homeTexts')
/** Follows the saved prompts. */
export const usePrompts = sliceHook('prompts')
/** Follows what a message can name. */
export const useMentions = sliceHook('mentions')
/** Follows the notices of the background. */
export const useBackground = sliceHook('background')
/** Follows the places that were visited. */
export const useHistory = sliceHook('history')
/** Follows the side panes and the library's grouping. */
export const useLayout = sliceHook('layout')
/** Follows the command palette. */
export const usePalette = sliceHook('palette')

/** Provider of the rows of the previewed hit, in place of the open transcript: its pieces below draw those. */
export function PreviewPiecesProvider(props: { readonly children: ReactNode }) {
  const { stores, actions, onCommand } = useAppWindow()
  const pieces = usePreview((state) => state.pieces)
  const value = useMemo(
    () => ({ stores: { ...stores, ...pieces }, actions, onCommand }),
    [stores, pieces, actions, onCommand],
  )
  return <AppWindowContext value={value}>{props.children}</AppWindowContext>
}

/** Follows the queue of a conversation; the first call reads the stored one. */
export function useQueue(key: string): Queue {
  const known = useStoreSlice('queue', ({ queues }) => queues[key])
  const get = useStoreSlice('queue', (state) => state.get)
  return known ?? get(key)
}
