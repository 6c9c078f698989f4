import { countWithNoun } from '../../../shared/model/basics/plural'
import type { EntryChange } from '../../../shared/model/comparison/compare-entries'
import type { ComparedSide, ComparedSides } from '../../../shared/model/comparison/compare-sides'
import type { DiffPiece } from '../../../shared/model/comparison/text-diff'
import type { Entry } from '../../../shared/model/conversation/entry'
import { markdownBlocks } from '../documents/markdown'
import { escapeMarkdown, fencedBlock } from '../documents/markdown-text'
import { documentLine, documentText, documentTime } from '../parts/document-text'
import { exportedTurn } from '../parts/exported-turn'
import { forkSentence, numberRows, summaryOf } from './facts'

/**
 * Writes a comparison as Markdown, in pieces: both sides, their numbers, then every change in order. Words of a changed
 * entry stand in a code block between the signs of `wdiff`, which nothing in a text can close.
 *
 * @param unread parts that could not be read and are not compared, a sentence each
 */
export function* comparisonMarkdown(
  compared: ComparedSides,
  unread: readonly string[],
): Generator<string> {
  const { left, right, changes } = compared
  yield `# ${words(left.title)} and ${words(right.title)}\n\n${forkSentence(compared, words)}\n\n`
  yield `${table(compared)}\n`
  for (const sentence of unread) yield `\n*${words(sentence)}*\n`
  yield `\n## Differences\n\n${words(summaryOf(compared))}`
  if (changes.some(({ type }) => type === 'changed'))
    yield ' Words of A alone stand between \\[- and -\\], those of B alone between {+ and +}.'
  yield '\n'
  for (const change of changes) yield `\n${section(change)}`
}

function table(compared: ComparedSides): string {
  const { left, right } = compared
  const name = (side: ComparedSide) => words(`${side.source}, ${side.key}`)
  const rows = numberRows(compared).map(
    ({ label, left: a, right: b, isPart }) =>
      `| ${isPart ? '· ' : ''}${words(label)} | ${words(a)} | ${words(b)} |`,
  )
  return [
    `| | A: ${words(left.title)} | B: ${words(right.title)} |`,
    '|---|---|---|',
    `| Conversation | ${name(left)} | ${name(right)} |`,
    ...rows,
  ].join('\n')
}

function section(change: EntryChange): string {
  switch (change.type) {
    case 'same':
      return `*${countWithNoun(change.before.length, 'equal entry', 'equal entries')}*\n`
    case 'changed': {
      const { before, after } = change
      const times = [before, after].flatMap(({ timestamp }) => {
        const time = documentTime(timestamp)
        return time === undefined ? [] : [time.shown]
      })
      const when = times.length === 0 ? '' : `, ${[...new Set(times)].join(' and ')}`
      const marked = fencedBlock(markedText(change.change.pieces))
      return `### Changed: ${nameOf(after)}${when}\n\n${noteOf(change)}${marked}\n`
    }
    case 'removed':
      return alone('Only in A', change.entry)
    case 'added':
      return alone('Only in B', change.entry)
  }
}

function noteOf({ change }: Extract<EntryChange, { readonly type: 'changed' }>): string {
  if (change.by === 'words') return ''
  return change.by === 'lines'
    ? '*Long text: compared by line.*\n\n'
    : '*Too different to compare by word: shown as replaced.*\n\n'
}

function alone(label: string, entry: Entry): string {
  const turn = exportedTurn({ type: 'entry', entry })
  const time = documentTime(turn.timestamp)
  const when = time === undefined ? '' : `, ${time.shown}`
  const heading = `### ${label}: ${nameOf(entry)}${when}`
  return [heading, ...markdownBlocks(turn)].map((block) => `${block}\n`).join('\n')
}

function nameOf(entry: Entry): string {
  const turn = exportedTurn({ type: 'entry', entry })
  if (turn.type === 'call') return `call of ${words(turn.name)}`
  return turn.type === 'result' ? `result of ${words(turn.name)}` : words(turn.name)
}

function markedText(pieces: readonly DiffPiece[]): string {
  return pieces
    .map(({ type, text }) => {
      const shown = documentText(text)
      return type === 'same' ? shown : type === 'removed' ? `[-${shown}-]` : `{+${shown}+}`
    })
    .join('')
}

function words(line: string): string {
  return escapeMarkdown(documentLine(line))
}
