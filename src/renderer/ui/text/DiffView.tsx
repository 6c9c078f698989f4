import { useMemo, useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { Button } from '../controls/Button'
import { formatCount, formatQuantity } from '../format/format'
import { type DiffLine, diffLines } from './diff-lines'

/** Lines that are drawn at first, and by each press of the button: drawing more freezes the window. */
const firstLines = 400
const moreLines = 2_000
const lineCharacters = 2_000

const marks = { same: ' ', added: '+', removed: '-', hunk: '', note: '' } as const

/** Lines of a unified diff, 400 at first. Long lines wrap; characters over 2,000 in a line are counted, not shown. */
export function DiffView(props: { readonly diff: string }) {
  const { lines } = useMemo(() => diffLines(props.diff), [props.diff])
  const [shown, setShown] = useState(firstLines)
  const rest = lines.length - shown
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, not text */}
      <div className="diff-view mono" role="group" aria-label="Changes">
        {lines.slice(0, shown).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
          <Line key={index} line={line} />
        ))}
      </div>
      {rest > 0 && (
        <div className="diff-more">
          <Button isSmall kind="ghost" onClick={() => setShown(shown + moreLines)}>
            Show {formatQuantity(Math.min(rest, moreLines), 'more line')}
          </Button>
          <span className="t3 micro">
            {formatCount(shown)} of {formatQuantity(lines.length, 'line')}
          </span>
        </div>
      )}
    </>
  )
}

function Line(props: { readonly line: DiffLine }) {
  const { type, text, old, new: now } = props.line
  const hidden = text.length - lineCharacters
  return (
    <div className={`diff-line ${type}`}>
      <span className="diff-number" aria-hidden="true">
        {old}
      </span>
      <span className="diff-number" aria-hidden="true">
        {now}
      </span>
      <span className="diff-mark">{marks[type]}</span>
      <span className="diff-text" dir="auto">
        {visibleText(hidden > 0 ? text.slice(0, lineCharacters) : text)}
        {hidden > 0 && (
          <span className="diff-hidden">
            {' '}
            {formatQuantity(hidden, 'more character')} of this line
          </span>
        )}
      </span>
    </div>
  )
}
