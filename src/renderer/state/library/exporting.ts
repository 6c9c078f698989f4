import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import {
  ExportFormat,
  type LossReport,
  PlacedFormat,
  type SavedAll,
  type SavedSoFar,
} from '../../../shared/model/export'
import { toErrorReport } from '../base/failure'
import type { KeyValueStorage } from '../base/storage'

/** Export that was written: its file, size and number of entries. */
export interface WrittenExport {
  readonly file: string
  readonly bytes: number
  readonly entries: number
  readonly damaged: number
  /** Sentences on what could not be read and is not in the file. */
  readonly unread: readonly string[]
  /** Goes on with the session, where it was written among those of its program. */
  readonly command?: string
}

/** The losses in the chosen format, once counted. */
type Losses =
  | { readonly type: 'counting' }
  | { readonly type: 'counted'; readonly report: LossReport }
  | { readonly type: 'failed'; readonly failure: ErrorReport }

/** An export of several conversations: in progress, or ended. */
type All =
  | { readonly type: 'going'; readonly soFar: SavedSoFar }
  | { readonly type: 'ended'; readonly saved: SavedAll }

/** State and actions of the export dialog. */
export interface ExportingState {
  /** The conversation of the open dialog; undefined while it is closed. */
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
  /** Asks for a file name and writes the file. */
  save(): Promise<void>
  /** Writes a new session into the folder of the format's program, once a person allowed it. */
  saveToProgram(): Promise<void>
  /** Asks for a folder and writes a file for each conversation there. */
  saveAll(keys: readonly LibraryKey[]): Promise<void>
  /** Stops `saveAll` after the conversation that is being written. */
  stopAll(): void
  foldProgress(soFar: SavedSoFar): void
}
/** Store of the export dialog. */
export type ExportingStore = StoreApi<ExportingState>

const formatName = 'skein.export-format'

/** Makes the store of the export dialog; it keeps the format for the next time. */
export function createExportingStore(api: Api, kept: KeyValueStorage): ExportingStore {
  /** Grows with each export: the end of one whose dialog was closed is dropped. */
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
      // Nobody would see its outcome.
      if (get().all?.type === 'going') get().stopAll()
      set({ key: undefined, isBusy: false, all: undefined })
    },

    choose(format) {
      kept.set(formatName, format)
      set({ format, exported: undefined, failure: undefined, all: undefined })
      void countLosses()
    },

    async saveToProgram() {
      const { data: format } = PlacedFormat.safeParse(get().format)
      if (format !== undefined) await saveBy((key) => api.continuing.save({ key, format }))
    },

    async save() {
      const { format } = get()
      await saveBy((key) => api.exports.save({ key, format }))
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

  async function saveBy(write: (key: LibraryKey) => Promise<WrittenExport | null>): Promise<void> {
    const { key, isBusy } = store.getState()
    if (key === undefined || isBusy) return
    const mine = ++request
    const begun = { exported: undefined, failure: undefined, all: undefined }
    store.setState({ isBusy: true, ...begun })
    try {
      const exported = await write(key)
      if (mine === request)
        store.setState({ isBusy: false, ...(exported === null ? {} : { exported }) })
    } catch (error) {
      if (mine === request) store.setState({ isBusy: false, failure: toErrorReport(error) })
    }
  }

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
