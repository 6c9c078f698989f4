import { useMemo } from 'react'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { BranchAction } from '../../../shared/model/family/branching'
import { useActions, useStores } from '../../state/context'
import { type ForkView, type LabelSpot, spotKey } from '../../state/transcript-state'
import { focusSoon } from '../../ui/behaviour/focus'
import type { BranchPoint } from '../items/branch-points'
import type { NumberedLine } from './RawLines'

/** Actions on a turn of the open conversation. Failures are shown at the turn. */
export interface TurnActions {
  branch(itemKey: string, point: BranchPoint): void
  /** Opens the dialog for a branch with a summary of what is left. */
  askBranch(itemKey: string, point: BranchPoint, action: BranchAction): void
  regenerate(itemKey: string, point: BranchPoint): void
  /** Opens the edit of a user message; an earlier text is still there. */
  openEdit(itemKey: string, point: BranchPoint): void
  sendEdit(itemKey: string, point: BranchPoint, text: string): void
  toggleRaw(itemKey: string, places: readonly NumberedLine[]): void
  /** Opens the dialog for an entry's label. */
  label(spot: LabelSpot): void
  removeLabel(spot: LabelSpot): void
  /** Shows the request before an answer; only contexts have one. */
  showSent(answer: EntryId): void
  /** Opens another branch at a fork; the message keeps its position on the screen. */
  goWay(fork: ForkView, index: number, turn: Element | null): void
  /** Compares the open branch with another one at a fork. */
  compareWay(fork: ForkView, index: number): void
}

/** Returns the actions on turns; each takes the item's key, so one object serves all turns. */
export function useTurnActions(): TurnActions {
  const { transcript, branching, reading, sent, labels } = useStores()
  const actions = useActions()
  return useMemo<TurnActions>(() => {
    const open = () => transcript.getState().key

    async function make(
      itemKey: string,
      at: BranchPoint['end'],
      action: BranchAction,
    ): Promise<void> {
      const key = open()
      if (key === undefined) return
      if (await actions.branch(spotKey(key, itemKey), key, at, action)) focusSoon('composer')
    }

    return {
      branch: (itemKey, point) => void make(itemKey, point.end, { type: 'branch' }),
      askBranch(itemKey, point, action) {
        const key = open()
        if (key === undefined) return
        const at = action.type === 'branch' ? point.end : point.start
        const spot = spotKey(key, itemKey)
        branching.getState().ask({ spot, key, at, action, isForSummary: true })
      },
      regenerate: (itemKey, point) => void make(itemKey, point.start, { type: 'regenerate' }),
      sendEdit: (itemKey, point, text) => void make(itemKey, point.start, { type: 'edit', text }),
      openEdit(itemKey, point) {
        const key = open()
        if (key === undefined) return
        const { text, typed = text } = point
        // In other systems' conversations `typed` may be anything: only the text counts.
        branching.getState().openEdit(spotKey(key, itemKey), isOwnContext(key) ? typed : text)
      },
      toggleRaw(itemKey, places) {
        const key = open()
        if (key !== undefined) void reading.getState().toggleRaw(itemKey, key, places)
      },
      label: (spot) => labels.getState().open(spot),
      removeLabel: (spot) => void labels.getState().remove(spot),
      showSent(answer) {
        const key = open()
        if (key !== undefined && isOwnContext(key)) sent.getState().open(key, answer)
      },
      compareWay(fork, index) {
        const key = open()
        const way = fork.ways[index]
        if (key === undefined || way === undefined) return
        // Two ways in one file: the other one is known by its first entry alone.
        const point = way.key === key ? { key, entry: way.entry } : { key: way.key }
        actions.compare({ key }, point)
      },
      goWay(fork, index, turn) {
        const way = fork.ways[index]
        if (way === undefined || index === fork.index) return
        const scroller = turn?.closest('[role="feed"]')
        const at =
          turn == null || scroller == null
            ? undefined
            : turn.getBoundingClientRect().top - scroller.getBoundingClientRect().top
        void actions.openAt(way.key, { entry: way.entry }, at === undefined ? {} : { at })
      },
    }
  }, [transcript, branching, reading, sent, labels, actions])
}

/** Returns true where a conversation is a context. */
export function isOwnContext(key: LibraryKey): boolean {
  return parseLibraryKey(key).source === 'chibi'
}
