import { useMemo, useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { type DiffLine, diffLines } from '../../../shared/model/calls/diff-lines'
import type { DiffPiece } from '../../../shared/model/comparison/text-diff'
import { Button } from '../controls/Button'
import { formatCount, formatQuantity } from '../format/format'
import { useRevealed } from '../text/reveal'
import { changedWords } from './changed-words'

/** Lines that are drawn at first, and by each press of the button: drawing more freezes the window. */
const firstLines = 400
const moreLines = 2_000
const lineCharacters = 2_000

const marks = { same: ' ', added: '+', removed: '-', hunk: '', note: '' } as const

/**
 * Lines of a unified diff, 400 at first, or as many as a landing must show. Changed words of changed lines are marked. Long
 * lines wrap; characters over 2,000 in a line are counted, not shown.
 */
export function DiffView(props: {
  readonly diff: string
  /** False where the line numbers of the diff are not those of the file: then hunks have only the words that find their place. */
  readonly hasNumbers?: boolean
}) {
  const { diff, hasNumbers = true } = props
  const lines = useMemo(() => {
    const all = diffLines(diff).lines
    return hasNumbers ? all : all.flatMap(placeOnly)
  }, [diff, hasNumbers])
  const words = useMemo(() => changedWords(lines), [lines])
  const revealed = useRevealed(diff)
  const least = revealed === 0 ? 0 : diff.slice(0, revealed).split('\n').length
  const [asked, setAsked] = useState(firstLines)
  const shown = Math.max(asked, least)
  const rest = lines.length - shown
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, not text */}
      <div
        className={`diff-view mono ${hasNumbers ? '' : 'without-numbers'}`}
        role="group"
        aria-label="Changes"
      >
        {lines.slice(0, shown).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
          <Line key={index} line={line} words={words.get(index)} hasNumbers={hasNumbers} />
        ))}
      </div>
      {rest > 0 && (
        <div className="diff-more">
          <Button isSmall kind="ghost" onClick={() => setAsked(shown + moreLines)}>
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

/** A hunk without numbers, which are not the file's: what finds its place, or a sign between it and the one before. */
function placeOnly(line: DiffLine, index: number): readonly DiffLine[] {
  if (line.type !== 'hunk') return [line]
  const place = line.text.replace(/^@@ [^@]* @@ ?/, '')
  if (place === '' && index === 0) return []
  return [{ ...line, text: place === '' ? '\u22ef' : place }]
}

function Line(props: {
  readonly line: DiffLine
  readonly words: readonly DiffPiece[] | undefined
  readonly hasNumbers: boolean
}) {
  const { line, words, hasNumbers } = props
  const { type, text, old, new: now } = line
  const hidden = text.length - lineCharacters
  return (
    <div className={`diff-line ${type}`}>
      {hasNumbers && (
        <>
          <span className="diff-number" aria-hidden="true">
            {old}
          </span>
          <span className="diff-number" aria-hidden="true">
            {now}
          </span>
        </>
      )}
      <span className="diff-mark">{marks[type]}</span>
      <span className="diff-text" dir="auto">
        {words === undefined
          ? visibleText(hidden > 0 ? text.slice(0, lineCharacters) : text)
          : words.map((piece, index) => {
              const Tag = piece.type === 'same' ? 'span' : piece.type === 'added' ? 'ins' : 'del'
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move
              return <Tag key={index}>{visibleText(piece.text)}</Tag>
            })}
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
