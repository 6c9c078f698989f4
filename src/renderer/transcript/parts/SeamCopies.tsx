import { CopyCheck } from 'lucide-react'
import type { Entry } from '../../../shared/model/conversation/entry'
import { shownText, speakerOf } from '../../../shared/model/conversation/entry'
import { formatQuantity } from '../../ui/format/format'
import { Markdown } from '../../ui/text/Markdown'
import { copiesFold } from '../items/folds'
import { Fold } from './Fold'

/** Fold of the messages that chibi wrote a second time after an anchor. */
export function SeamCopies(props: { readonly itemKey: string; readonly copies: readonly Entry[] }) {
  const { itemKey, copies } = props
  return (
    <Fold
      name={copiesFold(itemKey)}
      icon={CopyCheck}
      bodyClass="fold-body seam-copies"
      head={() => (
        <>
          <span>{formatQuantity(copies.length, 'message')} repeated by chibi after it saved</span>
          <span className="fold-state">the same as above</span>
        </>
      )}
    >
      {copies.map((copy) => (
        <section key={`${copy.file}:${copy.offset}:${copy.id}`}>
          <p className="t3 small">{speakerOf(copy) === 'agent' ? 'Model' : copy.from}</p>
          <Markdown text={shownText(copy)} variant="light" />
        </section>
      ))}
    </Fold>
  )
}
