import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../shared/ipc/contract'
import type { LibraryKey } from '../../shared/model/conversation'
import type { ErrorReport } from '../../shared/model/errors'
import type { ExportFormat } from '../../shared/model/export'
import { failureOf } from './failure'
import type { KeptValues } from './storage'

/** What was written. */
export interface Exported {
  readonly file: string
  readonly bytes: number
  readonly entries: number
  readonly damaged: number
}

export interface ExportingState {
  /** The conversation whose export is being chosen; the dialog is open while there is one. */
  readonly key: LibraryKey | undefined
  readonly format: ExportFormat
  readonly isBusy: boolean
  readonly exported: Exported | undefined
  readonly failure: ErrorReport | undefined
  open(key: LibraryKey): void
  close(): void
  choose(format: ExportFormat): void
  /** Asks for a place and writes there. */
  save(): Promise<void>
}
export type ExportingStore = StoreApi<ExportingState>

const formatName = 'skein.export-format'
const formats: readonly ExportFormat[] = ['md', 'html', 'json', 'jsonl']

/** The export of a conversation: its format, and what came of it. The format is kept for the next time. */
export function createExportingStore(api: Api, kept: KeptValues): ExportingStore {
  /** Makes the end of an export void whose dialog was closed meanwhile. */
  let request = 0
  return createStore<ExportingState>()((set, get) => ({
    key: undefined,
    format: formats.find((format) => format === kept.get(formatName)) ?? 'md',
    isBusy: false,
    exported: undefined,
    failure: undefined,

    open: (key) => set({ key, exported: undefined, failure: undefined }),

    close() {
      request++
      set({ key: undefined, isBusy: false })
    },

    choose(format) {
      kept.set(formatName, format)
      set({ format, exported: undefined, failure: undefined })
    },

    async save() {
      const { key, format, isBusy } = get()
      if (key === undefined || isBusy) return
      const mine = ++request
      set({ isBusy: true, exported: undefined, failure: undefined })
      try {
        const exported = await api.exports.save({ key, format })
        if (mine === request) set({ isBusy: false, ...(exported === null ? {} : { exported }) })
      } catch (error) {
        if (mine === request) set({ isBusy: false, failure: failureOf(error) })
      }
    },
  }))
}
