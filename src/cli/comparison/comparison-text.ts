import { entryHeading } from '../../main/exporters/documents/text'
import { largestOf } from '../../shared/model/basics/long-lists'
import { countWithNoun } from '../../shared/model/basics/plural'
import type { EntryChange } from '../../shared/model/comparison/compare-entries'
import type { ComparedSide, ComparedSides } from '../../shared/model/comparison/compare-sides'
import type { Entry } from '../../shared/model/conversation/entry'
import type { CountByName } from '../../shared/model/statistics/counts'
import { localSecond } from '../terminal/local-time'
import { terminalText } from '../terminal/output'
import { oneLine, shownName } from '../terminal/shown-name'
import { wholePiece } from './comparison-json'
import { type MarkStyle, markedText } from './marked-text'

/** Prints both sides by name, where they part, and their numbers side by side. */
export function comparisonHead(comparison: ComparedSides): string {
  const { left, right, forked, aligned } = comparison
  return terminalText(
    [
      `Left:  ${nameOf(left)}`,
      `Right: ${nameOf(right)}`,
      forked ? sharedLine(left, right) : 'They share no beginning: all entries are compared.',
      ...(aligned ? [] : ['They differ too much to look for equal entries.']),
      '',
      numbers(comparison),
      '',
    ].join('\n'),
  )
}

/** Prints one change with its words marked; equal entries are counted. */
export function changeText(change: EntryChange, style: MarkStyle): string {
  switch (change.type) {
    case 'same':
      return `= ${countWithNoun(change.before.length, 'equal entry', 'equal entries')}\n`
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
  const name = oneLine(entryHeading(entry))
  return terminalText(`${sign} ${name}${time === undefined ? '' : `  ${time}`}`)
}

function nameOf(side: ComparedSide): string {
  return `${shownName(side)}${side.entry === null ? ', without an entry' : `, to entry ${oneLine(side.entry)}`}`
}

function sharedLine(left: ComparedSide, right: ComparedSide): string {
  // The copies of a branch may begin behind the fork: then it has none of the entries before.
  const ends = [...new Set([left.fork, right.fork])].filter((id) => id !== null)
  const where = `up to ${ends.map(oneLine).join(' and ')}`
  return left.shared === right.shared
    ? `Shared: ${entryCount(left.shared)}, ${where}`
    : `Shared: ${entryCount(left.shared)} of the left one, ${entryCount(right.shared)} of the right one, ${where}`
}

function entryCount(count: number): string {
  return countWithNoun(count, 'entry', 'entries')
}

type Row = readonly [label: string, left: string, right: string]

/** The numbers after the fork, or of all, as a table of two columns. */
function numbers({ left, right, forked }: ComparedSides): string {
  const row = (label: string, of: (side: ComparedSide) => string | number): Row => [
    label,
    String(of(left)),
    String(of(right)),
  ]
  const counts = (of: (side: ComparedSide) => CountByName): readonly Row[] =>
    [...new Set([...Object.keys(of(left)), ...Object.keys(of(right))])].map((name) =>
      row(`  ${oneLine(name)}`, (side) => countOf(of(side), name)),
    )
  const rows: readonly Row[] = [
    [forked ? 'After the fork' : 'In all', 'Left', 'Right'],
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
  const widths = [0, 1, 2].map((at) => largestOf(rows.map((one) => one[at]?.length ?? 0)))
  return rows
    .map(([label, ...both]) =>
      [
        label.padEnd(widths[0] ?? 0),
        ...both.map((value, at) => value.padStart(widths[at + 1] ?? 0)),
      ].join('  '),
    )
    .join('\n')
}

/** Looks a name up among own ones: a tool may be called `constructor`. */
function countOf(counts: CountByName, name: string): number {
  return Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0
}

function sum(counts: CountByName): number {
  return Object.values(counts).reduce((all, one) => all + one, 0)
}
