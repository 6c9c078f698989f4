import { isoMs } from '../../shared/model/basics/time'
import type {
  ComparedSideView,
  ComparisonOverview,
} from '../../shared/model/comparison/comparison-view'
import { formatCount, formatDuration, formatQuantity, shortTime } from '../ui/format/format'

/** Says how much of a comparison differs, in a few words. */
export function differenceText({ runs, words }: ComparisonOverview): string {
  const all = runs.reduce((sum, { rows }) => sum + rows, 0)
  const equal = runs.reduce((sum, { kind, rows }) => sum + (kind === 'same' ? rows : 0), 0)
  if (all === equal) return 'Nothing differs'
  return `${formatCount(all - equal)} of ${formatQuantity(all, 'entry differs', 'entries differ')}, ${formatQuantity(words, 'word')}`
}

/** Says where two sides part. */
export function forkText({ forked, forkWords, left, right }: ComparisonOverview): string {
  if (!forked) return 'They share no beginning: everything is compared'
  const shared = formatQuantity(
    Math.max(left.shared, right.shared),
    'shared entry',
    'shared entries',
  )
  return forkWords === ''
    ? `From their fork, after ${shared}`
    : `From their fork after “${forkWords}”, ${shared}`
}

/** Sums up one side: its entries, and when it ends. */
export function sideText({ entries, last }: ComparedSideView): string {
  const lastMs = isoMs(last)
  const count = formatQuantity(entries, 'entry', 'entries')
  return lastMs === undefined ? count : `${count}, ${shortTime(lastMs)}`
}

/** Row of the table of numbers. */
export interface ShownNumber {
  readonly label: string
  readonly left: string
  readonly right: string
  readonly isPart: boolean
}

/** Lists the numbers of both sides after their fork. */
export function shownNumbers({ left, right }: ComparisonOverview): readonly ShownNumber[] {
  const row = (
    label: string,
    of: (side: ComparedSideView) => string,
    isPart = false,
  ): ShownNumber => ({ label, left: of(left), right: of(right), isPart })
  const parts = (of: (side: ComparedSideView) => Readonly<Record<string, number>>) =>
    [...new Set([...Object.keys(of(left)), ...Object.keys(of(right))])].map((name) =>
      row(
        name,
        (side) => formatCount(Object.hasOwn(of(side), name) ? (of(side)[name] ?? 0) : 0),
        true,
      ),
    )
  const sum = (counts: Readonly<Record<string, number>>) =>
    formatCount(Object.values(counts).reduce((all, one) => all + one, 0))
  return [
    row('Entries', ({ entries }) => formatCount(entries)),
    ...parts(({ models }) => models),
    row('Tokens', ({ tokens }) => formatCount(tokens.total)),
    row('sent', ({ tokens }) => formatCount(tokens.sent), true),
    row('answered', ({ tokens }) => formatCount(tokens.answered), true),
    row('Cost', ({ cost }) => (cost === null ? 'Unknown' : formatCost(cost))),
    row('Time', ({ seconds }) => (seconds === null ? 'Unknown' : formatDuration(seconds * 1000))),
    row('Tool calls', ({ called }) => sum(called)),
    ...parts(({ called }) => called),
    row('Failed tool calls', ({ failed }) => sum(failed)),
    ...parts(({ failed }) => failed),
    row('Changed files', ({ files }) => formatCount(files.length)),
    ...parts(({ files }) => Object.fromEntries(files.map(({ path, calls }) => [path, calls]))),
  ]
}

const costFormat = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 6 })

function formatCost(cost: number): string {
  return costFormat.format(cost)
}
