import { ChevronDown, ChevronUp } from 'lucide-react'
import { useRef } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { ExportFormat } from '../../shared/model/export'
import { useExporting } from '../state/context'
import { Button, IconButton } from '../ui/controls/Button'
import { formatCount } from '../ui/format/format'
import { redactedParts } from './redacted-parts'

/** Beginning of the file, exactly as it will be written, with what is redacted marked. */
export function ExportPreviewPane() {
  const preview = useExporting((state) => state.preview)
  const format = useExporting((state) => state.format)
  const showMore = useExporting((state) => state.showMore)
  const body = useRef<HTMLPreElement>(null)
  const text = preview.type === 'failed' ? '' : (preview.preview?.text ?? '')
  const parts = redactedParts(visibleText(text))
  const marks = parts.filter(({ isRedacted }) => isRedacted).length
  const go = (step: 1 | -1) => goToMark(body.current, step)
  return (
    <section className="export-preview" aria-label="Preview">
      <header className="export-preview-head">
        <h3 className="small">Preview</h3>
        <span className="t3 small grow" aria-live="polite">
          {preview.type === 'reading' && 'Reading…'}
          {preview.type === 'shown' && shownWords(format, preview.preview.isWhole)}
        </span>
        {marks > 0 && (
          <>
            <span className="t2 small number">{formatCount(marks)} marked</span>
            <IconButton label="Previous redaction" icon={ChevronUp} onClick={() => go(-1)} />
            <IconButton label="Next redaction" icon={ChevronDown} onClick={() => go(1)} />
          </>
        )}
      </header>
      {preview.type === 'failed' && <p className="warn-t small">{preview.failure.message}</p>}
      <pre
        ref={body}
        className="export-preview-text mono small"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        {parts.map(({ at, words, isRedacted }) =>
          isRedacted ? (
            <mark key={at} className="redacted">
              {words}
            </mark>
          ) : (
            words
          ),
        )}
      </pre>
      {preview.type === 'shown' && !preview.preview.isWhole && (
        <Button onClick={showMore}>Show more</Button>
      )}
    </section>
  )
}

function shownWords(format: ExportFormat, isWhole: boolean): string {
  const words = format === 'pdf' ? 'the page that is printed' : 'as it will be written'
  return isWhole ? `all of it, ${words}` : words
}

function goToMark(body: HTMLElement | null, step: 1 | -1): void {
  if (body === null) return
  const marks = [...body.querySelectorAll('mark')]
  const now = marks.findIndex((mark) => mark.classList.contains('is-current'))
  const next = marks[(now + step + marks.length) % marks.length]
  marks[now]?.classList.remove('is-current')
  next?.classList.add('is-current')
  next?.scrollIntoView({ block: 'center' })
}
