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
import type { ExportPreview, ExportRange } from '../../../shared/model/export-choices'
import type { RedactionReport } from '../../../shared/model/redaction'
import { toErrorReport } from '../base/failure'
import type { KeyValueStorage } from '../base/storage'
import { chosenExport, type KeptChoices, parseKeptChoices } from './export-choices'

/** Export that was written: its file, size and number of entries. */
export interface WrittenExport {
  readonly file: string
  readonly bytes: number
  readonly entries: number
  readonly damaged: number
  /** Sentences on what could not be read and is not in the file. */
  readonly unread: readonly string[]
  readonly redacted?: RedactionReport | undefined
  /** Goes on with the session, where it was written among those of its program. */
  readonly command?: string
}

/** The losses in the chosen format, once counted. */
type Losses =
  | { readonly type: 'counting' }
  | { readonly type: 'counted'; readonly report: LossReport }
  | { readonly type: 'failed'; readonly failure: ErrorReport }

/** The beginning of the file, once it was made. */
type Shown =
  /** The one before is shown meanwhile, so that what is ticked in it stays in its place. */
  | { readonly type: 'reading'; readonly preview: ExportPreview | undefined }
  | { readonly type: 'shown'; readonly preview: ExportPreview }
  | { readonly type: 'failed'; readonly failure: ErrorReport }

/** An export of several conversations: in progress, or ended. */
type All =
  | { readonly type: 'going'; readonly soFar: SavedSoFar }
  | { readonly type: 'ended'; readonly saved: SavedAll }

/** State and actions of the export dialog. */
export interface ExportingState {
  /** The conversation of the open dialog; undefined while it is closed. */
  readonly key: LibraryKey | undefined
  /** All of the dialog, where it is of several, or of whatever the library lists; the preview is that of `key`. */
  readonly several: readonly LibraryKey[] | 'all' | undefined
  readonly format: ExportFormat
  readonly choices: KeptChoices
  /** Ids of findings that are not replaced. */
  readonly kept: readonly string[]
  /** The part of the transcript that was selected when the dialog opened. */
  readonly selected: ExportRange | undefined
  /** The part that is written; all where it is undefined. */
  readonly range: ExportRange | undefined
  readonly losses: Losses
  readonly preview: Shown
  readonly isBusy: boolean
  /** How far the export of one into a file is, once its place was chosen; undefined before, and once it ended. */
  readonly one: 'going' | 'stopped' | undefined
  readonly exported: WrittenExport | undefined
  readonly failure: ErrorReport | undefined
  readonly all: All | undefined
  open(key: LibraryKey, selected?: ExportRange): void
  /** Opens the dialog for several conversations; for one as `open` does. */
  openSeveral(keys: readonly LibraryKey[]): void
  /** Opens the dialog for all of the library, with the preview of one of them. */
  openAll(first: LibraryKey): void
  /** Makes the open dialog one of all of the library; the preview stays that of its conversation. */
  widen(): void
  close(): void
  choose(format: ExportFormat): void
  /** Changes some of the choices, and keeps them for the next time. */
  change(choices: Partial<KeptChoices>): void
  /** Writes the selected part alone, or all. */
  writeSelected(isUsed: boolean): void
  /** Leaves a finding as it is, or replaces it again. */
  keep(id: string, isKept: boolean): void
  /** Makes twice as much of the file for the preview. */
  showMore(): void
  /** Asks for a file name and writes the file. */
  save(): Promise<void>
  /** Writes a new session into the folder of the format's program, once a person allowed it. */
  saveToProgram(): Promise<void>
  /** Asks for a folder, or for the name of a zip, and writes a file for each conversation there. */
  saveAll(keys: readonly LibraryKey[]): Promise<void>
  /** Stops what is being written. */
  stop(): void
  foldProgress(soFar: SavedSoFar): void
}
/** Store of the export dialog. */
export type ExportingStore = StoreApi<ExportingState>

/** Outcome of nothing. */
const nothingDone = { exported: undefined, failure: undefined, all: undefined, one: undefined }

const formatName = 'skein.export-format'
const choicesName = 'skein.export-choices'
/** In UTF-16 units. */
const firstPreview = 64_000

/** Makes the store of the export dialog; it keeps the format for the next time. */
export function createExportingStore(api: Api, kept: KeyValueStorage): ExportingStore {
  /** Grows with each export: the end of one whose dialog was closed is dropped. */
  let request = 0
  /** The same for a count of losses. */
  let count = 0
  let previewed = firstPreview
  /** The export of one that goes on or was last has a beginning, and can be stopped from there on. */
  let isOneStoppable = false
  const store = createStore<ExportingState>()((set, get) => ({
    key: undefined,
    several: undefined,
    format: ExportFormat.safeParse(kept.get(formatName)).data ?? 'md',
    choices: parseKeptChoices(kept.get(choicesName)),
    kept: [],
    selected: undefined,
    range: undefined,
    losses: { type: 'counting' },
    preview: { type: 'reading', preview: undefined },
    isBusy: false,
    one: undefined,
    exported: undefined,
    failure: undefined,
    all: undefined,

    open(key, selected) {
      previewed = firstPreview
      const preview = { type: 'reading', preview: undefined } as const
      set({
        key,
        several: undefined,
        kept: [],
        selected,
        range: undefined,
        preview,
        ...nothingDone,
      })
      void look()
    },

    openSeveral(keys) {
      const [key] = keys
      if (key === undefined) return
      get().open(key)
      if (keys.length > 1) set({ several: keys })
    },

    openAll(first) {
      get().open(first)
      set({ several: 'all' })
    },

    widen() {
      if (get().key === undefined || get().isBusy) return
      // A part is of one conversation.
      lookAnew({ several: 'all', selected: undefined, range: undefined })
    },

    close() {
      request++
      count++
      // Nobody would see its outcome.
      if (get().isBusy) get().stop()
      set({ key: undefined, several: undefined, isBusy: false, all: undefined, one: undefined })
    },

    choose(format) {
      kept.set(formatName, format)
      lookAnew({ format })
    },

    change(changed) {
      const choices = { ...get().choices, ...changed }
      kept.set(choicesName, JSON.stringify(choices))
      if (Object.keys(changed).every((name) => name === 'into')) set({ choices })
      else lookAnew({ choices })
    },

    writeSelected(isUsed) {
      lookAnew({ range: isUsed ? get().selected : undefined })
    },

    keep(id, isKept) {
      const others = get().kept.filter((one) => one !== id)
      lookAnew({ kept: isKept ? [...others, id] : others })
    },

    showMore() {
      previewed = Math.min(4_000_000, previewed * 2)
      void preview(++count)
    },

    async saveToProgram() {
      const { data: format } = PlacedFormat.safeParse(get().format)
      if (format === undefined) return
      // Main does not stop it.
      await saveBy((key) => api.continuing.save({ key, format }), { isStoppable: false })
    },

    async save() {
      const wanted = chosen()
      await saveBy((key) => api.exports.save({ key, ...wanted }), { isStoppable: true })
    },

    async saveAll(keys) {
      const { key, isBusy, choices } = get()
      if (key === undefined || isBusy || keys.length === 0) return
      const mine = ++request
      const all = { type: 'going', soFar: { done: 0, total: keys.length } } as const
      set({ isBusy: true, ...nothingDone, all })
      try {
        const saved = await api.exports.saveAll({
          keys: [...keys],
          into: choices.into,
          ...chosen(),
        })
        if (mine === request)
          set({ isBusy: false, all: saved === null ? undefined : { type: 'ended', saved } })
      } catch (error) {
        if (mine === request) set({ isBusy: false, failure: toErrorReport(error), all: undefined })
      }
    },

    stop() {
      void api.exports.stop().catch(() => undefined)
    },

    foldProgress(soFar) {
      if (get().all?.type === 'going') set({ all: { type: 'going', soFar } })
      else if (isOneStoppable && get().isBusy) set({ one: 'going' })
    },
  }))

  async function saveBy(
    write: (key: LibraryKey) => Promise<WrittenExport | null>,
    { isStoppable }: { readonly isStoppable: boolean },
  ): Promise<void> {
    const { key, isBusy } = store.getState()
    if (key === undefined || isBusy) return
    const mine = ++request
    isOneStoppable = isStoppable
    store.setState({ isBusy: true, ...nothingDone })
    try {
      const exported = await write(key)
      if (mine !== request) return
      // Nothing is written of one that had begun: it was stopped.
      const isStopped = exported === null && store.getState().one === 'going'
      const one = isStopped ? 'stopped' : undefined
      store.setState({ isBusy: false, one, ...(exported === null ? {} : { exported }) })
    } catch (error) {
      if (mine === request)
        store.setState({ isBusy: false, one: undefined, failure: toErrorReport(error) })
    }
  }

  /** The format and the choices, as main takes them; the original has none. */
  function chosen() {
    const { format, choices, range, kept: stays } = store.getState()
    const wanted = format === 'original' ? undefined : chosenExport(choices, range, stays)
    return wanted === undefined ? { format } : { format, choices: wanted }
  }

  function lookAnew(changed: Partial<ExportingState>): void {
    store.setState({ ...nothingDone, ...changed })
    void look()
  }

  /** Counts what is lost, and then makes the preview. */
  async function look(): Promise<void> {
    const mine = ++count
    await countLosses(mine)
    if (mine === count) await preview(mine)
  }

  async function preview(mine: number): Promise<void> {
    const { key } = store.getState()
    if (key === undefined) return
    try {
      const made = await api.exports.preview({ key, ...chosen(), most: previewed })
      if (mine === count) store.setState({ preview: { type: 'shown', preview: made } })
    } catch (error) {
      if (mine === count)
        store.setState({ preview: { type: 'failed', failure: toErrorReport(error) } })
    }
  }

  async function countLosses(mine: number): Promise<void> {
    const { key } = store.getState()
    if (key === undefined) return
    const { preview: before } = store.getState()
    const shown = before.type === 'failed' ? undefined : before.preview
    store.setState({ losses: { type: 'counting' }, preview: { type: 'reading', preview: shown } })
    try {
      const report = await api.exports.losses({ key, ...chosen() })
      if (mine === count) store.setState({ losses: { type: 'counted', report } })
    } catch (error) {
      if (mine === count)
        store.setState({ losses: { type: 'failed', failure: toErrorReport(error) } })
    }
  }

  return store
}
