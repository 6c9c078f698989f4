import { visibleText } from '../../../shared/model/basics/visible'
import { Button, KeyHint } from '../../ui/controls/Button'
import { formatCount } from '../../ui/format/format'

/** Line above the message with the fields that are still to be filled; Tab goes through them. */
export function FieldsHint(props: {
  /** In the order of the text; nothing is shown without any. */
  readonly names: readonly string[]
  readonly onLeave: () => void
}) {
  const { names, onLeave } = props
  const shown = names.slice(0, mostShown).map((name) => visibleText(name))
  const more = names.length - shown.length
  return (
    <>
      <p className="unseen" role="status" aria-label="Fields">
        {names.length > 0 &&
          `To fill in: ${names.join(', ')}. Tab goes to the next field, Escape leaves them as text.`}
      </p>
      {names.length > 0 && (
        <div className="composer-fields small">
          <span className="t2 grow">
            Fill in <b>{shown.join(', ')}</b>
            {more > 0 && ` and ${formatCount(more)} more`}
          </span>
          <span className="t3 composer-fields-keys">
            <KeyHint keys={['Tab']} /> next
          </span>
          <Button isSmall kind="ghost" keys={['Esc']} onClick={onLeave}>
            Keep as text
          </Button>
        </div>
      )}
    </>
  )
}

/** Names that have room beside the keys. */
const mostShown = 4
