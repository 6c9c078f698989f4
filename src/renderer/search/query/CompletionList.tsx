import { useLayoutEffect, useRef } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { formatCount } from '../../ui/format/format'
import type { Completions } from './use-completions'

/** Returns the id of an option of the list, which the field names as its active one. */
export function completionId(list: string, index: number): string {
  return `${list}-${index}`
}

/** List below the query: names of fields, or values that conversations have, with how often they occur. */
export function CompletionList(props: {
  readonly id: string
  readonly completions: Completions
  /** The active option; -1 where none is. */
  readonly active: number
  readonly onChoose: (value: string) => void
}) {
  const { id, completions, active, onChoose } = props
  const { part, options } = completions
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div
      ref={list}
      id={id}
      className="completions"
      role="listbox"
      aria-label={part.field === undefined ? 'Fields' : `Values of ${part.field}`}
    >
      {options.map(({ value, count }, at) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names this option as its active one
        <div
          key={value}
          id={completionId(id, at)}
          className={`completion ${at === active ? 'selected' : ''}`}
          role="option"
          aria-selected={at === active}
          // Before the field would lose the focus.
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(value)
          }}
        >
          <span className="mono cut grow">
            {visibleText(value)}
            {part.field === undefined && ':'}
          </span>
          {count !== undefined && <span className="t3 small number">{formatCount(count)}</span>}
        </div>
      ))}
    </div>
  )
}
