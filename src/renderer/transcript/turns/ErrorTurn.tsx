import { RotateCcw, Settings2, TriangleAlert } from 'lucide-react'
import { memo, useMemo } from 'react'
import { assertNever } from '../../../shared/model/basics/errors'
import type { FailureKind } from '../../../shared/model/run/run'
import { useReading } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { Icon } from '../../ui/controls/Icon'
import { LongText } from '../../ui/text/LongText'
import { runFailureOf } from '../entries/metadata'
import { responseFold } from '../items/folds'
import { copyTextOf, entryLines, type ItemOf } from '../items/items'
import { turnLabel } from '../parts/turn-labels'
import { TurnFrame } from './TurnFrame'

/** Turn of a failed answer: what happened, what is kept, what to do. */
export const ErrorTurn = memo(function ErrorTurn(props: {
  readonly item: ItemOf<'error'>
  /** Present on the last error while no run is active. */
  readonly onRetry: (() => void) | undefined
  readonly onSettings: () => void
}) {
  const { item, onRetry } = props
  const failure = useMemo(() => runFailureOf(item.entry), [item.entry])
  const name = responseFold(item.key)
  const isOpen = useReading(({ folds }) => folds[name] === true)
  const setFold = useReading((state) => state.setFold)
  const { message, advice, attempts, status, response } = failure
  const tried = attempts > 1 ? `Tried ${attempts} times.` : ''
  const answered = status === undefined ? '' : `The provider answered with status ${status}.`
  return (
    <TurnFrame
      itemKey={item.key}
      label={turnLabel(`Error: ${message}`, item.entry.timestamp)}
      knot="bad"
      places={entryLines(item.entry)}
      copyText={() => copyTextOf(item)}
      hasActions={false}
      className="error-turn"
    >
      <div className="note error">
        <Icon of={TriangleAlert} />
        <div className="grow">
          <div className="label">{message}</div>
          <div className="t2 small">{[tried, answered, advice].filter(Boolean).join(' ')}</div>
          <div className="note-actions">
            {onRetry !== undefined && (
              <Button isSmall icon={RotateCcw} onClick={onRetry}>
                Try again
              </Button>
            )}
            {isOfSettings(failure.kind) && (
              <Button isSmall icon={Settings2} onClick={props.onSettings}>
                Settings
              </Button>
            )}
            {response !== undefined && response !== '' && (
              <Button
                kind="ghost"
                isSmall
                isExpanded={isOpen}
                onClick={() => setFold(name, !isOpen)}
              >
                {isOpen ? 'Hide the response' : 'Show the response'}
              </Button>
            )}
          </div>
          {isOpen && (
            <div data-part="response">
              <LongText text={response ?? ''} firstLines={20} label="Response" />
            </div>
          )}
        </div>
      </div>
    </TurnFrame>
  )
})

/** Returns true where another key, model or endpoint may help. */
function isOfSettings(kind: FailureKind): boolean {
  switch (kind) {
    case 'bad-key':
    case 'no-credit':
    case 'forbidden':
    case 'not-found':
    case 'bad-request':
    case 'unreachable':
    case 'not-an-api':
      return true
    case 'too-long':
    case 'rate-limited':
    case 'server':
    case 'stalled':
    case 'cut':
    case 'too-much':
    case 'storage':
    case 'out-of-fuel':
      return false
    default:
      return assertNever(kind)
  }
}
