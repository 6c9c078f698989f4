import { countWithNoun } from '../../shared/model/basics/plural'
import type { SearchHit, SearchOrder, SearchResult } from '../../shared/model/search'
import type { CommandContext } from '../command/command'
import { localMinute } from '../terminal/local-time'
import { jsonOutput, terminalText } from '../terminal/output'
import { oneLine, shownName } from '../terminal/shown-name'
import type { ContextLine } from './hit-text'

/** A hit with what is printed around it. */
export interface PrintedHit {
  readonly hit: SearchHit
  /** Of its conversation. */
  readonly title: string
  /** Lines around it, where they were asked for. */
  readonly context: readonly ContextLine[] | undefined
}

/** Prints what a search found: for scripts, or a line a hit with the numbers on standard error. */
export async function printHits(
  { args, output }: Pick<CommandContext, 'args' | 'output'>,
  result: SearchResult,
  found: readonly PrintedHit[],
  order: SearchOrder = 'newest',
): Promise<void> {
  const { notices, ...rest } = result
  const groups = args.flags.group === true ? groupsOf(found) : undefined
  if (args.json) {
    const hits = found.map(({ hit, context }) =>
      context === undefined ? hit : { ...hit, context },
    )
    const told = groups?.map(({ source, key, title, hits }) => ({
      source,
      key,
      title,
      hits: hits.length,
    }))
    return output.write(jsonOutput({ ...rest, hits, ...(told ? { groups: told } : {}), notices }))
  }
  if (groups === undefined)
    for (const one of found) await output.write(`${line(one, output.isTerminal, nameOf(one))}\n`)
  for (const group of groups ?? []) {
    await output.write(`${shownLine(nameOf(group))}: ${countWithNoun(group.hits.length, 'hit')}\n`)
    for (const one of group.hits) await output.write(`  ${line(one, output.isTerminal)}\n`)
  }
  sayOutcome(output, result, `the ${order} ${result.hits.length} shown`, result.hits.length, order)
}

/** Says on standard error what a search says of itself: what it could not read, hints, its numbers. @param shown how many of them were printed, in words and as a number */
export function sayOutcome(
  output: CommandContext['output'],
  result: SearchResult,
  shown: string,
  printed: number,
  order: SearchOrder = 'newest',
): void {
  for (const words of [...result.notices, ...(result.hints ?? [])]) output.say(terminalText(words))
  output.say(numbers(result, shown, printed, order))
}

interface Group {
  readonly source: string
  readonly key: string
  readonly title: string
  readonly hits: PrintedHit[]
}

/** Hits by conversation, in the order of each one's first. */
function groupsOf(found: readonly PrintedHit[]): readonly Group[] {
  const groups = new Map<string, Group>()
  for (const one of found) {
    const { source, key } = one.hit
    const group = groups.get(`${source}:${key}`) ?? { source, key, title: one.title, hits: [] }
    groups.set(`${source}:${key}`, group)
    group.hits.push(one)
  }
  return [...groups.values()]
}

function nameOf(
  of: PrintedHit | { readonly source: string; readonly key: string; readonly title: string },
): string {
  return shownName('hit' in of ? { ...of.hit, title: of.title } : of)
}

function line({ hit, context }: PrintedHit, isTerminal: boolean, name?: string): string {
  const time = localMinute(hit.timestamp) ?? '-'
  const line = hit.field === 'damaged' ? 'damaged line' : 'line'
  const where = hit.line === null ? 'title' : `${line} ${hit.line}`
  const parts = [
    time.padEnd(16),
    ...(name === undefined ? [] : [shownLine(name)]),
    where,
    marked(hit, isTerminal),
  ]
  return [parts.join('  '), ...(context ?? []).map(contextLine)].join('\n')
}

function contextLine({ line, text, match }: ContextLine): string {
  return `  ${match ? '>' : ' '} ${String(line).padStart(5)}  ${terminalText(text)}`
}

/** The snippet with what was found marked: as bold text where a person looks at it. */
function marked({ snippet, ranges }: SearchHit, isTerminal: boolean): string {
  const [before, after] = isTerminal ? ['\u001b[1m', '\u001b[22m'] : ['', '']
  let text = ''
  let at = 0
  for (const [start, end] of ranges) {
    text +=
      shownLine(snippet.slice(at, start)) + before + shownLine(snippet.slice(start, end)) + after
    at = end
  }
  return text + shownLine(snippet.slice(at))
}

function shownLine(text: string): string {
  return terminalText(oneLine(text))
}

function numbers(result: SearchResult, words: string, printed: number, order: SearchOrder): string {
  const { total, segments, complete, planned, notices } = result
  const all = countWithNoun(total, 'hit')
  const shown = printed < total ? `${all}, ${words}` : all
  const how = planned ? '' : '; nothing to plan by, so all was read'
  const whole = notices.length === 0 ? 'complete' : 'complete but for what could not be read'
  const compared = order === 'best' ? '; the best of those that were found' : ''
  const end = complete ? whole : `not all was read${compared} (--count reads on)`
  return `${shown}; ${countWithNoun(segments.total, 'segment')}, ${segments.read} read, ${segments.skipped} skipped${how}; ${end}.`
}
