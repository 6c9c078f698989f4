import { X } from 'lucide-react'
import { useApp, useStores } from '../state/context'
import { Button } from '../ui/controls/Button'
import { Note } from '../ui/notes/Note'

/** Note that the system could not open a link or a folder; nothing without such a failure. */
export function OpenFailureNote() {
  const { app } = useStores()
  const outsideFailure = useApp((state) => state.outsideFailure)
  if (outsideFailure === undefined) return null
  return (
    <Note
      tone="error"
      isBar
      title="Not opened."
      detail={outsideFailure.detail}
      actions={
        <Button
          kind="ghost"
          isSmall
          icon={X}
          onClick={() => app.getState().dismissOutsideFailure()}
        >
          Dismiss
        </Button>
      }
    >
      {outsideFailure.message}
    </Note>
  )
}
