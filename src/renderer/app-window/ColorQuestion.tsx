import type { RefObject } from 'react'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { useActions, useLibraryState, useStores } from '../state/context'
import { useShownTitle } from '../state/use-shown-title'
import { ColorSheet } from '../ui/panes/ColorSheet'

/** Dialog for the colour of a conversation of any system. */
export function ColorQuestion(props: {
  readonly contextKey: LibraryKey
  readonly before: RefObject<Element | null>
}) {
  const { contextKey, before } = props
  const { contexts } = useStores()
  const { changeOne } = useActions()
  const now = useLibraryState(
    ({ conversations }) => conversations.find(({ key }) => key === contextKey)?.color,
  )
  const leave = () => contexts.getState().leave()
  return (
    <ColorSheet
      about={useShownTitle(contextKey)}
      value={now ?? null}
      before={before}
      onChoose={(color) => {
        leave()
        if (color !== (now ?? null)) void changeOne({ type: 'colored', color }, contextKey)
      }}
      onClose={leave}
    />
  )
}
