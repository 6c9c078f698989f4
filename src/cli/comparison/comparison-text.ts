import { entryHeading } from '../../main/exporters/documents/text'
import type { EntryChange } from '../../shared/model/comparison/compare-entries'
import type { Entry } from '../../shared/model/conversation/entry'
import type { CountByName } from '../../shared/model/statistics/counts'
import { localSecond } from '../terminal/local-time'
import { terminalText } from '../terminal/output'
import { shownName } from '../terminal/shown-name'
import { type ComparedSide, type ConversationComparison, wholePiece } from './comparison'
import { type MarkStyle, markedText } from './marked-text'

/** Prints both sides by name, where they part, and their numbers side by side. */
export function comparisonHead(comparison: ConversationComparison): string {
  const { left, right, forked, aligned } = comparison
  return terminalText(
    [
      `Left:  ${nameOf(left)}`,
      `Right: ${nameOf(right)}`,
      forked ? sharedLine(left, right) : 'They share no beginning: all entries are compared.',
      ...(aligned ? [] : ['They differ too much to look for equal entries.']),
      '',
      numbers(left, right),
      '',
    ].join('\n'),
  )
}

/** Prints one change with its words marked; equal entries are counted. */
export function changeText(change: EntryChange, style: MarkStyle): string {
  switch (change.type) {
    case 'same': {
      const { length } = change.before
      return `= ${length} equal ${length === 1 ? 'entry' : 'entries'}\n`
    }
    case 'changed': {
      const head = heading('±', change.after)
      return `${head}${byWords[change.change.by]}\n${markedText(change.change.pieces, style)}\n`
    }
    default: {
      const head = heading(change.type === 'removed' ? '-' : '+', change.entry)
      const piece = wholePiece(change)
      return piece.text === '' ? `${head}\n` : `${head}\n${markedText([piece], style)}\n`
    }
  }
}

const byWords = {
  words: '',
  lines: '  (long: compared by line)',
  whole: '  (too different to compare by word)',
} as const

function heading(sign: string, entry: Entry): string {
  const time = localSecond(entry.timestamp)
  const name = entryHeading(entry).replace(/\s+/g, ' ')
  return terminalText(`${sign} ${name}${time === undefined ? '' : `  ${time}`}`)
}

function nameOf(side: ComparedSide): string {
  return `${shownName(side)}${side.entry === null ? ', without an entry' : `, to entry ${side.entry}`}`
}

function sharedLine(left: ComparedSide, right: ComparedSide): string {
  const count = (number: number) => `${number} ${number === 1 ? 'entry' : 'entries'}`
  const where =
    left.fork === right.fork ? `up to ${left.fork}` : `up to ${left.fork} and ${right.fork}`
  return left.shared === right.shared
    ? `Shared: ${count(left.shared)}, ${where}`
    : `Shared: ${count(left.shared)} of the left one, ${count(right.shared)} of the right one, ${where}`
}

type Row = readonly [label: string, left: string, right: string]

/** The numbers after the fork as a table of two columns. */
function numbers(left: ComparedSide, right: ComparedSide): string {
  const row = (label: string, of: (side: ComparedSide) => string | number): Row => [
    label,
    String(of(left)),
    String(of(right)),
  ]
  const counts = (of: (side: ComparedSide) => CountByName): readonly Row[] =>
    [...new Set([...Object.keys(of(left)), ...Object.keys(of(right))])].map((name) =>
      row(`  ${name.replace(/\s+/g, ' ')}`, (side) => of(side)[name] ?? 0),
    )
  const rows: readonly Row[] = [
    ['After the fork', 'Left', 'Right'],
    row('Entries', ({ entries }) => entries.total),
    ...counts(({ entries }) => entries.byType),
    row('Tokens', ({ tokens }) => tokens.total),
    row('  sent', ({ tokens }) => tokens.input),
    row('  answered', ({ tokens }) => tokens.output),
    row('Cost', ({ cost }) => cost ?? '-'),
    row('Seconds from first to last', ({ time }) => time.seconds ?? '-'),
    row('Tool calls', ({ tools }) => sum(tools.called)),
    ...counts(({ tools }) => tools.called),
    row('Failed', ({ tools }) => sum(tools.failed)),
    ...counts(({ tools }) => tools.failed),
    row('Files changed', ({ files }) => files.length),
    ...counts(({ files }) => Object.fromEntries(files.map(({ path, calls }) => [path, calls]))),
  ]
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((one) => one[at]?.length ?? 0)))
  return rows
    .map(([label, ...both]) =>
      [
        label.padEnd(widths[0] ?? 0),
        ...both.map((value, at) => value.padStart(widths[at + 1] ?? 0)),
      ].join('  '),
    )
    .join('\n')
}

function sum(counts: CountByName): number {
  return Object.values(counts).reduce((all, one) => all + one, 0)
}
