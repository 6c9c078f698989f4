import { countWithNoun } from '../../../shared/model/basics/plural'
import type { EntryChange } from '../../../shared/model/comparison/compare-entries'
import type { ComparedSide, ComparedSides } from '../../../shared/model/comparison/compare-sides'
import type { DiffPiece } from '../../../shared/model/comparison/text-diff'
import type { Entry } from '../../../shared/model/conversation/entry'
import { htmlTurn } from '../documents/html'
import { htmlPageHead } from '../documents/html-page'
import { pageStyle } from '../documents/html-style'
import { htmlName, htmlText } from '../documents/html-text'
import { documentLine, documentTime } from '../parts/document-text'
import { exportedTurn } from '../parts/exported-turn'
import { forkSentence, numberRows, summaryOf } from './facts'

/** Adds to the style of an exported page: two columns, one below the other where there is no room, and marked words. */
const style = `${pageStyle}
body{max-width:80rem}
:root{--del:oklch(.945 .035 25);--ins:oklch(.945 .05 155)}
@media (prefers-color-scheme:dark){:root{--del:oklch(.36 .08 22);--ins:oklch(.37 .07 158)}}
.pair{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 1.5rem;border-top:1px solid var(--line);padding:.75rem 0}
.pair>.b{grid-column:2}
.pair .turn{padding:0}.pair .turn::before,.pair .turn>header::before{display:none}
.side{color:var(--text-3);font-size:.75rem}
ins,del{border-radius:2px}
ins{background:var(--ins);text-decoration:underline;text-decoration-thickness:1px;text-underline-offset:2px}
del{background:var(--del);text-decoration:line-through;text-decoration-thickness:1px}
.equal{border-top:1px solid var(--line);padding:.5rem 0;margin:0;color:var(--text-3);font-size:.75rem}
.numbers{width:100%;margin:0 0 1.5rem;font-variant-numeric:tabular-nums}
.numbers th{font-weight:500;overflow-wrap:anywhere}.numbers td{overflow-wrap:anywhere}.numbers .part{padding-left:1.5rem;font-weight:400}
@media (max-width:50rem){.pair{grid-template-columns:minmax(0,1fr)}.pair>.b{grid-column:1}}
`

/**
 * Writes a comparison as one page that needs nothing else, in pieces: both sides, their numbers, then every change in
 * order, side by side, with the words marked that one side alone has. A policy forbids scripts and loading.
 *
 * @param unread parts that could not be read and are not compared, a sentence each
 */
export function* comparisonHtml(
  compared: ComparedSides,
  unread: readonly string[],
): Generator<string> {
  yield head(compared, unread)
  for (const change of compared.changes) yield section(change)
  yield '</main>\n<footer>Written by Skein.</footer>\n</body>\n</html>\n'
}

function head(compared: ComparedSides, unread: readonly string[]): string {
  const { left, right } = compared
  const title = `${documentLine(left.title)} and ${documentLine(right.title)}`
  const notes = unread.map((sentence) => `<p class="mark">${htmlName(sentence)}</p>`).join('')
  return `${htmlPageHead(title, style)}<h1>${htmlName(left.title)} and ${htmlName(right.title)}</h1>
<p>${forkSentence(compared, htmlName)}</p>
${table(compared)}
${notes}<h2>Differences</h2>
<p>${htmlName(summaryOf(compared))}</p>
`
}

function table(compared: ComparedSides): string {
  const { left, right } = compared
  const name = (side: ComparedSide) => htmlName(`${side.source}, ${side.key}`)
  const rows = numberRows(compared).map(
    (row) =>
      `<tr><th scope="row"${row.isPart ? ' class="part"' : ''}>${htmlName(row.label)}</th><td>${htmlName(row.left)}</td><td>${htmlName(row.right)}</td></tr>\n`,
  )
  return `<table class="numbers">
<thead><tr><td></td><th scope="col">A: ${htmlName(left.title)}</th><th scope="col">B: ${htmlName(right.title)}</th></tr></thead>
<tbody><tr><th scope="row">Conversation</th><td>${name(left)}</td><td>${name(right)}</td></tr>
${rows.join('')}</tbody>
</table>`
}

function section(change: EntryChange): string {
  switch (change.type) {
    case 'same':
      return `<p class="equal">${countWithNoun(change.before.length, 'equal entry', 'equal entries')}</p>\n`
    case 'changed': {
      const { before, after } = change
      const { pieces, by } = change.change
      const note = by === 'words' ? '' : `<p class="meta">${byWords[by]}</p>`
      const left = `<div class="a">${header('A', before)}${note}${marked(pieces, 'removed')}</div>`
      const right = `<div class="b">${header('B', after)}${note}${marked(pieces, 'added')}</div>`
      return `<section class="pair">\n${left}\n${right}\n</section>\n`
    }
    case 'removed':
      return alone('a', 'Only in A', change.entry)
    case 'added':
      return alone('b', 'Only in B', change.entry)
  }
}

const byWords = {
  lines: 'Long text: compared by line.',
  whole: 'Too different to compare by word: shown as replaced.',
} as const

function alone(side: 'a' | 'b', label: string, entry: Entry): string {
  const turn = htmlTurn(exportedTurn({ type: 'entry', entry }))
  return `<section class="pair"><div class="${side}"><p class="side">${label}</p>${turn}</div></section>\n`
}

function header(side: string, entry: Entry): string {
  const turn = exportedTurn({ type: 'entry', entry })
  const kind = turn.type === 'call' ? 'Call of ' : turn.type === 'result' ? 'Result of ' : ''
  const at = documentTime(turn.timestamp)
  const time = at === undefined ? '' : ` <time datetime="${at.iso}">${at.shown}</time>`
  return `<header><h2>${kind}${htmlName(turn.name)}</h2>${time} <span class="side">${side}, changed</span></header>`
}

/** The text of one side: what both have, and what this one alone has, marked. */
function marked(pieces: readonly DiffPiece[], own: 'removed' | 'added'): string {
  const tag = own === 'removed' ? 'del' : 'ins'
  const text = pieces.map((piece) => {
    if (piece.type === 'same') return htmlText(piece.text)
    return piece.type === own ? `<${tag}>${htmlText(piece.text)}</${tag}>` : ''
  })
  return `<div class="words" dir="auto">${text.join('')}</div>`
}
