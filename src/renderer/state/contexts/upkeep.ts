import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { InboxItem, LibraryKey } from '../../../shared/model/conversation/conversation'
import type {
  CheckedFile,
  PageText,
  Partitions,
} from '../../../shared/model/conversation/partitions'
import { toErrorReport } from '../base/failure'

/** Edit of the summary or of an inbox message. */
export type UpkeepEdit =
  | { readonly type: 'summary'; readonly text: string; readonly before: string | null }
  | { readonly type: 'inbox'; readonly text: string; readonly message: InboxItem }

type UpkeepAct = UpkeepEdit['type'] | 'current'

/** State and actions of the upkeep store. */
export interface UpkeepState {
  readonly key: LibraryKey | undefined
  readonly partitions: Partitions | undefined
  readonly failure: ErrorReport | undefined
  readonly isChecking: boolean
  /** Outcome of the last check of this conversation. */
  readonly checked: readonly CheckedFile[] | undefined
  readonly checkFailure: ErrorReport | undefined
  /** `transcript.md`, while it is shown. */
  readonly page: PageText | undefined
  readonly pageFailure: ErrorReport | undefined
  /** The edit of this context; one for each context is kept while the window is open. */
  readonly edit: UpkeepEdit | undefined
  /** The action that failed last, and why. */
  readonly refusal: { readonly of: UpkeepAct; readonly error: ErrorReport } | undefined
  /** The inbox message that was removed last. */
  readonly removed: InboxItem | undefined
  load(key: LibraryKey): Promise<void>
  check(): Promise<void>
  cancelCheck(): void
  openPage(): Promise<void>
  closePage(): void
  makeCurrent(): Promise<boolean>
  editSummary(): Promise<void>
  editMessage(message: InboxItem): void
  change(text: string): void
  leave(): void
  /** This and the actions below resolve to whether it is done on the disk. */
  saveSummary(text: string | null): Promise<boolean>
  saveMessage(): Promise<boolean>
  remove(message: InboxItem): Promise<boolean>
  putBack(): Promise<boolean>
  /** Moves the edit of a renamed context. */
  renamed(from: LibraryKey, to: LibraryKey): void
  /** Drops all of a destroyed context: none of it appears in the next one of its name. */
  destroyed(key: LibraryKey): void
  /** Clears everything: another home is open. */
  reset(): void
}
/** Store of the open context's partitions and side files. */
export type UpkeepStore = StoreApi<UpkeepState>

const nothing = {
  partitions: undefined,
  failure: undefined,
  isChecking: false,
  checked: undefined,
  checkFailure: undefined,
  page: undefined,
  pageFailure: undefined,
  edit: undefined,
  refusal: undefined,
  removed: undefined,
} as const

/**
 * Makes the store of the open context's partitions, checks, `transcript.md`, summary and inbox.
 *
 * @param changed called after a change of what the details pane shows
 */
export function createUpkeepStore(api: Api, changed: (key: LibraryKey) => void): UpkeepStore {
  /** Grows with each conversation: answers for an earlier one are dropped. */
  let generation = 0
  /** Edits of contexts that are not open. */
  const edits = new Map<string, UpkeepEdit>()

  return createStore<UpkeepState>()((set, get) => {
    async function acting(
      of: UpkeepAct,
      act: (key: LibraryKey) => Promise<void>,
    ): Promise<boolean> {
      const { key } = get()
      const mine = generation
      if (key === undefined) return false
      set({ refusal: undefined })
      try {
        await act(key)
        changed(key)
        return mine === generation
      } catch (error) {
        if (mine === generation) set({ refusal: { of, error: toErrorReport(error) } })
        return false
      }
    }

    /** Ends the edit of a context once it is on the disk, even where another conversation was opened meanwhile. */
    function ended(key: LibraryKey): void {
      edits.delete(key)
      if (get().key === key) set({ edit: undefined })
    }

    return {
      key: undefined,
      ...nothing,

      async load(key) {
        if (key !== get().key) {
          const { key: before, edit } = get()
          generation += 1
          get().cancelCheck()
          if (before !== undefined && edit !== undefined) edits.set(before, edit)
          set({ ...nothing, key, edit: edits.get(key) })
          edits.delete(key)
        }
        const mine = generation
        try {
          const partitions = await api.upkeep.partitions({ key })
          if (mine === generation) set({ partitions, failure: undefined })
        } catch (error) {
          if (mine === generation) set({ failure: toErrorReport(error) })
        }
      },

      async check() {
        const { key, isChecking } = get()
        if (key === undefined || isChecking) return
        const mine = generation
        set({ isChecking: true, checked: undefined, checkFailure: undefined })
        try {
          const checked = await api.upkeep.check({ key })
          if (mine === generation) set({ checked })
        } catch (error) {
          const failure = toErrorReport(error)
          if (mine === generation && failure.code !== 'cancelled') set({ checkFailure: failure })
        } finally {
          if (mine === generation) set({ isChecking: false })
        }
      },

      cancelCheck() {
        const { key, isChecking } = get()
        if (key !== undefined && isChecking)
          void api.upkeep.cancelCheck({ key }).catch(() => undefined)
      },

      async openPage() {
        const { key } = get()
        if (key === undefined) return
        const mine = generation
        set({ pageFailure: undefined })
        try {
          const page = await api.upkeep.page({ key })
          if (mine === generation) set({ page: page ?? { text: '', bytes: 0, leftOut: 0 } })
        } catch (error) {
          if (mine === generation) set({ pageFailure: toErrorReport(error) })
        }
      },

      closePage: () => set({ page: undefined }),
      makeCurrent: () => acting('current', (key) => api.upkeep.makeCurrent({ key })),

      async editSummary() {
        const { key } = get()
        if (key === undefined) return
        const mine = generation
        set({ refusal: undefined })
        try {
          const { text } = await api.upkeep.readSummary({ key })
          if (mine === generation)
            set({ edit: { type: 'summary', text: text ?? '', before: text } })
        } catch (error) {
          if (mine === generation) set({ refusal: { of: 'summary', error: toErrorReport(error) } })
        }
      },
      editMessage: (message) =>
        set({ edit: { type: 'inbox', text: message.text, message }, refusal: undefined }),
      change: (text) => set(({ edit }) => (edit === undefined ? {} : { edit: { ...edit, text } })),
      leave: () => set({ edit: undefined, refusal: undefined }),

      async saveSummary(text) {
        const { edit } = get()
        if (edit?.type !== 'summary') return false
        const { before } = edit
        return acting('summary', async (key) => {
          await api.upkeep.writeSummary({ key, text, before })
          ended(key)
        })
      },

      async saveMessage() {
        const { edit } = get()
        if (edit?.type !== 'inbox') return false
        const { message, text } = edit
        return acting('inbox', async (key) => {
          await api.upkeep.changeInbox({ key, message, text })
          ended(key)
        })
      },

      async remove(message) {
        const isGone = await acting('inbox', (key) =>
          api.upkeep.changeInbox({ key, message, text: null }),
        )
        if (isGone) set({ removed: message })
        return isGone
      },

      async putBack() {
        const { removed: message } = get()
        if (message === undefined) return false
        const isBack = await acting('inbox', (key) => api.upkeep.putInbox({ key, message }))
        if (isBack) set({ removed: undefined })
        return isBack
      },

      renamed(from, to) {
        const edit = edits.get(from)
        if (edit !== undefined) edits.set(to, edit)
        edits.delete(from)
        if (get().key === from) set({ key: to })
      },

      destroyed(key) {
        edits.delete(key)
        if (get().key !== key) return
        generation += 1
        set({ ...nothing, key: undefined })
      },

      reset() {
        generation += 1
        edits.clear()
        set({ ...nothing, key: undefined })
      },
    }
  })
}
