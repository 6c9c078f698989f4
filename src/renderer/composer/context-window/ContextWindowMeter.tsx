import { formatShortCount } from '../../models/model-labels'
import { useContextWindowSize } from '../../state/context'
import { Tooltip } from '../../ui/controls/Tooltip'
import type { ComposerState } from '../draft/use-composer'
import { contextWindowDetails, contextWindowLabel, type Fullness, fullnessOf } from './fullness'

const label = 'Context window'
/** The level in words as well: not everybody sees the colour. */
const endWords: Readonly<Record<Fullness, string>> = {
  unknown: ' tokens',
  room: '',
  near: ', nearly full',
  full: ', full',
}

/**
 * Meter of the tokens of the next request and of the draft, against the model's context length. Nothing while
 * unmeasured.
 */
export function ContextWindowMeter(props: { readonly composing: ComposerState }) {
  const { contextKey, needsModel } = props.composing
  const key = useContextWindowSize((state) => state.key)
  const size = useContextWindowSize((state) => state.size)
  const draft = useContextWindowSize((state) => state.draft)
  if (size === undefined || key !== contextKey || needsModel) return null
  const { total, limit } = size
  const fullness = fullnessOf(size, draft)
  const spoken = contextWindowLabel(size, draft)
  const words = (
    <span aria-hidden="true">
      {formatShortCount(total)}
      {draft > 0 && ` + ${formatShortCount(draft)}`}
      {limit !== null && ` of ${formatShortCount(limit)}`}
      {endWords[fullness]}
    </span>
  )
  const shown = { className: `window-meter ${fullness}`, tabIndex: 0 }
  return (
    <Tooltip text={contextWindowDetails(size, draft).join('\n')}>
      {limit === null ? (
        // Without a known length a meter has no maximum.
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
