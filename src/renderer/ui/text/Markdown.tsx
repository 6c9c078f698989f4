import { memo, useMemo, useRef, useState } from 'react'
import { Button } from '../controls/Button'
import { formatCount } from '../format/format'
import { TextPictures } from '../pictures/TextPictures'
import { estimatedBlockHeight } from './block-height'
import {
  drawnParts,
  textOfBlocks,
  useDrawnLine,
  useUndrawnBlocks,
} from './drawing/use-drawn-blocks'
import { LongText } from './LongText'
import {
  type MarkdownBlock,
  type MarkdownVariant,
  type ParsedMarkdown,
  parseMarkdown,
} from './markdown-blocks'
import { renderTokens } from './markdown-render'
import { type KnownCode, takeMarkdownPictures } from './pictures-in-markdown'
import { useRevealed } from './reveal'

/** Most characters shown at once; a button shows more. */
const shownCharacters = 400_000

/** Text in Markdown; pictures that stand in it as Base64, outside of code, are below it. A text that grows costs only its last block. */
export const Markdown = memo(function Markdown(props: {
  readonly text: string
  readonly variant?: MarkdownVariant
}) {
  const { variant = 'full' } = props
  const code = useRef<KnownCode>({})
  const taken = useMemo(
    () => takeMarkdownPictures(props.text, variant, code.current),
    [props.text, variant],
  )
  const text = taken?.text ?? props.text
  const revealed = useRevealed(text)
  const [asked, setLimit] = useState(shownCharacters)
  const limit = Math.max(asked, revealed)
  const known = useRef<ParsedMarkdown>(undefined)
  const parsed = useMemo(() => {
    const shown =
      text.length <= limit ? text : text.slice(0, text.lastIndexOf('\n', limit) + 1 || limit)
    known.current = parseMarkdown(shown, variant, known.current)
    return known.current
  }, [text, variant, limit])
  const element = useRef<HTMLDivElement>(null)
  const line = useDrawnLine()
  const drawnBlocks = useMemo(
    () =>
      parsed.blocks.map((block) => ({
        characters: block.source.length,
        height: line === undefined ? 0 : estimatedBlockHeight(block, line),
      })),
    [parsed.blocks, line],
  )
  const undrawn = useUndrawnBlocks(element, parsed.text, drawnBlocks, revealed > 0)
  return (
    <div ref={element} className={`prose ${variant}`} {...textOfBlocks(undrawn)}>
      {drawnParts(parsed.blocks.length, undrawn, (at) => {
        const block = parsed.blocks[at]
        return block !== undefined && <Block key={at} block={block} />
      })}
      {taken !== undefined && <TextPictures pictures={taken.pictures} />}
      {text.length > limit && (
        <Button isSmall onClick={() => setLimit(limit + shownCharacters)}>
          Show more, {formatCount(limit)} of {formatCount(text.length)} characters are here
        </Button>
      )}
    </div>
  )
})

const Block = memo(function Block(props: { readonly block: MarkdownBlock }) {
  const { block } = props
  if (block.type === 'plain')
    return (
      <LongText text={block.source} firstLines={60} label="Long text" className="plain-block" />
    )
  return renderTokens(block.tokens)
})
