import { countWithNoun } from '../../../shared/model/basics/plural'
import type { EntryChange } from '../../../shared/model/comparison/compare-entries'
import type { ComparedSide, ComparedSides } from '../../../shared/model/comparison/compare-sides'
import type { CountByName } from '../../../shared/model/statistics/counts'
import { formatUtcMinute } from '../parts/document-text'

/** Row of the table of numbers: what is counted, and the count of each side. */
export interface NumberRow {
  readonly label: string
  readonly left: string
  readonly right: string
  /** It is a part of the row above. */
  readonly isPart: boolean
}

/** Lists the numbers of both sides after the fork, as documents show them. */
export function numberRows({ left, right, forked }: ComparedSides): readonly NumberRow[] {
  const row = (
    label: string,
    of: (side: ComparedSide) => string | number,
    isPart = false,
  ): NumberRow => ({ label, left: String(of(left)), right: String(of(right)), isPart })
  const parts = (of: (side: ComparedSide) => CountByName): readonly NumberRow[] =>
    [...new Set([...Object.keys(of(left)), ...Object.keys(of(right))])].map((name) =>
      row(name, (side) => (Object.hasOwn(of(side), name) ? (of(side)[name] ?? 0) : 0), true),
    )
  return [
    ...(forked ? [row('Shared entries', ({ shared }) => shared)] : []),
    row('Entries', ({ entries }) => entries.total),
    ...parts(({ entries }) => entries.byModel),
    row('Tokens', ({ tokens }) => tokens.total),
    row('sent', ({ tokens }) => tokens.input, true),
    row('answered', ({ tokens }) => tokens.output, true),
    row('Cost', ({ cost }) => cost ?? 'unknown'),
    row('From', ({ time }) => (time.first === null ? 'unknown' : formatUtcMinute(time.first))),
    row('To', ({ time }) => (time.last === null ? 'unknown' : formatUtcMinute(time.last))),
    row('Tool calls', ({ tools }) => sum(tools.called)),
    ...parts(({ tools }) => tools.called),
    row('Failed tool calls', ({ tools }) => sum(tools.failed)),
    ...parts(({ tools }) => tools.failed),
    row('Changed files', ({ files }) => files.length),
    ...parts(({ files }) => Object.fromEntries(files.map(({ path, calls }) => [path, calls]))),
  ]
}

/**
 * Says where the sides part, in a sentence.
 *
 * @param quote writes the words at the fork as the document needs them
 */
export function forkSentence(
  { forked, forkWords, left, right }: ComparedSides,
  quote: (words: string) => string,
): string {
  if (!forked) return 'They share no beginning: all entries are compared.'
  const shared = Math.max(left.shared, right.shared)
  const where = forkWords === '' ? '' : `, up to “${quote(forkWords)}”`
  return `Compared from their fork: they share ${countWithNoun(shared, 'entry', 'entries')}${where}.`
}

/** Says how much differs, in a sentence. */
export function summaryOf({ changes, aligned }: ComparedSides): string {
  const of = (type: EntryChange['type']) =>
    changes.reduce(
      (all, one) => all + (one.type !== type ? 0 : one.type === 'same' ? one.before.length : 1),
      0,
    )
  const counts = [
    ...(of('same') === 0 ? [] : [countWithNoun(of('same'), 'equal entry', 'equal entries')]),
    ...(of('changed') === 0 ? [] : [`${of('changed').toLocaleString('en')} changed`]),
    ...(of('removed') === 0 ? [] : [`${of('removed').toLocaleString('en')} only in A`]),
    ...(of('added') === 0 ? [] : [`${of('added').toLocaleString('en')} only in B`]),
  ]
  const found = counts.length === 0 ? 'Nothing differs.' : `${counts.join(', ')}.`
  return aligned ? found : `${found} They differ too much to look for equal entries.`
}

function sum(counts: CountByName): number {
  return Object.values(counts).reduce((all, one) => all + one, 0)
}
