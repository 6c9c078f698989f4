import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import {
  type EntryLabel,
  indexLabels,
  type LabelIndex,
} from '../../../shared/model/conversation/entry-labels'
import type { Label } from '../../../shared/model/conversation/label'
import type { EntryRef } from '../../../shared/model/family/branching'
import { toErrorReport } from '../base/failure'

/** Entry that can be labelled, as the transcript shows it. */
export interface LabelSpot {
  readonly key: LibraryKey
  readonly at: EntryRef
  /** Key of the item that shows the entry: it gets the focus back. Undefined where the label names a branch, elsewhere. */
  readonly itemKey: string | undefined
  /** The label that the entry shows now. */
  readonly shown: Label | undefined
}

/** State and actions of the labels store. */
export interface LabelsState {
  /** All labels, and the same by entries. */
  readonly labels: readonly EntryLabel[]
  readonly index: LabelIndex
  /** The entry whose label is being written. */
  readonly question: LabelSpot | undefined
  readonly isBusy: boolean
  /** Why the last action failed. */
  readonly failure: ErrorReport | undefined
  /** The last outcome, for screen readers. */
  readonly told: string | undefined
  /** The label that the last action replaced or took away, until the next one. */
  readonly replaced: { readonly spot: LabelSpot; readonly label: Label } | undefined
  /** Loads all labels; a failure leaves those that are known. */
  load(): Promise<void>
  open(spot: LabelSpot): void
  leave(): void
  /** Gives the entry of the question this label, and closes the question. */
  save(label: Label): Promise<void>
  /** Takes a label away; where that fails the question opens and says why. */
  remove(spot: LabelSpot): Promise<void>
  /** Gives the replaced label again. */
  undo(): Promise<void>
  dismissFailure(): void
  /** Clears everything: another home is open. */
  reset(): void
}
/** Store of the labels of entries. */
export type LabelsStore = StoreApi<LabelsState>

const idle = { question: undefined, isBusy: false, failure: undefined } as const
const nothing = {
  ...idle,
  labels: [],
  index: indexLabels([]),
  told: undefined,
  replaced: undefined,
} as const

/** Makes the store of the labels of entries. */
export function createLabelsStore(api: Api): LabelsStore {
  let request = 0

  return createStore<LabelsState>()((set, get) => {
    async function load(): Promise<void> {
      const mine = ++request
      const labels = await api.labels.list({}).catch(() => undefined)
      // The same list stays the same value: nothing is drawn again.
      if (mine !== request || labels === undefined) return
      if (JSON.stringify(labels) === JSON.stringify(get().labels)) return
      set({ labels, index: indexLabels(labels) })
    }

    async function change(spot: LabelSpot, label: Label | undefined): Promise<void> {
      if (get().isBusy) return
      set({ isBusy: true, failure: undefined })
      try {
        const { key, at } = spot
        const before = await api.labels.set({ key, at, label: label ?? null })
        await load()
        const told =
          label === undefined ? 'The label is removed.' : `The label is “${label.word.trim()}”.`
        const replaced = before === null ? undefined : { spot, label: before }
        set({ ...idle, told, replaced })
      } catch (error) {
        set({ isBusy: false, question: spot, failure: toErrorReport(error) })
      }
    }

    return {
      ...nothing,
      load,
      open: (question) => set({ ...idle, question, told: undefined }),
      leave: () => set(idle),
      async save(label) {
        const { question } = get()
        if (question !== undefined) await change(question, label)
      },
      remove: (spot) => change(spot, undefined),
      async undo() {
        const { replaced } = get()
        if (replaced === undefined) return
        await change(replaced.spot, replaced.label)
        if (get().failure === undefined) set({ replaced: undefined })
      },
      dismissFailure: () => set({ failure: undefined }),
      reset() {
        request++
        set(nothing)
      },
    }
  })
}
