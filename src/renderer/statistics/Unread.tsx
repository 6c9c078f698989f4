import { useState } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import { Button } from '../ui/controls/Button'
import { formatCount, formatQuantity } from '../ui/format/format'
import { Note } from '../ui/notes/Note'

/** Note of what could not be read and is not in the numbers. */
export function Unread(props: { readonly sentences: readonly string[]; readonly total: number }) {
  const { sentences, total } = props
  const [isOpen, setOpen] = useState(false)
  const left = total - sentences.length
  return (
    <div className="statistics-unread">
      <Note
        tone="warn"
        title={`${formatQuantity(total, 'part')} could not be read and ${total === 1 ? 'is' : 'are'} not in these numbers.`}
        actions={
          <Button kind="ghost" isSmall isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'}
          </Button>
        }
      >
        {isOpen && (
          <ul className="statistics-sentences">
            {sentences.map((sentence, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: sentences may repeat
              <li key={at}>{visibleText(sentence)}</li>
            ))}
            {left > 0 && <li>and {formatCount(left)} more</li>}
          </ul>
        )}
      </Note>
    </div>
  )
}
