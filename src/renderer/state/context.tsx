import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { type ExtractState, useStore } from 'zustand'
import type { MenuCommand } from '../../shared/ipc/app/app'
import type { Api } from '../../shared/ipc/contract'
import type { Actions } from './actions'
import type { Queue } from './run/queue'
import type { Stores } from './stores'

export type { Stores } from './stores'

/** The stores of a window and what joins them. */
export interface AppWindowState {
  readonly stores: Stores
  readonly actions: Actions
  /** Follows what the menu asks of the window. */
  readonly onCommand: Api['app']['onCommand']
}

const WindowContext = createContext<AppWindowState | undefined>(undefined)

/** Gives the stores to everything below. */
export function AppWindowProvider(props: {
  readonly value: AppWindowState
  readonly children: ReactNode
}) {
  return <WindowContext value={props.value}>{props.children}</WindowContext>
}

function useAppWindow(): AppWindowState {
  const value = useContext(WindowContext)
  if (value === undefined) throw new Error('a view of the window stands outside of WindowProvider')
  return value
}

/** What a person does that touches more than one store. */
export function useActions(): Actions {
  return useAppWindow().actions
}

/** Calls the listener with what the menu asks. */
export function useMenuCommand(listener: (command: MenuCommand) => void): void {
  const { onCommand } = useAppWindow()
  useEffect(() => onCommand(listener), [onCommand, listener])
}

/** The stores themselves, for event handlers that read without following. */
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

/** Follows the app as a whole: its home and what the window shows of it. */
export const useApp = sliceHook('app')
/** Follows the list of conversations. */
export const useLibraryState = sliceHook('library')
/** Follows the open transcript. */
export const useTranscript = sliceHook('transcript')
/** Follows the tags that are being changed. */
export const useTags = sliceHook('tags')
/** Follows what is opened and marked in the open transcript. */
export const useReading = sliceHook('reading')
/** Follows the open conversation's family. */
export const useBranches = sliceHook('branches')
/** Follows branches that are being made. */
export const useBranching = sliceHook('branching')
/** Follows the details of the open conversation. */
export const useDetails = sliceHook('details')
/** Follows where the model's window of the open conversation begins. */
export const useContextWindowStart = sliceHook('contextWindowStart')
/** Follows what the next request takes of the model's window. */
export const useContextWindowSize = sliceHook('contextWindowSize')
/** Follows runs and their answers. */
export const useCompletion = sliceHook('completion')
/** Follows the compaction that a person asked for. */
export const useCompacting = sliceHook('compacting')
/** Follows the questions of tools. */
export const useConsent = sliceHook('consent')
/** Follows what is being written. */
export const useDrafts = sliceHook('drafts')
/** Follows what the model was sent before an answer. */
export const useSent = sliceHook('sent')
/** Follows the recordings. */
export const useAudio = sliceHook('audio')
/** Follows what is done with contexts as wholes. */
export const useContexts = sliceHook('contexts')
/** Follows the todos and goals of the open conversation. */
export const useNotes = sliceHook('notes')
/** Follows the titles that are given to conversations. */
export const useTitles = sliceHook('titles')
/** Follows repairs and settings of the open context's files. */
export const useUpkeep = sliceHook('upkeep')
/** Follows lost and found lines. */
export const useLost = sliceHook('lost')
/** Follows the export dialog. */
export const useExporting = sliceHook('exporting')
/** Follows the search. */
export const useSearch = sliceHook('search')
/** Follows the settings. */
export const useSettings = sliceHook('settings')
/** Follows the providers and their models. */
export const useModels = sliceHook('models')
/** Follows the roots of other systems. */
export const useSources = sliceHook('sources')
/** Follows the plugins. */
export const usePlugins = sliceHook('plugins')
/** Follows the texts of the home. */
export const useHomeTexts = sliceHook('homeTexts')
/** Follows what was put off or failed in the background. */
export const useBackground = sliceHook('background')
/** Follows the panes' widths and what the list groups by. */
export const useLayout = sliceHook('layout')

/** Follows the messages that wait in a conversation, read from what was kept the first time. */
export function useQueue(key: string): Queue {
  const known = useStoreSlice('queue', ({ queues }) => queues[key])
  const get = useStoreSlice('queue', (state) => state.get)
  return known ?? get(key)
}
