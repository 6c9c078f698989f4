import { ChevronDown, ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Icon } from '../ui/controls/Icon'

/** Part of a request under a head that folds it. */
export function RequestPart(props: {
  readonly title: string
  /** Its size, in words. */
  readonly amount: string
  readonly isOpenFirst: boolean
  readonly children: ReactNode
}) {
  const { title, amount, isOpenFirst } = props
  const [isOpen, setOpen] = useState(isOpenFirst)
  const id = useId()
  return (
    <section className="sent-part" aria-labelledby={id}>
      <h3 className="sent-part-head">
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon of={isOpen ? ChevronDown : ChevronRight} size={12} className="t3" />
          <span id={id}>{title}</span>
          <span className="t3 small number">{amount}</span>
        </button>
      </h3>
      {isOpen && props.children}
    </section>
  )
}
