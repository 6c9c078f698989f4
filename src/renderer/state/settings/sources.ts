import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { SourceId } from '../../../shared/model/conversation/sources'
import type {
  ImportAnswer,
  ImportedExport,
  SourceRoot,
  SourcesView,
} from '../../../shared/model/settings/source-roots'
import { pathOfFile } from '../../api'
import { toErrorReport } from '../base/failure'

/** Folder or file that was picked, and whose source a person has to name. */
export interface PickedSource {
  readonly path: string
  readonly shown: string
  /** Sources with conversations there: several, or none. */
  readonly found: readonly SourceId[]
}

/** State and actions of the sources store. */
export interface SourcesState {
  readonly view: SourcesView | undefined
  readonly failure: ErrorReport | undefined
  /** Why the last action was refused. */
  readonly refusal: ErrorReport | undefined
  /** The kind of root being added; `choice`: a picked one whose source a person named. */
  readonly adding: 'folder' | 'file' | 'choice' | undefined
  readonly choice: PickedSource | undefined
  /** The root that was added last. */
  readonly added: SourceRoot | undefined
  /** The exports that were imported last. */
  readonly imported: readonly ImportedExport[]
  /** Why others of several were not imported, a sentence each. */
  readonly failures: readonly string[]
  /** The system's dialog is open, or exports are imported. */
  readonly isImporting: boolean
  /** The path of the root that was removed last, as shown to people. */
  readonly removed: string | undefined
  /** Loads the roots, and scans those that were not scanned yet. */
  load(): Promise<void>
  lookAgain(): Promise<void>
  stop(): Promise<void>
  add(kind: 'folder' | 'file'): Promise<void>
  addAs(source: SourceId): Promise<boolean>
  cancelChoice(): void
  /** Asks for an export and imports it. */
  import(): Promise<void>
  importDropped(files: readonly File[]): Promise<void>
  /** Whether a person opened Skein with files that wait. */
  isOpenedWith(): Promise<boolean>
  /** Imports the files that wait; while another import runs, behind it. */
  importOpened(): Promise<void>
  stopImport(): Promise<void>
  remove(root: SourceRoot): Promise<boolean>
  turn(root: SourceRoot, isOn: boolean): Promise<boolean>
  /** Resolves when the root was backed up. */
  backUp(root: SourceRoot, isOn: boolean): Promise<boolean>
  /** Deletes a root's backup, once a person has allowed it. */
  deleteBackup(root: SourceRoot): Promise<boolean>
  fold(view: SourcesView): void
}
/** Store of the roots of other systems. */
export type SourcesStore = StoreApi<SourcesState>

/**
 * Makes the store of the roots of other systems and of their scans.
 *
 * @param changed called when the set of conversations may be another one
 */
export function createSourcesStore(api: Api, changed: () => void): SourcesStore {
  return createStore<SourcesState>()((set, get) => {
    async function follow(call: () => Promise<SourcesView>): Promise<boolean> {
      try {
        get().fold(await call())
        return true
      } catch (error) {
        set({ failure: toErrorReport(error) })
        return false
      }
    }

    let cameMeanwhile = false

    const look = (again: boolean) => follow(() => api.sources.look({ again }))

    /** Runs a change; resolves to undefined where it was refused. */
    async function doing<T>(call: () => Promise<T>): Promise<T | undefined> {
      set({ ...noNews, refusal: undefined })
      try {
        return await call()
      } catch (error) {
        set({ refusal: toErrorReport(error) })
        return undefined
      }
    }

    async function change(call: () => Promise<SourcesView>): Promise<boolean> {
      const view = await doing(call)
      if (view !== undefined) took(view)
      return view !== undefined
    }

    async function importing(call: () => Promise<ImportAnswer>): Promise<void> {
      if (get().isImporting) return
      set({ isImporting: true })
      const answer = await doing(call)
      set({ isImporting: false })
      if (answer?.type === 'imported') set({ imported: answer.items, failures: answer.failures })
      if (answer !== undefined && answer.type !== 'cancelled') took(answer.view)
      const came = cameMeanwhile
      cameMeanwhile = false
      // The import before may have taken them already: its outcome stays then.
      if (came && (await get().isOpenedWith())) await get().importOpened()
    }

    function took(view: SourcesView): void {
      get().fold(view)
      changed()
      void look(false)
    }

    return {
      view: undefined,
      failure: undefined,
      refusal: undefined,
      adding: undefined,
      choice: undefined,
      ...noNews,
      isImporting: false,

      async load() {
        // An import that runs meanwhile, or has just been refused, was begun from elsewhere.
        if (!get().isImporting) set({ ...noNews, failure: undefined })
        if (await follow(() => api.sources.get())) await look(false)
      },

      async lookAgain() {
        set({ ...noNews, failure: undefined })
        if (await look(true)) changed()
      },

      async stop() {
        await follow(() => api.sources.stop())
      },

      async add(kind) {
        if (get().adding !== undefined) return
        set({ choice: undefined, adding: kind })
        const answer = await doing(() => api.sources.add({ kind }))
        set({ adding: undefined })
        if (answer?.type === 'choose') {
          const { path, shown, found } = answer
          set({ choice: { path, shown, found } })
        }
        if (answer?.type !== 'added') return
        set({ added: answer.root })
        took(answer.view)
      },

      async addAs(source) {
        const { choice, adding } = get()
        if (choice === undefined || adding !== undefined) return false
        const root = { source, path: choice.path }
        set({ adding: 'choice' })
        const isAdded = await change(() => api.sources.addAs(root))
        set({ adding: undefined, ...(isAdded ? { choice: undefined, added: root } : {}) })
        return isAdded
      },

      import: () => importing(() => api.sources.import()),

      importDropped: (files) =>
        importing(() =>
          api.sources.importDropped(files.map(pathOfFile).filter((one) => one !== '')),
        ),

      async isOpenedWith() {
        try {
          return await api.sources.isOpenedWith()
        } catch (error) {
          set({ failure: toErrorReport(error) })
          return false
        }
      },

      async importOpened() {
        cameMeanwhile = get().isImporting
        if (!cameMeanwhile) await importing(() => api.sources.importOpened())
      },

      async stopImport() {
        await follow(() => api.sources.stopImport())
      },

      cancelChoice: () => set({ choice: undefined, refusal: undefined }),

      async remove({ source, path }) {
        const shown = get().view?.roots.find((root) => isSame(root, { source, path }))?.shown
        if (!(await change(() => api.sources.remove({ source, path })))) return false
        set({ removed: shown ?? path })
        return true
      },

      turn: ({ source, path }, isOn) => change(() => api.sources.turn({ source, path, isOn })),

      backUp: ({ source, path }, isOn) => change(() => api.sources.backUp({ source, path, isOn })),

      deleteBackup: ({ source, path }) => change(() => api.sources.deleteBackup({ source, path })),

      fold: (view) => set({ view, failure: undefined }),
    }
  })
}

/** Nothing was added, removed or imported last. */
const noNews = { added: undefined, removed: undefined, imported: [], failures: [] } as const

function isSame(a: SourceRoot, b: SourceRoot): boolean {
  return a.source === b.source && a.path === b.path
}
