import { ChevronRight } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import type { DamagedLine } from '../../shared/model/conversation/transcript'
import { useActions } from '../state/context'
import { Button } from '../ui/controls/Button'
import { Icon } from '../ui/controls/Icon'
import { SegmentedControl } from '../ui/controls/SegmentedControl'
import { bytesFromBase64, hexDump } from '../ui/format/bytes'
import { formatByteSize, formatCount, formatQuantity } from '../ui/format/format'
import { CopyButton } from '../ui/text/CodeBlock'
import { LongText } from '../ui/text/LongText'
import { PathText } from '../ui/text/PathText'
import { damagedLineTitle } from './lost-labels'

/** Most characters of the preview: enough for a row of the widest window. */
const previewCharacters = 300

/** Row of a damaged line: its position and the reason; its bytes as text or in hex on demand. */
export function LostLine(props: {
  /** Undefined for a line of no conversation, which cannot be opened in one. */
  readonly of: LibraryKey | undefined
  readonly line: DamagedLine
  readonly startsOpen: boolean
}) {
  const { of, line } = props
  const { openAt } = useActions()
  const [isOpen, setOpen] = useState(props.startsOpen)
  const [shape, setShape] = useState<'text' | 'bytes'>('text')
  const id = useId()
  const bytes = useMemo(() => bytesFromBase64(line.bytes), [line.bytes])
  const text = useMemo(() => new TextDecoder().decode(bytes), [bytes])
  const title = damagedLineTitle(line)
  return (
    <li className="lost-line">
      <div className="lost-line-head">
        <button
          type="button"
          className="lost-line-fold"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon of={ChevronRight} className={`lost-chevron ${isOpen ? 'turned' : ''}`} />
          <span className="label number">{title}</span>
          <span className="lost-reason cut">{visibleText(line.reason)}</span>
          {line.torn === true && (
            <span className="chip warn">unfinished, may still be growing</span>
          )}
        </button>
        {of !== undefined && (
          <Button
            isSmall
            kind="ghost"
            onClick={() => void openAt(of, { file: line.file, offset: line.offset })}
          >
            Open there<span className="unseen"> at {title.toLowerCase()}</span>
          </Button>
        )}
        <CopyButton label="Copy bytes" text={text} />
      </div>
      <div className="lost-line-place t3 small">
        <span className="number">
          {formatQuantity(line.length, 'byte')} at offset {formatCount(line.offset)} of
        </span>
        <PathText path={visibleText(line.file)} />
      </div>
      <div id={id}>
        {isOpen ? (
          <div className="lost-bytes">
            <SegmentedControl
              label={`Show ${title.toLowerCase()} as`}
              value={shape}
              options={{ text: 'Text', bytes: 'Bytes' }}
              onChoose={setShape}
            />
            {bytes.length === 0 ? (
              <p className="t3 small">Empty.</p>
            ) : shape === 'text' ? (
              <LongText className="mono" text={text} firstLines={20} label={`${title} as text`} />
            ) : (
              <LongText
                text={hexDump(bytes)}
                firstLines={24}
                wraps={false}
                label={`${title} as bytes`}
              />
            )}
            {bytes.length < line.length && (
              <p className="t3 small">
                The first {formatByteSize(bytes.length)} of {formatByteSize(line.length)}.
              </p>
            )}
          </div>
        ) : (
          <div className="lost-preview mono cut" aria-hidden="true">
            {visibleText(text.slice(0, previewCharacters)).replaceAll('\n', '␊')}
          </div>
        )}
      </div>
    </li>
  )
}
