import { useMemo, useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { SearchedFile, SearchedFiles } from '../../../shared/model/calls/search-call'
import type { FoundPage } from '../../../shared/model/calls/web-call'
import { Button } from '../../ui/controls/Button'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { CodeBlock } from '../../ui/text/CodeBlock'
import { LongText } from '../../ui/text/LongText'
import { Markdown } from '../../ui/text/Markdown'
import { foldWords, matchRanges } from '../items/highlights'
import type { ResultCard } from './result-card'

/** A result as what its call asked for: lines of a file, hits by file, pages, the report of another agent. */
export function DrawnResult({ card }: { readonly card: ResultCard }) {
  switch (card.type) {
    case 'lines':
      return (
        <>
          <Around text={card.lines.before} />
          <CodeBlock
            code={card.lines.code}
            language={card.language}
            firstNumber={card.lines.first}
          />
          <Around text={card.lines.after} />
        </>
      )
    case 'code':
      return <CodeBlock code={card.code} language={card.language} />
    case 'hits':
      return <Hits found={card.found} literals={card.literals} />
    case 'pages':
      return (
        <>
          <Pages pages={card.pages} />
          <Around text={card.rest} />
        </>
      )
    case 'report':
      return (
        <div className="tool-report">
          <Markdown text={card.text} />
        </div>
      )
  }
}

/** What a tool says around what it gives. */
function Around(props: { readonly text: string }) {
  if (props.text === '') return null
  return (
    <div className="tool-around t2 small">
      <LongText text={props.text} firstLines={6} label="Around it" />
    </div>
  )
}

/** Lines of hits that are drawn at first. */
const firstHits = 200

function Hits(props: { readonly found: SearchedFiles; readonly literals: readonly string[] }) {
  const { found, literals } = props
  const [isWhole, setWhole] = useState(false)
  const folded = useMemo(() => foldWords(literals), [literals])
  const total = found.files.reduce((sum, { lines }) => sum + Math.max(1, lines.length), 0)
  let room = isWhole ? Number.POSITIVE_INFINITY : firstHits
  const drawn: SearchedFile[] = []
  for (const file of found.files) {
    if (room <= 0) break
    drawn.push({ path: file.path, lines: file.lines.slice(0, room) })
    room -= Math.max(1, file.lines.length)
  }
  return (
    <div className="tool-hits">
      <Around text={found.others.join('\n')} />
      {drawn.map(({ path, lines }) => (
        <section key={path} aria-label={visibleText(path)}>
          <h4 className="tool-hits-file mono small">
            <span className="cut">{visibleText(path)}</span>
            {lines.length > 0 && (
              <span className="t3 number">{formatQuantity(lines.length, 'line')}</span>
            )}
          </h4>
          {lines.map(({ number, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the hits of a result never move
            <div key={index} className="tool-hit mono">
              <span className="tool-hit-number t3 number">
                {number === undefined ? '' : number}
              </span>
              <code>
                <Marked text={visibleText(text)} folded={folded} />
              </code>
            </div>
          ))}
        </section>
      ))}
      {!isWhole && total > firstHits && (
        <div className="long-text-more">
          <Button isSmall kind="ghost" onClick={() => setWhole(true)}>
            Show all {formatCount(total)} lines
          </Button>
        </div>
      )}
    </div>
  )
}

/** A text with what is looked for marked in it. */
function Marked(props: { readonly text: string; readonly folded: readonly string[] }) {
  const { text, folded } = props
  const ranges = matchRanges(text, folded)
  let at = 0
  return [
    ...ranges.flatMap(([start, end]) => {
      const before = text.slice(at, start)
      at = end
      return [before, <mark key={start}>{text.slice(start, end)}</mark>]
    }),
    text.slice(ranges.at(-1)?.[1] ?? 0),
  ]
}

function Pages(props: { readonly pages: readonly FoundPage[] }) {
  return (
    <ol className="tool-pages">
      {props.pages.map(({ title, address, words }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pages of a result never move
        <li key={index}>
          {title !== '' && <p dir="auto">{visibleText(title)}</p>}
          <p className="mono small t2">{visibleText(address)}</p>
          {words !== undefined && words !== '' && (
            <LongText text={words} firstLines={3} label="Excerpt" className="small" />
          )}
        </li>
      ))}
    </ol>
  )
}
