import { type ReactNode, useMemo, useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { DiffPiece, TextChange } from '../../../shared/model/comparison/text-diff'
import { formatCount } from '../format/format'

/** Characters of equal text that stay on each side of a change. */
const around = 240
/** Characters of an added or removed piece before it is cut. */
const firstCharacters = 6_000
/** Most characters that one press adds: layout of more freezes the window. */
const moreCharacters = 300_000
/** Pieces drawn at first; a button shows more. */
const firstPieces = 400

/**
 * Text with removed pieces struck through and added ones underlined; long equal pieces are folded. With `joins`, changed
 * words that follow one another are marked as one; with `only` besides, the text is that of one side.
 */
export function ChangedText(props: {
  readonly change: Pick<TextChange, 'by'> & { readonly pieces: readonly DiffPiece[] }
  readonly isCode?: boolean
  readonly joins?: boolean
  readonly only?: 'removed' | 'added' | undefined
  readonly label?: string
}) {
  const { only } = props
  const { by } = props.change
  const [shown, setShown] = useState(firstPieces)
  const pieces = useMemo(
    () => (props.joins ? joinedPieces(props.change.pieces, only) : props.change.pieces),
    [props.change, props.joins, only],
  )
  const last = pieces.length - 1
  return (
    <>
      {by !== 'words' && (
        <p className="t3 small changed-note">
          {by === 'lines'
            ? 'Long text: compared by line, not by word.'
            : 'Too many differences to compare by word: shown as replaced.'}
        </p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, not text */}
      <div
        className={`changed-text ${props.isCode ? 'mono' : ''}`}
        role="group"
        aria-label={props.label ?? 'Changes'}
        dir="auto"
      >
        {pieces.slice(0, shown).map((piece, index) => (
          <PieceText
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move
            key={index}
            piece={piece}
            isFirst={index === 0}
            isLast={index === last}
          />
        ))}
        {pieces.length > shown && (
          <More onClick={() => setShown(shown + firstPieces * 5)}>
            {formatCount(pieces.length - shown)} more parts
          </More>
        )}
      </div>
    </>
  )
}

/**
 * Joins changes between which there is only a space, so that words are marked as people read them: first all that went,
 * then all that came. With `only`, what one side alone has and what both have.
 */
function joinedPieces(
  pieces: readonly DiffPiece[],
  only: 'removed' | 'added' | undefined,
): readonly DiffPiece[] {
  const shown: DiffPiece[] = []
  let removed = ''
  let added = ''
  const settle = () => {
    if (removed !== '' && only !== 'added') shown.push({ type: 'removed', text: removed })
    if (added !== '' && only !== 'removed') shown.push({ type: 'added', text: added })
    removed = ''
    added = ''
  }
  pieces.forEach(({ type, text }, at) => {
    const next = pieces[at + 1]
    const isBetween = removed !== '' && added !== '' && next !== undefined && next.type !== 'same'
    if (type === 'removed') removed += text
    else if (type === 'added') added += text
    else if (isBetween && /^[ \u00a0]{1,2}$/.test(text)) {
      removed += text
      added += text
    } else {
      settle()
      shown.push({ type, text })
    }
  })
  settle()
  return shown
}

function PieceText(props: {
  readonly piece: DiffPiece
  readonly isFirst: boolean
  readonly isLast: boolean
}) {
  const { piece, isFirst, isLast } = props
  const { type, text } = piece
  if (type === 'same') return <SameText text={text} isFirst={isFirst} isLast={isLast} />
  const Tag = type === 'added' ? 'ins' : 'del'
  return <CutPiece text={text} of={Tag} />
}

/** Equal text next to a change; all of it on demand. */
function SameText(props: {
  readonly text: string
  readonly isFirst: boolean
  readonly isLast: boolean
}) {
  const { text, isFirst, isLast } = props
  const [isWhole, setWhole] = useState(false)
  const start = isFirst ? 0 : around
  const end = isLast ? 0 : around
  const hidden = text.length - start - end
  if (isWhole || hidden < around) return <CutPiece text={text} of="span" />
  return (
    <>
      {visibleText(headOf(text, start))}
      <More onClick={() => setWhole(true)}>{formatCount(hidden)} equal characters</More>
      {visibleText(tailOf(text, end))}
    </>
  )
}

/** A piece of text, cut where it is very long. */
function CutPiece(props: { readonly text: string; readonly of: 'ins' | 'del' | 'span' }) {
  const { text, of: Tag } = props
  const [length, setLength] = useState(firstCharacters)
  const shown = useMemo(() => visibleText(headOf(text, length)), [text, length])
  return (
    <>
      <Tag>{shown}</Tag>
      {text.length > length && (
        <More onClick={() => setLength(length + moreCharacters)}>
          {formatCount(text.length - length)} more characters
        </More>
      )}
    </>
  )
}

function More(props: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button type="button" className="changed-more" onClick={props.onClick}>
      … {props.children} …
    </button>
  )
}

/** Returns the first characters, without half a surrogate pair. */
function headOf(text: string, length: number): string {
  const head = text.slice(0, length)
  return /[\ud800-\udbff]$/.test(head) && length < text.length ? head.slice(0, -1) : head
}

/** Returns the last characters, without half a surrogate pair. */
function tailOf(text: string, length: number): string {
  const tail = text.slice(text.length - length)
  return /^[\udc00-\udfff]/.test(tail) ? tail.slice(1) : tail
}
