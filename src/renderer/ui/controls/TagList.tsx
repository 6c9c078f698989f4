import type { LucideIcon } from 'lucide-react'
import { Icon } from './Icon'

/** List of tags, each a button. */
export function TagList(props: {
  readonly label: string
  readonly tags: readonly string[]
  /** Returns the name of a tag's button: what a press does. */
  readonly actLabel: (tag: string) => string
  readonly onPress: (tag: string) => void
  /** True for tags that are only offered: outlined. */
  readonly isOffer?: boolean
  readonly icon?: LucideIcon
}) {
  const { label, tags, actLabel, onPress, isOffer = false, icon } = props
  return (
    <ul className="tags" aria-label={label}>
      {tags.map((tag) => (
        <li key={tag}>
          <button
            type="button"
            className={`tag ${isOffer ? 'line' : ''}`}
            aria-label={actLabel(tag)}
            onClick={() => onPress(tag)}
          >
            <span className="cut">{tag}</span>
            {icon !== undefined && <Icon of={icon} size={12} />}
          </button>
        </li>
      ))}
    </ul>
  )
}
