import { type ReactNode, useMemo, useRef, useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { Button } from '../controls/Button'
import { cutText, linePieces } from '../format/cut-text'
import { formatByteSize, formatCount, formatQuantity } from '../format/format'
import { drawnParts, textOfBlocks, useUndrawnBlocks } from './drawing/use-drawn-blocks'
import { useRevealed } from './reveal'
import { type TerminalRun, terminalRuns } from './terminal-output'

/** Lines of one piece: pieces outside of the screen are not laid out. */
const pieceLines = 200
/** Height of an unwrapped line; the same as `--lh-code`. */
const lineHeightRem = 1.25
const firstCharacters = 6_000
/** Most characters that one press of the button adds: layout of more would take longer than 50 ms. */
const moreCharacters = 150_000

/** Text of any length, cut at first; a button shows more, step by step. */
export function LongText(props: {
  readonly text: string
  /** Of what the text is, for the button: "Show all 412 lines". */
  readonly firstLines: number
  readonly className?: string
  /** True where lines wrap; else the text scrolls sideways. */
  readonly wraps?: boolean
  /** True for the text of `terminalOutput`: its colours and styles are drawn. */
  readonly isTerminal?: boolean
  readonly label: string
}) {
  const { text, firstLines, wraps = true, isTerminal = false, label } = props
  const revealed = useRevealed(text)
  const least = useLeast(text, firstLines, revealed)
  const [more, setMore] = useState(least)
  const [answered, setAnswered] = useState(least)
  if (answered !== least) {
    setAnswered(least)
    setMore(Math.max(more, least))
  }
  const cut = useMemo(
    () =>
      more === 0
        ? cutText(text, firstLines, firstCharacters)
        : cutText(text, Number.POSITIVE_INFINITY, more * moreCharacters),
    [text, firstLines, more],
  )
  const shown = useMemo(
    () =>
      isTerminal
        ? terminalPieces(cut.shown)
        : linePieces(visibleText(cut.shown), pieceLines).map((piece) => [
            { text: piece, style: '' },
          ]),
    [cut.shown, isTerminal],
  )
  const element = useRef<HTMLDivElement>(null)
  const pieces = useMemo(
    // Without counting the lines of megabytes for each step: the last piece alone may have fewer.
    () =>
      shown.map((piece) => ({
        characters: charactersOf(piece),
        height: lineHeightRem * pieceLines,
      })),
    [shown],
  )
  // Lines that do not wrap are laid out when they are seen; others take longer than a frame.
  const undrawn = useUndrawnBlocks(
    element,
    cut.shown,
    pieces,
    !wraps || shown.length <= 1 || revealed > 0,
  )
  return (
    <div className={`long-text ${props.className ?? ''}`}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, not text */}
      <div
        ref={element}
        {...textOfBlocks(undrawn)}
        className={`long-text-lines ${wraps ? 'wraps' : ''}`}
        role="group"
        aria-label={label}
        tabIndex={wraps ? undefined : 0}
        dir="auto"
      >
        {shown.length <= 1
          ? drawnRuns(shown[0] ?? [])
          : drawnParts(shown.length, undrawn, (at) => {
              const piece = shown[at] ?? []
              return (
                <div
                  key={at}
                  className="long-text-piece"
                  style={wraps ? undefined : { containIntrinsicSize: `auto ${heightOf(piece)}rem` }}
                >
                  {piece.length === 0 ? '\n' : drawnRuns(piece)}
                </div>
              )
            })}
      </div>
      {(cut.isCut || more > 0) && (
        <div className="long-text-more">
          {cut.isCut && (
            <Button isSmall kind="ghost" onClick={() => setMore(more + 1)}>
              {moreLabel(text, cut.lines, (more + 1) * moreCharacters)}
            </Button>
          )}
          {more > 0 && (
            <Button isSmall kind="ghost" onClick={() => setMore(0)}>
              Show less
            </Button>
          )}
          <span className="t3 micro">
            {cut.isCut && !cut.shown.endsWith('\n')
              ? `${formatCount(cut.shown.length)} of ${formatQuantity(text.length, 'character')}`
              : `${formatQuantity(cut.shownLines, 'line')} of ${formatCount(cut.lines)}, ${formatByteSize(text.length)}`}
          </span>
        </div>
      )}
    </div>
  )
}

type Piece = readonly TerminalRun[]

/** Splits the styled text of a terminal into pieces of whole lines; the line feed between two pieces is left out. */
function terminalPieces(text: string): readonly Piece[] {
  const pieces: TerminalRun[][] = [[]]
  let lines = 0
  for (const { text: run, style } of terminalRuns(text)) {
    const parts = run.split('\n')
    parts.forEach((part, index) => {
      const isLineEnd = index < parts.length - 1
      const isPieceEnd = isLineEnd && ++lines % pieceLines === 0
      const shown = visibleText(part) + (isLineEnd && !isPieceEnd ? '\n' : '')
      if (shown !== '') addRun(pieces.at(-1) ?? [], shown, style)
      if (isPieceEnd) pieces.push([])
    })
  }
  // A text that ends with a line feed has no line behind it.
  if (pieces.at(-1)?.length === 0) pieces.pop()
  return pieces
}

function addRun(piece: TerminalRun[], text: string, style: string): void {
  const last = piece.at(-1)
  if (last?.style === style) piece[piece.length - 1] = { text: last.text + text, style }
  else piece.push({ text, style })
}

/** Returns the height of a piece whose lines do not wrap, in rem. */
function heightOf(piece: Piece): number {
  const lines = piece.reduce((sum, { text }) => sum + text.split('\n').length - 1, 1)
  return lineHeightRem * lines
}

function charactersOf(piece: Piece): number {
  return piece.reduce((sum, { text }) => sum + text.length, 0)
}

function drawnRuns(piece: Piece): ReactNode {
  return piece.map(({ text, style }, index) =>
    style === '' ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: runs never move
      <span key={index} className={style}>
        {text}
      </span>
    ),
  )
}

/** Returns the presses of the button until the target of a landing is visible. */
function useLeast(text: string, firstLines: number, revealed: number): number {
  return useMemo(
    () =>
      revealed === 0 || revealed <= cutText(text, firstLines, firstCharacters).shown.length
        ? 0
        : Math.ceil(revealed / moreCharacters),
    [revealed, text, firstLines],
  )
}

function moreLabel(text: string, lines: number, characters: number): string {
  if (text.length > characters) return `Show ${formatCount(moreCharacters)} more characters`
  return lines > 1
    ? `Show all ${formatCount(lines)} lines`
    : `Show all ${formatCount(text.length)} characters`
}
