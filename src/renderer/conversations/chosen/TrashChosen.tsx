import { useRef } from 'react'
import { parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { useActions } from '../../state/context'
import { focusLibrary } from '../../ui/behaviour/focus'
import { Button } from '../../ui/controls/Button'
import { formatQuantity } from '../../ui/format/format'
import { Sheet } from '../../ui/panes/Sheet'
import { useChosenRows } from './use-chosen-rows'

/** Dialog that asks before the chosen contexts go to the trash. The focus begins on Cancel, so that Enter alone does nothing. */
export function TrashChosen({ onClose }: { readonly onClose: () => void }) {
  const { changeChosen } = useActions()
  /** The button that opened the dialog goes with the act. */
  const isActing = useRef(false)
  const rows = useChosenRows()
  const contexts = rows.filter(({ key }) => parseLibraryKey(key).source === 'chibi')
  const others = rows.length - contexts.length
  return (
    <Sheet
      title="Move to trash"
      about={formatQuantity(contexts.length, 'conversation')}
      onClose={onClose}
      onClosed={() => isActing.current && focusLibrary()}
    >
      <div className="dialog-body question">
        <p>
          Their folders go to the system’s trash, with all entries, notes and settings. You can
          restore them from there.
        </p>
        {others > 0 && (
          <p className="t2">
            {formatQuantity(others, 'conversation')} of other programs{' '}
            {others === 1 ? 'stays' : 'stay'}: their files are never changed.
          </p>
        )}
      </div>
      <footer className="dialog-foot">
        <span className="grow" />
        <button type="button" className="button plain" data-first onClick={onClose}>
          Cancel
        </button>
        <Button
          kind="danger"
          onClick={() => {
            isActing.current = true
            onClose()
            void changeChosen(
              { type: 'trashed' },
              contexts.map(({ key }) => key),
            )
          }}
        >
          Move {formatQuantity(contexts.length, 'conversation')} to trash
        </Button>
      </footer>
    </Sheet>
  )
}
