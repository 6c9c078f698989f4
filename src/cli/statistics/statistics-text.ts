import { largestOf } from '../../shared/model/basics/long-lists'
import { countWithNoun } from '../../shared/model/basics/plural'
import type { CountByName } from '../../shared/model/statistics/counts'
import type { Statistics } from '../../shared/model/statistics/statistics-shape'
import { terminalText } from '../terminal/output'
import { oneLine } from '../terminal/shown-name'

const daysShown = 10
const namesShown = 20

/** Formats statistics for people: totals, a table of the last days, the tools used most. */
export function statisticsText(stats: Statistics): string {
  return terminalText(
    [
      totals(stats),
      shares('By role', stats.entries.byRole, stats.entries.total),
      shares('By source', stats.entries.bySource, stats.entries.total),
      days(stats),
      shares('Tools, by calls', stats.entries.byTool, sum(stats.entries.byTool)),
      text(stats),
      shares('Models', stats.entries.byModel, sum(stats.entries.byModel)),
      tokens(stats),
      speech(stats),
    ]
      .filter((part) => part !== '')
      .join('\n'),
  )
}

function totals({ conversations, families, entries, averages, longest }: Statistics): string {
  const lines = [
    `${countWithNoun(conversations, 'conversation')} in ${countWithNoun(families, 'family', 'families')}, ${countWithNoun(entries.total, 'entry', 'entries')}; what several share counts once`,
    `${averages.entries} entries a conversation on average`,
  ]
  if (longest !== null)
    lines.push(
      `the longest, with what it shares: ${oneLine(longest.title)} (${longest.source}:${longest.key}), ${longest.entries} entries`,
    )
  return `${lines.join('\n')}\n`
}

/** Names, the most frequent first, with their part of all in percent. */
function shares(heading: string, counts: CountByName, total: number): string {
  const rows = Object.entries(counts).slice(0, namesShown)
  if (rows.length === 0) return ''
  const width = largestOf(rows.map(([name]) => oneLine(name).length))
  const lines = rows.map(
    ([name, count]) =>
      `  ${oneLine(name).padEnd(width)}  ${String(count).padStart(7)}  ${((count / total) * 100).toFixed(1).padStart(5)} %`,
  )
  const others = Object.keys(counts).length - rows.length
  const more = others > 0 ? [`  and ${others} more`] : []
  return `${[heading, ...lines, ...more].join('\n')}\n`
}

function days({ days }: Statistics): string {
  if (days.length === 0) return ''
  const columns = ['conversations', 'entries', 'user', 'agent', 'tool'] as const
  const head = `  ${'Day'.padEnd(10)}  ${columns.join('  ')}`
  const lines = days
    .slice(0, daysShown)
    .map(
      (day) =>
        `  ${day.day}  ${columns.map((name) => String(day[name]).padStart(name.length)).join('  ')}`,
    )
  const more = days.length > daysShown ? [`  and ${days.length - daysShown} days before`] : []
  return `${['Last days', head, ...lines, ...more].join('\n')}\n`
}

/** Prints bytes of text by who it is of, and the share of what tools answered. */
function text({ bytes }: Statistics): string {
  if (bytes.total === 0) return ''
  const { total, byRole, toolOutput, outputByTool } = bytes
  const share = ((toolOutput / total) * 100).toFixed(1)
  return [
    shares('Text, in bytes', byRole, total),
    `  ${toolOutput} bytes of it are output of tools, ${share} %\n`,
    shares('Output of tools, in bytes', outputByTool, toolOutput),
  ].join('')
}

function tokens({ tokens, cost }: Statistics): string {
  if (tokens.total === 0) return ''
  const { input, cached, output, reasoning, total } = tokens
  const price = cost === null ? '' : `; cost as the provider told it: ${cost}`
  return `Tokens\n  ${total}: ${input} sent (${cached} of them cached), ${output} answered (${reasoning} of them reasoning)${price}\n`
}

function speech({ speech }: Statistics): string {
  if (speech === null) return ''
  const { exchanges, heard, spoken, words, timing, turnaround, silenceDetection, errors } = speech
  const times = Object.entries({
    ...timing,
    ...(turnaround === null ? {} : { turnaround }),
  }).map(
    ([name, { count, average, min, max }]) =>
      `  ${name}: ${average} s on average, ${min} to ${max} s, of ${count}`,
  )
  const { on, off } = silenceDetection
  return [
    `Speech\n  ${countWithNoun(exchanges, 'exchange')}: ${heard} heard (${countWithNoun(words.heard, 'word')}), ${spoken} spoken (${countWithNoun(words.spoken, 'word')}), ${countWithNoun(errors, 'error')}`,
    ...times,
    ...(on + off > 0 ? [`  silence detection on ${on}, off ${off}`] : []),
    shares('Providers', speech.byProvider, exchanges),
    shares('Transports', speech.byTransport, exchanges),
    shares('Voices', speech.byVoice, spoken),
  ].join('\n')
}

function sum(counts: CountByName): number {
  return Object.values(counts).reduce((all, one) => all + one, 0)
}
