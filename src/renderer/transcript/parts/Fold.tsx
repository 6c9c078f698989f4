import { ChevronDown, ChevronRight, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FoundPart } from '../../../shared/model/find/find'
import { useReading } from '../../state/context'
import { Icon } from '../../ui/controls/Icon'

/** Fold in a turn; its state is kept under `name`. */
export function Fold(props: {
  readonly name: string
  readonly icon: LucideIcon
  /** Returns the content of its button, folded or not. */
  readonly head: (isOpen: boolean) => ReactNode
  readonly bodyClass?: string
  /** The part of the entry that it shows, where that is not what was said. */
  readonly part?: FoundPart
  readonly children: ReactNode
}) {
  const { name, icon, head, bodyClass, children } = props
  const isOpen = useReading(({ folds }) => folds[name] === true)
  const setFold = useReading((state) => state.setFold)
  return (
    <div className={isOpen ? 'fold-box' : ''}>
      <button
        type="button"
        className="fold"
        aria-expanded={isOpen}
        onClick={() => setFold(name, !isOpen)}
      >
        <Icon of={isOpen ? ChevronDown : ChevronRight} size={12} className="fold-sign" />
        <Icon of={icon} />
        {head(isOpen)}
      </button>
      {isOpen && (
        <div className={bodyClass ?? 'fold-body'} data-part={props.part}>
          {children}
        </div>
      )}
    </div>
  )
}
