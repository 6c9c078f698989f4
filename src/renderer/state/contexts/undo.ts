import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { rowKey } from '../../../shared/model/conversation/transcript'
import {
  type ColorsBefore,
  makeChange,
  type ReversibleChange,
  reverseOf,
  type SeveralChange,
  type TagsBefore,
} from './several-change'

/** An act on a whole conversation, or on several, that was done at once, without a question, and can be taken back. */
export type UndoableAct =
  | { readonly type: 'archived' | 'unarchived' | 'pinned' | 'unpinned'; readonly key: LibraryKey }
  | {
      readonly type: 'branched'
      /** The new conversation. */
      readonly key: LibraryKey
      /** The one that it was made from. */
      readonly from: LibraryKey
      /** Key of its last row when it was made; undefined where it has none. */
      readonly last: string | undefined
    }
  | {
      readonly type: 'several'
      /** The first of them. */
      readonly key: LibraryKey
      readonly keys: readonly LibraryKey[]
      readonly change: ReversibleChange
      /** The tags that they had. */
      readonly tags: TagsBefore
      /** The colours that they had. */
      readonly colors: ColorsBefore
    }

/** State and actions of the store of what can be undone: at most one act, the last. */
export interface UndoState {
  readonly act: UndoableAct | undefined
  /** Number of the act, by which two equal ones are told apart. */
  readonly id: number
  /** What the last undo did, for screen readers. */
  readonly told: string | undefined
  offer(act: UndoableAct): void
  /** Offers to undo a branch, once its end is read; offers nothing where it cannot be read. */
  offerBranch(key: LibraryKey, from: LibraryKey): Promise<void>
  /** Forgets the act: its time is over, or it is being undone. */
  dismiss(): void
  /** Throws `busy` where something was written in a branch since it was made. */
  checkUntouched(act: UndoableAct): Promise<void>
  /**
   * Undoes an act: archives or pins it again, or no longer, or moves the branch to the trash. Throws what main refuses it with; of
   * more than one those that refuse are told where changes of several are.
   */
  takeBack(act: UndoableAct): Promise<void>
  /** Clears everything: another home is open. */
  reset(): void
}
/** Store of what can be undone. */
export type UndoStore = StoreApi<UndoState>

/** Makes the store of what can be undone. @param changeSeveral changes conversations and resolves to those that were */
export function createUndoStore(
  api: Api,
  changeSeveral: (
    change: SeveralChange,
    keys: readonly LibraryKey[],
  ) => Promise<readonly LibraryKey[]>,
): UndoStore {
  async function lastRowOf(key: LibraryKey): Promise<string | undefined> {
    const { rows } = await api.transcript.page({ key, from: 'end', limit: 1 })
    const last = rows.at(-1)
    return last === undefined ? undefined : rowKey(last)
  }

  return createStore<UndoState>()((set, get) => ({
    act: undefined,
    id: 0,
    told: undefined,

    offer: (act) => set(({ id }) => ({ act, id: id + 1, told: undefined })),

    async offerBranch(key, from) {
      const { id } = get()
      try {
        const last = await lastRowOf(key)
        // A later act has the place.
        if (get().id === id) get().offer({ type: 'branched', key, from, last })
      } catch {
        // What it holds is not known, so that it cannot be told later whether more was written.
      }
    },

    dismiss: () => set({ act: undefined }),

    async checkUntouched(act) {
      if (act.type === 'branched' && (await lastRowOf(act.key)) !== act.last)
        throw new AppError('busy', 'Something was written in the new conversation, so it stays.')
    },

    async takeBack(act) {
      const { type, key } = act
      const { id } = get()
      const reverse = type === 'several' ? reverseOf(act.change, act.tags, act.colors) : undefined
      if (type === 'several' && reverse !== undefined && act.keys.length > 1) {
        const all = act.keys.length
        const { length } = await changeSeveral(reverse, act.keys)
        // A later act has the place, or another home is open.
        if (get().id !== id) return
        set({ told: length === all ? 'Undone.' : `Undone for ${length} of ${all} conversations.` })
        return
      }
      if (reverse !== undefined) await makeChange(api, reverse, key)
      else if (type === 'branched') await api.contexts.destroy({ key })
      else if (type === 'pinned' || type === 'unpinned')
        await api.tags.setPinned({ key, pinned: type === 'unpinned' })
      else await api.contexts.setArchived({ key, archived: type === 'unarchived' })
      set({ told: type === 'branched' ? 'The new conversation is in the trash.' : 'Undone.' })
    },

    reset: () => set(({ id }) => ({ act: undefined, id: id + 1, told: undefined })),
  }))
}
