import { Check, Copy, TextWrap } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { Button, IconButton } from '../controls/Button'
import { cutText } from '../format/cut-text'
import { formatCount, formatQuantity } from '../format/format'
import type { CodePiece } from './highlighter'
import { LongText } from './LongText'
import { useRevealed } from './reveal'
import { useTextServices } from './text-services'

const firstLines = 400
/** Longest code that is highlighted, in characters. */
const colouredCharacters = 60_000
/** Pause of streaming code after which it is highlighted. */
const restMs = 150

/** Block of code: its language, buttons to wrap and copy, and its first 400 lines. */
export function CodeBlock(props: {
  readonly code: string
  readonly language: string
  /** The number of its first line, where lines have numbers. */
  readonly firstNumber?: number
}) {
  const { code, language, firstNumber } = props
  const [wraps, setWraps] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const cut = useMemo(() => cutText(code, firstLines, colouredCharacters), [code])
  const shown = useMemo(() => visibleText(cut.shown.replace(/\n$/, '')), [cut.shown])
  const pieces = usePieces(language, shown)
  const isSoughtBelow = useRevealed(code) > cut.shown.length
  const [answered, setAnswered] = useState(false)
  if (answered !== isSoughtBelow) {
    setAnswered(isSoughtBelow)
    if (isSoughtBelow) setWhole(true)
  }
  return (
    <div className="code">
      <div className="code-head">
        <span>{language === '' ? 'text' : language}</span>
        <span className="grow" />
        <IconButton
          label="Wrap lines"
          icon={TextWrap}
          size="medium"
          isPressed={wraps}
          onClick={() => setWraps(!wraps)}
        />
        <CopyButton label="Copy code" text={code} size="medium" />
      </div>
      {cut.isCut && isWhole ? (
        <LongText
          text={code}
          firstLines={firstLines * 50}
          wraps={wraps}
          label={`${language} code`}
        />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className={wraps ? 'wraps' : firstNumber === undefined ? '' : 'numbered'} tabIndex={0}>
          {/* A line that wraps has no place beside it for a number. */}
          {firstNumber !== undefined && !wraps && (
            <span className="code-numbers" aria-hidden="true">
              {numbersOf(shown, firstNumber)}
            </span>
          )}
          <code>{pieces === undefined ? shown : coloured(pieces)}</code>
        </pre>
      )}
      {cut.isCut && !isWhole && (
        <div className="long-text-more">
          <Button isSmall kind="ghost" onClick={() => setWhole(true)}>
            Show all {formatCount(cut.lines)} lines
          </Button>
          <span className="t3 micro">
            {cut.shown.endsWith('\n')
              ? `${formatQuantity(cut.shownLines, 'line')} of ${formatCount(cut.lines)}`
              : `${formatCount(cut.shown.length)} of ${formatQuantity(code.length, 'character')}`}
          </span>
        </div>
      )}
    </div>
  )
}

function numbersOf(code: string, first: number): string {
  return code
    .split('\n')
    .map((_, at) => first + at)
    .join('\n')
}

/** Button that copies a text; its icon shows that it did, or that the clipboard refused. */
export function CopyButton(props: {
  readonly label: string
  readonly text: string | (() => string)
  readonly size?: 'medium' | 'large' | 'small'
  readonly tabIndex?: number
}) {
  const { label, text, size = 'medium' } = props
  const [state, setState] = useState<'rest' | 'copied' | 'refused'>('rest')
  useEffect(() => {
    if (state === 'rest') return
    const timer = setTimeout(() => setState('rest'), 1600)
    return () => clearTimeout(timer)
  }, [state])

  function copy(): void {
    navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => setState('copied'),
      () => setState('refused'),
    )
  }
  const labels = { rest: label, copied: 'Copied', refused: 'The system refused the clipboard' }
  return (
    <IconButton
      label={labels[state]}
      icon={state === 'copied' ? Check : Copy}
      size={size}
      onClick={copy}
      {...(props.tabIndex === undefined ? {} : { tabIndex: props.tabIndex })}
    />
  )
}

/** Returns the highlighted code, once it is known; plain code has the same height. */
function usePieces(language: string, code: string): readonly CodePiece[] | undefined {
  const { highlighter } = useTextServices()
  const name = language.toLowerCase()
  const [late, setLate] = useState<{ of: string; pieces: readonly CodePiece[] | undefined }>()
  const known = name === '' ? undefined : highlighter?.known(name, code)
  useEffect(() => {
    if (highlighter === undefined || name === '' || known !== undefined) return
    let isWanted = true
    const timer = setTimeout(() => {
      void highlighter.highlight(name, code).then((pieces) => {
        if (isWanted) setLate({ of: `${name}\n${code}`, pieces })
      })
    }, restMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [highlighter, name, code, known])
  return known ?? (late?.of === `${name}\n${code}` ? late.pieces : undefined)
}

function coloured(pieces: readonly CodePiece[]): ReactNode[] {
  return pieces.map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never move
      <span key={index} className={piece[0]}>
        {coloured(piece[1])}
      </span>
    ),
  )
}
