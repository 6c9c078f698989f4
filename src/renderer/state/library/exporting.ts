import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import {
  ExportFormat,
  type LossReport,
  type SavedAll,
  type SavedSoFar,
} from '../../../shared/model/export'
import { toErrorReport } from '../base/failure'
import type { KeyValueStorage } from '../base/storage'

/** What was written. */
export interface WrittenExport {
  readonly file: string
  readonly bytes: number
  readonly entries: number
  readonly damaged: number
  /** What could not be read and is not in the file: a sentence each. */
  readonly unread: readonly string[]
}

/** What is known of what has no place in the chosen format. */
type Losses =
  | { readonly type: 'counting' }
  | { readonly type: 'counted'; readonly report: LossReport }
  | { readonly type: 'failed'; readonly failure: ErrorReport }

/** An export of several conversations that is going on, or what it came to. */
type All =
  | { readonly type: 'going'; readonly soFar: SavedSoFar }
  | { readonly type: 'ended'; readonly saved: SavedAll }

export interface ExportingState {
  /** The conversation whose export is being chosen; the dialog is open while there is one. */
  readonly key: LibraryKey | undefined
  readonly format: ExportFormat
  readonly losses: Losses
  readonly isBusy: boolean
  readonly exported: WrittenExport | undefined
  readonly failure: ErrorReport | undefined
  readonly all: All | undefined
  open(key: LibraryKey): void
  close(): void
  choose(format: ExportFormat): void
  /** Asks for a place and writes there. */
  save(): Promise<void>
  /** Asks for a folder and writes these there, a file each. */
  saveAll(keys: readonly LibraryKey[]): Promise<void>
  /** Ends `saveAll` after the conversation that is being written. */
  stopAll(): void
  foldProgress(soFar: SavedSoFar): void
}
export type ExportingStore = StoreApi<ExportingState>

const formatName = 'skein.export-format'

/** The export of a conversation: its format, and what came of it. The format is kept for the next time. */
export function createExportingStore(api: Api, kept: KeyValueStorage): ExportingStore {
  /** Makes the end of an export void whose dialog was closed meanwhile. */
  let request = 0
  /** The same for a count of losses. */
  let count = 0
  const store = createStore<ExportingState>()((set, get) => ({
    key: undefined,
    format: ExportFormat.safeParse(kept.get(formatName)).data ?? 'md',
    losses: { type: 'counting' },
    isBusy: false,
    exported: undefined,
    failure: undefined,
    all: undefined,

    open(key) {
      set({ key, exported: undefined, failure: undefined, all: undefined })
      void countLosses()
    },

    close() {
      request++
      count++
      // Nobody would see what becomes of it.
      if (get().all?.type === 'going') get().stopAll()
      set({ key: undefined, isBusy: false, all: undefined })
    },

    choose(format) {
      kept.set(formatName, format)
      set({ format, exported: undefined, failure: undefined, all: undefined })
      void countLosses()
    },

    async save() {
      const { key, format, isBusy } = get()
      if (key === undefined || isBusy) return
      const mine = ++request
      set({ isBusy: true, exported: undefined, failure: undefined, all: undefined })
      try {
        const exported = await api.exports.save({ key, format })
        if (mine === request) set({ isBusy: false, ...(exported === null ? {} : { exported }) })
      } catch (error) {
        if (mine === request) set({ isBusy: false, failure: toErrorReport(error) })
      }
    },

    async saveAll(keys) {
      const { key, format, isBusy } = get()
      if (key === undefined || isBusy || keys.length === 0) return
      const mine = ++request
      const all = { type: 'going', soFar: { done: 0, total: keys.length } } as const
      set({ isBusy: true, exported: undefined, failure: undefined, all })
      try {
        const saved = await api.exports.saveAll({ keys: [...keys], format })
        if (mine === request)
          set({ isBusy: false, all: saved === null ? undefined : { type: 'ended', saved } })
      } catch (error) {
        if (mine === request) set({ isBusy: false, failure: toErrorReport(error), all: undefined })
      }
    },

    stopAll() {
      void api.exports.stopAll().catch(() => undefined)
    },

    foldProgress(soFar) {
      if (get().all?.type === 'going') set({ all: { type: 'going', soFar } })
    },
  }))

  async function countLosses(): Promise<void> {
    const { key, format } = store.getState()
    if (key === undefined) return
    const mine = ++count
    store.setState({ losses: { type: 'counting' } })
    try {
      const report = await api.exports.losses({ key, format })
      if (mine === count) store.setState({ losses: { type: 'counted', report } })
    } catch (error) {
      if (mine === count)
        store.setState({ losses: { type: 'failed', failure: toErrorReport(error) } })
    }
  }

  return store
}
