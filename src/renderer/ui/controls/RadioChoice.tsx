import { type ReactNode, useId } from 'react'

/** Choice with a title and a description, one of a group: a native radio button, so that arrow keys choose. */
export function RadioChoice(props: {
  /** Name of the group, the same for all of its choices. */
  readonly group: string
  readonly title: ReactNode
  readonly words: string
  readonly isChosen: boolean
  readonly className?: string
  readonly onChoose: () => void
}) {
  const { group, title, words, isChosen, className = '', onChoose } = props
  const id = useId()
  return (
    <label className={`choice ${className}`}>
      <input
        type="radio"
        className="radio-mark"
        name={group}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-words`}
        checked={isChosen}
        onChange={onChoose}
      />
      <span className="grow">
        <span id={`${id}-title`} className="label">
          {title}
        </span>
        <span id={`${id}-words`} className="t2 small choice-words">
          {words}
        </span>
      </span>
    </label>
  )
}
