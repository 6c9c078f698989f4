import type { SearchOrder } from '../../shared/model/search'
import { UsageError } from '../command/arguments'
import type { CommandContext } from '../command/command'
import { timeRangeOf } from '../command/times'
import { rolesOf } from '../conversations/entry-filter'
import { rootsOfSource } from '../conversations/find'
import { readAll } from '../conversations/read-all'
import type { FoundInAll } from './exit-code'
import { contextLines, titleOfHit } from './hit-text'
import { searchByPattern } from './regex-search'
import { safePattern } from './safe-pattern'
import { printHits } from './search-text'
import { streamHits } from './stream-hits'

/** Searches all text by one regular expression, and prints the hits. @throws UsageError for what has no effect with it */
export async function printPatternHits(
  context: CommandContext,
  source: string,
  asked: {
    readonly limit: number | undefined
    readonly around: number | undefined
    readonly order: SearchOrder | undefined
  },
): Promise<FoundInAll> {
  const { args } = context
  const { limit = 100, around, order = 'newest' } = asked
  if (order === 'best')
    throw new UsageError('--order best compares words, and --regex has none: newest or oldest.')
  if (args.flags.facets === true)
    throw new UsageError(
      '--facets takes a query, in which a pattern is written /…/, and not --regex.',
    )
  if (args.flags.index === true)
    throw new UsageError('--index has no effect with --regex, which reads all text.')
  const pattern = safePattern(source, args.flags['case-sensitive'] === true)
  const { conversations, unread } = await readAll(context, rootsOfSource(args).roots)
  const { found, result } = await searchByPattern(conversations, pattern, {
    roles: rolesOf(args),
    times: timeRangeOf(context),
    order,
    limit,
    signal: context.signal,
  })
  const shown = (text: string, around: number) => {
    const lines = text.split(/\r\n|\r|\n/)
    const ranges = pattern.find(lines)
    const matching = new Set(lines.filter((_, at) => (ranges[at] ?? []).length > 0))
    return contextLines(text, (line) => matching.has(line), around)
  }
  const told = found.map(({ hit, text }) => ({
    hit,
    title: titleOfHit(conversations, hit),
    context: around === undefined ? undefined : shown(text, around),
  }))
  const outcome = { hits: result.total, isWhole: unread.length === 0 }
  if (args.flags.jsonl === true) {
    const contexts = new Map(told.map(({ hit, context: lines }) => [hit, lines]))
    const hits = streamHits(
      context,
      limit,
      () => undefined,
      async (hit) => contexts.get(hit),
    )
    await hits.found(told.map(({ hit }) => hit))
    await hits.end(result)
    return outcome
  }
  // As words they were reported.
  await printHits(context, args.json ? { ...result, notices: [...unread] } : result, told, order)
  return outcome
}
