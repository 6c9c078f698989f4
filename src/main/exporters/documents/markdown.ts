import { documentLine, documentText, documentTime, formatUtcMinute } from '../parts/document-text'
import { lostInDocument } from '../parts/entry-losses'
import { type ExportedTurn, exportedTurn } from '../parts/exported-turn'
import type { Exportable, Exporter } from '../parts/exporter'
import { type ExportedRow, exportedRows } from '../parts/rows'
import { safeMarkdown } from './markdown-safe'
import { blockQuote, escapeMarkdown, fencedBlock } from './markdown-text'

/**
 * Markdown (CommonMark with GitHub's tables): a heading for every turn, tool calls and results as code blocks,
 * reasoning as a quotation. Holds no HTML; what content has of it is text (see `safeMarkdown`).
 */
export const markdownExporter: Exporter = {
  id: 'md',
  extension: 'md',
  mediaType: 'text/markdown',
  branches: 'active',
  hasBranches: true,
  hasProject: true,
  hasTags: true,
  hasLabels: true,
  hasOutputs: true,
  hasImages: true,
  lostOf: lostInDocument,
  async *write(conversation, options, signal) {
    yield `# ${words(options.title ?? conversation.title)}\n\n${facts(conversation)}`
    for await (const row of exportedRows(conversation, options, signal)) yield `\n${section(row)}`
  },
}

function section(row: ExportedRow): string {
  if (row.type === 'fork') return `---\n\n*Another branch, after “${words(row.from)}”*\n`
  if (row.type === 'branch')
    return `---\n\n# ${words(row.conversation.title)}\n\n${facts(row.conversation)}`
  const turn = exportedTurn(row)
  return [heading(turn), ...markdownBlocks(turn)].map((block) => `${block}\n`).join('\n')
}

function heading(turn: ExportedTurn): string {
  const time = documentTime(turn.timestamp)
  const when = time === undefined ? '' : `, ${time.shown}`
  switch (turn.type) {
    case 'user':
    case 'agent':
    case 'system':
      return `## ${words(turn.name)}${when}`
    case 'call':
      return `### Call of ${words(turn.name)}${when}`
    case 'result':
      return `### Result of ${words(turn.name)}${when}`
    case 'seam':
      return `---\n\n*${words(turn.name)}${when}*`
    case 'reasoning':
    case 'error':
    case 'other':
    case 'damaged':
      return `### ${words(turn.name)}${when}`
  }
}

/** Writes what stands below the heading of a turn, as blocks; each is Markdown of its own. */
export function markdownBlocks(turn: ExportedTurn): readonly string[] {
  const blocks: string[] = []
  if (turn.label !== undefined) blocks.push(`*Label: ${words(turn.label.word)}*`)
  if (turn.reasoning !== undefined) blocks.push('*Reasoning*', quotation(turn.reasoning))
  if (turn.type === 'damaged') blocks.push(...notes(turn))
  if (documentText(turn.text).trim() === '') {
    if (turn.type !== 'seam') blocks.push('*No text*')
  } else blocks.push(text(turn))
  for (const { name, url } of turn.images) blocks.push(`![${words(name)}](${url})`)
  if (turn.attached !== undefined)
    blocks.push('*Attached*', fencedBlock(documentText(turn.attached), 'json'))
  if (turn.sources.length > 0) blocks.push('*Sources*', sources(turn))
  if (turn.type !== 'damaged') blocks.push(...notes(turn))
  return blocks
}

/** Numbered by hand: a list counts by itself, and would hide a gap. */
function sources(turn: ExportedTurn): string {
  const lines = turn.sources.map(({ number, url, title }) => {
    const name = title === undefined ? '' : `${words(title)}: `
    return `\\[${number}\\] ${name}<${documentText(url).replace(/[<>]/g, encodeURIComponent)}>`
  })
  return lines.join('\\\n')
}

function text(turn: ExportedTurn): string {
  const shown = documentText(turn.text)
  switch (turn.type) {
    case 'user':
    case 'agent':
      return safeMarkdown(shown)
    case 'reasoning':
    case 'seam':
      return quotation(turn.text)
    case 'call':
      return fencedBlock(shown, 'json')
    case 'system':
    case 'result':
    case 'error':
    case 'other':
    case 'damaged':
      return fencedBlock(shown)
  }
}

function quotation(text: string): string {
  return blockQuote(safeMarkdown(documentText(text)))
}

function notes(turn: ExportedTurn): readonly string[] {
  return turn.notes.map((note) => `*${words(note)}*`)
}

/** Where it comes from, in one line. */
function facts(conversation: Exportable): string {
  const { source, key, project, tags = [], models, parent } = conversation
  const [first, last] = [conversation.created, conversation.updated]
  const times = [first, last].flatMap((time) => (time === null ? [] : [formatUtcMinute(time)]))
  const all = [
    `${source}, ${key}`,
    ...(project === null ? [] : [project]),
    ...(tags.length === 0 ? [] : [`tags: ${tags.join(', ')}`]),
    ...(times.length === 0 ? [] : [[...new Set(times)].join(' to ')]),
    ...models,
    ...(parent === null
      ? []
      : [`goes on from ${parent.key}, which has its first ${parent.entries} entries`]),
  ]
  return `${all.map(words).join(' · ')}\n`
}

function words(line: string): string {
  return escapeMarkdown(documentLine(line))
}
