import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { SourceId } from '../../../shared/model/conversation/conversation'
import type { SourceRoot, SourcesView } from '../../../shared/model/settings/source-roots'
import { toErrorReport } from '../base/failure'

/** A folder or a file that was picked, and whose source a person has to name. */
export interface PickedSource {
  readonly path: string
  readonly shown: string
  /** The systems that find conversations there: several, or none. */
  readonly found: readonly SourceId[]
}

export interface SourcesState {
  readonly view: SourcesView | undefined
  readonly failure: ErrorReport | undefined
  /** Why the last act was refused. */
  readonly refusal: ErrorReport | undefined
  /** What is being added: a folder or a file that is picked and looked into, or the one that was chosen for a source. */
  readonly adding: 'folder' | 'file' | 'choice' | undefined
  readonly choice: PickedSource | undefined
  /** The root that was added last. */
  readonly added: SourceRoot | undefined
  /** The root that was removed last, as people write it. */
  readonly removed: string | undefined
  /** Asks for the roots, and has those looked at that nobody has looked at. */
  load(): Promise<void>
  lookAgain(): Promise<void>
  stop(): Promise<void>
  add(kind: 'folder' | 'file'): Promise<void>
  addAs(source: SourceId): Promise<boolean>
  cancelChoice(): void
  remove(root: SourceRoot): Promise<boolean>
  turn(root: SourceRoot, isOn: boolean): Promise<boolean>
  fold(view: SourcesView): void
}
export type SourcesStore = StoreApi<SourcesState>

/**
 * The roots of other systems, and what is found under them.
 *
 * @param changed other conversations are read from now on: whatever shows some asks again
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

    const look = (again: boolean) => follow(() => api.sources.look({ again }))

    /** Undefined when it was refused. */
    async function doing<T>(call: () => Promise<T>): Promise<T | undefined> {
      set({ refusal: undefined, added: undefined, removed: undefined })
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
      added: undefined,
      removed: undefined,

      async load() {
        set({ failure: undefined, refusal: undefined, added: undefined, removed: undefined })
        if (await follow(() => api.sources.get())) await look(false)
      },

      async lookAgain() {
        set({ failure: undefined, added: undefined, removed: undefined })
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

      cancelChoice: () => set({ choice: undefined, refusal: undefined }),

      async remove({ source, path }) {
        const shown = get().view?.roots.find((root) => isSame(root, { source, path }))?.shown
        if (!(await change(() => api.sources.remove({ source, path })))) return false
        set({ removed: shown ?? path })
        return true
      },

      turn: ({ source, path }, isOn) => change(() => api.sources.turn({ source, path, isOn })),

      fold: (view) => set({ view, failure: undefined }),
    }
  })
}

function isSame(a: SourceRoot, b: SourceRoot): boolean {
  return a.source === b.source && a.path === b.path
}
