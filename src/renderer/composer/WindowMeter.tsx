import { shortCount } from '../models/words'
import { useWindowSize } from '../state/context'
import { Tooltip } from '../ui/Tooltip'
import { type Fullness, fullnessOf, sizeLines, spokenSize } from './fullness'
import type { Composing } from './use-composer'

const label = 'Context window'
/** What stands at the end in words too: a colour alone is not seen by everybody. */
const endWords: Readonly<Record<Fullness, string>> = {
  unknown: ' tokens',
  room: '',
  near: ', nearly full',
  full: ', full',
}

/** What the next request takes of the model's window, what is being written beside it, and how much the model takes. */
export function WindowMeter(props: { readonly composing: Composing }) {
  const { contextKey, needsModel } = props.composing
  const key = useWindowSize((state) => state.key)
  const size = useWindowSize((state) => state.size)
  const draft = useWindowSize((state) => state.draft)
  if (size === undefined || key !== contextKey || needsModel) return null
  const { total, limit } = size
  const fullness = fullnessOf(size, draft)
  const spoken = spokenSize(size, draft)
  const words = (
    <span aria-hidden="true">
      {shortCount(total)}
      {draft > 0 && ` + ${shortCount(draft)}`}
      {limit !== null && ` of ${shortCount(limit)}`}
      {endWords[fullness]}
    </span>
  )
  const shown = { className: `window-meter ${fullness}`, tabIndex: 0 }
  return (
    <Tooltip text={sizeLines(size, draft).join('\n')}>
      {limit === null ? (
        // Without an end there is nothing to measure against.
        // biome-ignore lint/a11y/useSemanticElements: no fieldset
        <span {...shown} role="group" aria-label={`${label}: ${spoken}`}>
          {words}
        </span>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a meter element cannot show two parts
        <span
          {...shown}
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(total + draft, limit)}
          aria-valuetext={spoken}
        >
          <span className="window-meter-bar" aria-hidden="true">
            <i style={{ width: share(total, limit) }} />
            <i className="draft" style={{ width: share(draft, limit) }} />
          </span>
          {words}
        </span>
      )}
    </Tooltip>
  )
}

function share(tokens: number, limit: number): string {
  return `${Math.min(100, (tokens / limit) * 100)}%`
}
