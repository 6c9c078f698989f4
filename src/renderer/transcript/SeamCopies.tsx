import { ChevronDown, ChevronRight, CopyCheck } from 'lucide-react'
import type { Entry } from '../../shared/model/entry'
import { shownText, speakerOf } from '../../shared/model/entry'
import { useReading } from '../state/context'
import { counted } from '../ui/format'
import { Icon } from '../ui/Icon'
import { Markdown } from '../ui/Markdown'
import { copiesFold } from './unfold'

/** Messages that chibi wrote a second time when it saved: they stand above as well. */
export function SeamCopies(props: { readonly itemKey: string; readonly copies: readonly Entry[] }) {
  const { itemKey, copies } = props
  const name = copiesFold(itemKey)
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
        <Icon of={CopyCheck} />
        <span>{counted(copies.length, 'message')} repeated by chibi after it saved</span>
        <span className="fold-state">the same as above</span>
      </button>
      {isOpen && (
        <div className="fold-body seam-copies">
          {copies.map((copy) => (
            <section key={`${copy.file}:${copy.offset}:${copy.id}`}>
              <p className="t3 small">{speakerOf(copy) === 'agent' ? 'Model' : copy.from}</p>
              <Markdown text={shownText(copy)} variant="light" />
            </section>
          ))}
        </div>
      )}
    </div>
  )
}
