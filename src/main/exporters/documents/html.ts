import { firstWords } from '../../../shared/model/basics/first-words'
import { countWithNoun } from '../../../shared/model/basics/plural'
import { documentLine, documentText, documentTime, formatUtcMinute } from '../parts/document-text'
import { lostInDocument } from '../parts/entry-losses'
import { type ExportedTurn, exportedTurn } from '../parts/exported-turn'
import type { Exportable, Exporter, ExportOptions } from '../parts/exporter'
import { type ExportedRow, exportedRows } from '../parts/rows'
import { htmlPageHead } from './html-page'
import { htmlProse } from './html-prose'
import { pageStyle } from './html-style'
import { escapeHtml, htmlName, htmlText } from './html-text'

/**
 * One page that needs nothing else: no script, no font, no image but those in the page itself, and a policy that forbids them. People's words and
 * tools' output stand as they are; answers are shown as Markdown (see `htmlProse`), tools and reasoning are folded.
 */
export const htmlExporter: Exporter = {
  id: 'html',
  extension: 'html',
  mediaType: 'text/html',
  branches: 'active',
  hasBranches: true,
  hasProject: true,
  hasTags: true,
  hasLabels: true,
  hasOutputs: true,
  hasImages: true,
  lostOf: lostInDocument,
  async *write(conversation, options, signal) {
    yield head(conversation, options)
    const count = { entries: 0, damaged: 0, branches: 0 }
    for await (const row of exportedRows(conversation, options, signal)) {
      if (row.type === 'entry') count.entries++
      if (row.type === 'damaged') count.damaged++
      if (row.type === 'branch') count.branches++
      yield section(row, count)
    }
    yield foot(count)
  },
}

interface Count {
  readonly entries: number
  readonly damaged: number
  readonly branches: number
}

function head(conversation: Exportable, options: ExportOptions): string {
  const title = documentLine(options.title ?? conversation.title)
  return `${htmlPageHead(title, pageStyle)}<h1>${htmlName(title)}</h1>
${facts(conversation)}
${branchList(options)}`
}

function facts(conversation: Exportable): string {
  const { source, key, project, tags, created, updated, models, parent } = conversation
  const times = [created, updated].flatMap((time) => (time === null ? [] : [formatUtcMinute(time)]))
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Source', `${source}, ${key}`],
    ['Project', project ?? undefined],
    ['Tags', tags?.join(', ')],
    ['Time', times.length === 0 ? undefined : [...new Set(times)].join(' to ')],
    ['Models', models.length === 0 ? undefined : models.join(', ')],
    [
      'Goes on from',
      parent === null ? undefined : `${parent.key}, after ${parent.entries} entries`,
    ],
  ]
  const shown = rows.map(([name, value]) =>
    value === undefined ? '' : `<dt>${name}</dt><dd>${htmlName(value)}</dd>`,
  )
  return `<dl class="facts">${shown.join('')}</dl>`
}

function branchList({ branches, family = [] }: ExportOptions): string {
  if (branches !== 'all' || family.length === 0) return ''
  const items = family.map(
    ({ title }, i) => `<li><a href="#branch-${i + 1}">${htmlName(title)}</a></li>`,
  )
  return `<nav aria-label="Branches"><b>Further branches</b><ul>${items.join('')}</ul></nav>\n`
}

function section(row: ExportedRow, count: Count): string {
  if (row.type === 'fork')
    return `<p class="seam">Another branch, after “${htmlName(row.from)}”</p>\n`
  if (row.type === 'branch')
    return `<h1 id="branch-${count.branches}">${htmlName(row.conversation.title)}</h1>\n${facts(row.conversation)}\n`
  const turn = exportedTurn(row)
  const id = row.type === 'entry' ? `entry-${count.entries}` : `damaged-${count.damaged}`
  return turn.type === 'seam' ? seam(turn, id) : article(turn, id)
}

function seam(turn: ExportedTurn, id: string): string {
  const summary = turn.text === '' ? '' : fold('Summary', '', htmlProse(turn.text))
  return `<section class="turn tool" id="${id}"><p class="seam">${htmlName(turn.name)} ${time(turn)}${given(turn)}</p>${summary}${notes(turn)}</section>\n`
}

/** Writes a turn without its place on the page: its head, then what it says, folded where it is long. */
export function htmlTurn(turn: ExportedTurn): string {
  return article(turn, '')
}

function article(turn: ExportedTurn, id: string): string {
  const reasoning =
    turn.reasoning === undefined ? '' : fold('Reasoning', turn.reasoning, htmlProse(turn.reasoning))
  const attached = turn.attached === undefined ? '' : fold('Attached', '', pre(turn.attached))
  // Notes on a damaged line come before its bytes; notes on an entry come after its text.
  const isDamaged = turn.type === 'damaged'
  const parts = [
    reasoning,
    isDamaged ? notes(turn) : '',
    body(turn),
    images(turn),
    attached,
    sources(turn),
    isDamaged ? '' : notes(turn),
  ].filter((part) => part !== '')
  const place = id === '' ? '' : ` id="${id}"`
  return `<article class="turn ${shape(turn)}"${place}><header><h2>${htmlName(label(turn))}</h2> ${time(turn)}${given(turn)}</header>
${parts.join('\n')}</article>\n`
}

function images(turn: ExportedTurn): string {
  return turn.images
    .map(
      ({ name, url }) => `<img src="${escapeHtml(url)}" alt="${escapeHtml(documentLine(name))}">`,
    )
    .join('\n')
}

function sources(turn: ExportedTurn): string {
  if (turn.sources.length === 0) return ''
  const items = turn.sources.map(
    ({ number, url, title }) =>
      `<li value="${number}"><a href="${escapeHtml(url)}" rel="noopener noreferrer nofollow">${htmlName(title ?? url)}</a></li>`,
  )
  return `<ol aria-label="Sources">${items.join('')}</ol>`
}

/** Which knot it has on the strand. */
function shape({ type }: ExportedTurn): string {
  switch (type) {
    case 'user':
    case 'agent':
    case 'error':
    case 'damaged':
      return type
    default:
      return 'tool'
  }
}

/** The label that a person gave the entry. */
function given({ label }: ExportedTurn): string {
  if (label === undefined) return ''
  return ` <span class="label ${label.color}">${htmlName(label.word)}</span>`
}

function label(turn: ExportedTurn): string {
  switch (turn.type) {
    case 'call':
      return `Call of ${turn.name}`
    case 'result':
      return `Result of ${turn.name}`
    default:
      return turn.name
  }
}

function body(turn: ExportedTurn): string {
  if (documentText(turn.text).trim() === '') return '<p class="meta">No text</p>'
  switch (turn.type) {
    case 'user':
      return `<div class="bubble words" dir="auto">${htmlText(turn.text)}</div>`
    case 'agent':
      return htmlProse(turn.text)
    case 'reasoning':
      return fold('Reasoning', turn.text, htmlProse(turn.text))
    case 'call':
      return fold('Arguments', turn.text, pre(turn.text))
    case 'result':
      return fold(size(turn.text), turn.text, pre(turn.text))
    case 'system':
    case 'other':
      return fold('Text', turn.text, pre(turn.text))
    case 'seam':
    case 'error':
    case 'damaged':
      return `<div class="words" dir="auto">${htmlText(turn.text)}</div>`
  }
}

function pre(text: string): string {
  // The parser drops a line end right after the tag.
  return `<pre dir="auto">\n${htmlText(text)}</pre>`
}

/** Short things stand open; what would push the conversation away is folded. */
function fold(name: string, preview: string, inner: string): string {
  const isShort = preview.length <= 400 && preview.split('\n', 9).length <= 8
  const words = firstWords(documentLine(preview.slice(0, 1000)), 80)
  const shown = isShort || words === '' ? '' : ` <span class="meta">${escapeHtml(words)}</span>`
  return `<details${isShort && preview !== '' ? ' open' : ''}><summary><b>${escapeHtml(name)}</b>${shown}</summary>${inner}</details>`
}

function size(text: string): string {
  return countWithNoun(text.replace(/\n$/, '').split('\n').length, 'line')
}

function time(turn: ExportedTurn): string {
  const at = documentTime(turn.timestamp)
  return at === undefined ? '' : `<time datetime="${at.iso}">${at.shown}</time>`
}

function notes(turn: ExportedTurn): string {
  return turn.notes.map((note) => `<p class="mark">${htmlName(note)}</p>`).join('')
}

function foot(count: Count): string {
  const entries = countWithNoun(count.entries, 'entry', 'entries')
  const damaged = count.damaged === 0 ? '' : `, ${count.damaged.toLocaleString('en')} damaged`
  return `</main>\n<footer>${entries}${damaged}. Written by Skein.</footer>\n</body>\n</html>\n`
}
