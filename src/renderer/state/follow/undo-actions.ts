import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { AppStore } from '../app/app'
import { toErrorReport } from '../base/failure'
import type { ChosenStore } from '../contexts/chosen'
import type { ContextsStore } from '../contexts/contexts'
import { leavesList, type ReversibleChange, type SeveralChange } from '../contexts/several-change'
import type { UndoableAct, UndoStore } from '../contexts/undo'
import type { LibraryStore } from '../library/library'
import type { DraftsStore } from '../run/drafts'
import type { QueueStore } from '../run/queue'

/** Actions of a person on whole conversations that are done at once, and their undo. */
export interface UndoActions {
  /** Archives a conversation or lists it again, and offers to undo that. */
  setArchived(key: LibraryKey, isArchived: boolean): Promise<void>
  /** Pins a conversation to the top of the library or takes the pin away, and offers to undo that. */
  setPinned(key: LibraryKey, isPinned: boolean): Promise<void>
  /** Changes one conversation, whatever is chosen or being changed, and offers to undo that. A refusal is told as any refused act on it. */
  changeOne(change: ReversibleChange, key: LibraryKey): Promise<void>
  /** Changes the chosen conversations, and offers one undo for all of them. */
  changeChosen(change: SeveralChange, keys: readonly LibraryKey[]): Promise<void>
  /**
   * Undoes the act that is offered; resolves to it, or to undefined where there is none, or where it is refused, which
   * is told as any refused act on a conversation. A branch goes to the trash only where nothing was written in it since.
   */
  undo(): Promise<UndoableAct | undefined>
}

/** Makes them over the stores; `open` opens the conversation that a branch was made from. */
export function createUndoActions(
  stores: {
    readonly app: AppStore
    readonly contexts: ContextsStore
    readonly drafts: DraftsStore
    readonly queue: QueueStore
    readonly undo: UndoStore
    readonly chosen: ChosenStore
    readonly library: LibraryStore
  },
  open: (key: LibraryKey) => void,
): UndoActions {
  const { app, contexts, drafts, queue, undo, chosen, library } = stores

  function hasDraft(key: LibraryKey): boolean {
    const { attached, textsAt, get } = drafts.getState()
    const isAttached = (attached[key] ?? []).length > 0 || textsAt(key).length > 0
    return (
      get(key).text.trim() !== '' || isAttached || queue.getState().get(key).messages.length > 0
    )
  }

  /** Returns the tags and colours that an undo gives back. */
  function givenNow() {
    const { conversations } = library.getState()
    return {
      tags: new Map(conversations.map((row) => [row.key, row.tags ?? []])),
      colors: new Map(conversations.map((row) => [row.key, row.color])),
    }
  }

  return {
    async setArchived(key, isArchived) {
      if (!(await contexts.getState().setArchived(key, isArchived))) return
      chosen.getState().drop([key])
      undo.getState().offer({ type: isArchived ? 'archived' : 'unarchived', key })
    },

    async setPinned(key, isPinned) {
      if (await contexts.getState().setPinned(key, isPinned))
        undo.getState().offer({ type: isPinned ? 'pinned' : 'unpinned', key })
    },

    async changeOne(change, key) {
      const before = givenNow()
      if (!(await contexts.getState().change(change, key))) return
      if (leavesList(change)) chosen.getState().drop([key])
      undo.getState().offer({ type: 'several', key, keys: [key], change, ...before })
    },

    async changeChosen(change, keys) {
      const before = givenNow()
      const made = await chosen.getState().change(change, keys)
      const [key] = made
      if (key === undefined || change.type === 'trashed') return
      // Only an undo does these.
      if (change.type === 'retagged' || change.type === 'recolored') return
      undo.getState().offer({ type: 'several', key, keys: made, change, ...before })
    },

    async undo() {
      const { act, dismiss, checkUntouched, takeBack } = undo.getState()
      if (act === undefined) return undefined
      try {
        if (act.type === 'several' && act.keys.length > 1 && chosen.getState().work !== undefined)
          throw new AppError('busy', 'Several conversations are still being changed.')
        dismiss()
        await checkUntouched(act)
        if (act.type === 'branched') {
          if (hasDraft(act.key))
            throw new AppError('busy', 'A message for the new conversation is begun, so it stays.')
          const { place } = app.getState()
          if (place.type === 'conversation' && place.key === act.key) open(act.from)
        }
        await takeBack(act)
        return act
      } catch (error) {
        contexts.setState({ failure: toErrorReport(error) })
        return undefined
      }
    },
  }
}
