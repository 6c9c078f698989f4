import { isPaneOpen } from './app/layout'
import { useActions, useHistory, useLayout, useStores } from './context'
import type { CoveringView } from './follow/follow-views'
import { hasVisit } from './history/history'
import { stepHistory } from './history-steps'

/** Parts at the start of a bar over the middle pane. */
interface BarStart {
  readonly isLibraryHidden: boolean
  readonly onShowLibrary: () => void
  /** Goes back or forward and returns what takes the focus; undefined where there is no place to go to. */
  readonly onBack: (() => CoveringView | 'composer' | undefined) | undefined
  readonly onForward: (() => CoveringView | 'composer' | undefined) | undefined
}

/** Returns what a bar over the middle pane begins with: the hidden library, and the steps back and forward. */
export function useBarStart(): BarStart {
  const stores = useStores()
  const actions = useActions()
  const isOpen = useLayout((state) => isPaneOpen(state, 'library'))
  const hasBack = useHistory(({ visits }) => hasVisit(visits, -1))
  const hasForward = useHistory(({ visits }) => hasVisit(visits, 1))
  return {
    isLibraryHidden: !isOpen,
    onShowLibrary: () => stores.layout.getState().toggle('library'),
    onBack: hasBack ? () => stepHistory(stores, actions, -1) : undefined,
    onForward: hasForward ? () => stepHistory(stores, actions, 1) : undefined,
  }
}
