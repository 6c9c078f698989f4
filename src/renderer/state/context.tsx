import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { type StoreApi, useStore } from 'zustand'
import type { MenuCommand } from '../../shared/ipc/app'
import type { Api } from '../../shared/ipc/contract'
import type { Actions } from './actions'
import type { AppState } from './app'
import type { BranchesState } from './branches'
import type { BranchingState } from './branching'
import type { CompletionState } from './completion'
import type { DetailsState } from './details'
import type { DraftsState } from './drafts'
import type { ExportingState } from './exporting'
import type { LayoutState } from './layout'
import type { LibraryState } from './library'
import type { PluginsState } from './plugins'
import type { ReadingState } from './reading'
import type { SearchState } from './search'
import type { SettingsState } from './settings'
import type { Stores } from './stores'
import type { TranscriptState } from './transcript'
import type { WindowStartState } from './window-start'

/** The stores of a window and what joins them. */
export interface WindowState {
  readonly stores: Stores
  readonly actions: Actions
  /** Follows what the menu asks of the window. */
  readonly onCommand: Api['app']['onCommand']
}

const WindowContext = createContext<WindowState | undefined>(undefined)

/** Gives the stores to everything below. */
export function WindowProvider(props: {
  readonly value: WindowState
  readonly children: ReactNode
}) {
  return <WindowContext value={props.value}>{props.children}</WindowContext>
}

function useWindow(): WindowState {
  const value = useContext(WindowContext)
  if (value === undefined) throw new Error('a view of the window stands outside of WindowProvider')
  return value
}

/** What a person does that touches more than one store. */
export function useActions(): Actions {
  return useWindow().actions
}

/** Calls the listener with what the menu asks. */
export function useMenuCommand(listener: (command: MenuCommand) => void): void {
  const { onCommand } = useWindow()
  useEffect(() => onCommand(listener), [onCommand, listener])
}

/** The stores themselves, for event handlers that read without following. */
export function useStores(): Stores {
  return useWindow().stores
}

function useSlice<S, T>(pick: (stores: Stores) => StoreApi<S>, select: (state: S) => T): T {
  return useStore(pick(useWindow().stores), select)
}

/** Each follows one store: select the smallest slice. */
export const useApp = <T,>(select: (state: AppState) => T): T => useSlice((s) => s.app, select)
export const useLibraryState = <T,>(select: (state: LibraryState) => T): T =>
  useSlice((s) => s.library, select)
export const useTranscript = <T,>(select: (state: TranscriptState) => T): T =>
  useSlice((s) => s.transcript, select)
export const useWindowStart = <T,>(select: (state: WindowStartState) => T): T =>
  useSlice((s) => s.windowStart, select)
export const useReading = <T,>(select: (state: ReadingState) => T): T =>
  useSlice((s) => s.reading, select)
export const useDetails = <T,>(select: (state: DetailsState) => T): T =>
  useSlice((s) => s.details, select)
export const useCompletion = <T,>(select: (state: CompletionState) => T): T =>
  useSlice((s) => s.completion, select)
export const useSettings = <T,>(select: (state: SettingsState) => T): T =>
  useSlice((s) => s.settings, select)
export const useDrafts = <T,>(select: (state: DraftsState) => T): T =>
  useSlice((s) => s.drafts, select)
export const useSearch = <T,>(select: (state: SearchState) => T): T =>
  useSlice((s) => s.search, select)
export const useBranches = <T,>(select: (state: BranchesState) => T): T =>
  useSlice((s) => s.branches, select)
export const useBranching = <T,>(select: (state: BranchingState) => T): T =>
  useSlice((s) => s.branching, select)
export const useExporting = <T,>(select: (state: ExportingState) => T): T =>
  useSlice((s) => s.exporting, select)
export const usePlugins = <T,>(select: (state: PluginsState) => T): T =>
  useSlice((s) => s.plugins, select)
export const useLayout = <T,>(select: (state: LayoutState) => T): T =>
  useSlice((s) => s.layout, select)
