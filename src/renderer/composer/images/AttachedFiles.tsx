import { FileText } from 'lucide-react'
import { useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { AttachedText, PdfOfDraft } from '../../state/run-state'
import { Icon } from '../../ui/controls/Icon'
import { formatByteSize, formatQuantity } from '../../ui/format/format'
import { Sheet } from '../../ui/panes/Sheet'
import { LongText } from '../../ui/text/LongText'
import { AttachedChip } from './AttachedChip'

/** List of a draft's text files, each with name, size and tokens, and of PDFs that are being read; a press shows what the model gets of a file. */
export function AttachedFiles(props: {
  readonly files: readonly AttachedText[]
  /** PDFs whose text is being read. */
  readonly reading: readonly PdfOfDraft[]
  readonly isFixed: boolean
  readonly onDetach: (id: string) => void
  readonly onStop: (id: string) => void
}) {
  const { files, reading, isFixed, onDetach, onStop } = props
  const [shownId, setShownId] = useState<string>()
  const shown = files.find(({ id }) => id === shownId)
  if (files.length + reading.length === 0) return null
  return (
    <div className="attached-images">
      <ul aria-label="Text files to send">
        {files.map((file) => {
          const name = visibleText(file.name)
          return (
            <AttachedChip
              key={file.id}
              name={name}
              isFixed={isFixed}
              onDetach={() => onDetach(file.id)}
            >
              <button
                type="button"
                className="attached-file"
                title="Show what the model gets"
                onClick={() => setShownId(file.id)}
              >
                <Icon of={FileText} />
                <span className="cut">
                  <bdi>{name}</bdi>
                </span>
                <span className="t3 number">{formatByteSize(file.bytes.length)}</span>
                <span className="t3 number attached-tokens">{tokenWords(file.frame)}</span>
              </button>
            </AttachedChip>
          )
        })}
        {reading.map(({ id, name }) => (
          <AttachedChip
            key={id}
            name={visibleText(name)}
            isFixed={false}
            onDetach={() => onStop(id)}
          >
            <Icon of={FileText} />
            <span className="cut" role="status">
              Reading <bdi>{visibleText(name)}</bdi>…
            </span>
          </AttachedChip>
        ))}
      </ul>
      {files.map(({ id, note }) =>
        note === undefined ? null : (
          <p key={id} className="t3 small" role="status">
            {visibleText(note)}
          </p>
        ),
      )}
      {shown !== undefined && (
        <Sheet
          title={visibleText(shown.name)}
          about={tokenWords(shown.frame)}
          className="attached-preview"
          onClose={() => setShownId(undefined)}
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrolled by keys */}
          <section className="dialog-body" aria-label="What the model gets" tabIndex={0} data-first>
            <p className="small t2">This stands in the message, behind what you write:</p>
            <LongText text={shown.frame} firstLines={400} label="Text" className="mono" />
          </section>
        </Sheet>
      )}
    </div>
  )
}

/** Characters of a token, roughly; the meter below counts by the model's own tokenizer. */
const unitsPerToken = 4

function tokenWords(frame: string): string {
  return `about ${formatQuantity(Math.ceil(frame.length / unitsPerToken), 'token')}`
}
