import { anySignal } from '../../main/async/any-signal'
import { countFacets } from '../../main/search/count-facets'
import { explainNothing } from '../../main/search/explain-nothing'
import type { Search } from '../../main/search/search'
import { fold } from '../../shared/model/basics/fold'
import { isoTime } from '../../shared/model/basics/time'
import { soughtTexts } from '../../shared/model/query/sought-texts'
import { type SearchHit, SearchOrder, type SearchResult } from '../../shared/model/search'
import { countFlag, textFlag, UsageError } from '../command/arguments'
import type { Command, CommandContext } from '../command/command'
import { timeFlags, timeOptions, timeRangeOf } from '../command/times'
import { rolesOf } from '../conversations/entry-filter'
import { rootsOfSource } from '../conversations/find'
import { allLabels } from '../conversations/given-labels'
import { searchExitCode } from '../search/exit-code'
import { printFacets } from '../search/facets-text'
import { contextLines, hitTexts, titleOfHit } from '../search/hit-text'
import { sayNothingFound } from '../search/nothing-text'
import { buildFilters, withSearch } from '../search/open-search'
import { printPatternHits } from '../search/pattern-hits'
import { type PrintedHit, printHits } from '../search/search-text'
import { streamHits } from '../search/stream-hits'

/** Command `skein search`. */
export const searchCommand: Command = {
  name: 'search',
  synopsis:
    'QUERY [--limit N] [--order ORDER] [--context N] [--role ROLE] [--date TIME] [--regex] [--count] [--facets] [--jsonl] [--exit-code] [--index]',
  summary:
    'finds entries and titles, newest first, or oldest or best with --order; --count counts all, --facets by source, project, type, role, tool, model, month and branch, --index brings the filters up to date before',
  flags: [
    ...['limit', 'count', 'index', 'context', 'role', 'source', 'case-sensitive', 'regex', 'group'],
    ...['facets', 'jsonl', 'exit-code', 'order'],
    ...timeFlags,
  ],
  options: [
    [
      'QUERY',
      'word word, "phrase", -not, this OR that, ( ), /regex/i, role:, type:, tool:, branch:, from:, to:, has:, model:, provider:, project:, reaction:, source:, context:, title:, tag:, color:, label:, after:, before:, during:, case:yes, words:whole',
    ],
    ['--limit N', 'the N first hits of the order; 100 by default'],
    [
      '--order ORDER',
      'newest (by default), oldest, or best: with more of the words, as whole words, near to each other; titles and prompts before answers, calls and results; then the newest',
    ],
    ['-C, --context N', 'with N lines of the text before and after each line that matches'],
    ['--role ROLE', 'only what user, agent or system said; the same as role:ROLE'],
    ['--source SOURCE', 'only this system; the same as source:SOURCE'],
    ...timeOptions,
    ['-c, --case-sensitive', 'words must match upper and lower case; the same as case:yes'],
    [
      '-r, --regex',
      'QUERY is one regular expression (of JavaScript); all text is read, titles are not',
    ],
    ['--group', 'hits of one conversation together'],
    ['--count', 'counts every hit, also beyond the limit'],
    [
      '--facets',
      'instead of hits their numbers by source, project, type, role, tool, model, month and branch; of a facet that QUERY asks for, also of its other values',
    ],
    [
      '--jsonl',
      'each hit as a line of JSON as soon as it is found, in no order; all of them without --limit',
    ],
    ['--exit-code', "grep's exit codes: 0 with a hit, 1 without one, 2 where something failed"],
    ['--index', 'brings the filters up to date before'],
  ],
  replaces: 'cycodj search; voicemode exchanges search (-n is --limit, --days N is --date Nd)',
  async run(context) {
    const { args } = context
    const limit = countFlag(args, 'limit')
    if (limit === 0) throw new UsageError('--limit needs a number from 1 up.')
    const around = countFlag(args, 'context')
    const order = orderOf(context)
    // One word each, as a shell gives them: "skein search two words".
    const words = args.operands.join(' ')
    if (words.trim() === '' && args.flags.index !== true)
      throw new UsageError('"skein search" needs a QUERY, such as \'"clock change" tool:shell\'.')
    const streams = args.flags.jsonl === true
    const isCounted = args.flags.facets === true
    if (streams && (args.json || args.flags.group === true || isCounted))
      throw new UsageError(
        '--jsonl prints hits alone: --json, --group and --facets have no effect.',
      )
    if (streams && order !== undefined)
      throw new UsageError('--jsonl prints hits as they are found: --order has no effect.')
    if (args.flags.regex === true)
      return searchExitCode(
        context,
        await printPatternHits(context, words, { limit, around, order }),
      )
    const isOfHits = [limit, around, order].some((flag) => flag !== undefined)
    if (isCounted && (isOfHits || args.flags.group === true))
      throw new UsageError(
        '--facets prints no hits: --limit, --order, --context and --group have no effect.',
      )
    const query = `${words}${conditions(context)}`
    const outcome = await withSearch(context, async (opened, conversations, isWhole) => {
      if (args.flags.index === true) await buildFilters(context, opened)
      // The filters alone were asked for: there is nothing to find.
      if (words.trim() === '') return { hits: 1, isWhole: isWhole() }
      if (isCounted) {
        const labels = await allLabels(context)
        const counted = await countFacets(opened, query, { labels, signal: context.signal })
        context.signal.throwIfAborted()
        await printFacets(context, counted)
        return { hits: counted.total, isWhole: counted.notices.length === 0 && isWhole() }
      }
      const isExact = args.flags['case-sensitive'] === true
      const textOf = hitTexts(context.disk, conversations)
      const isMatch = matcherOf(words, isExact)
      const linesOf = async (hit: SearchHit) => {
        const text = around === undefined || hit.field === 'title' ? undefined : await textOf(hit)
        return text === undefined ? undefined : contextLines(text, isMatch, around ?? 0)
      }
      if (streams) {
        const result = await stream(context, opened, query, limit ?? mostStreamed, linesOf)
        return { hits: result.total, isWhole: result.notices.length === 0 && isWhole() }
      }
      const result = await opened.run(query, {
        ...(limit === undefined ? {} : { limit }),
        order,
        countAll: args.flags.count === true,
        labels: await allLabels(context),
        signal: context.signal,
      })
      context.signal.throwIfAborted()
      const found: PrintedHit[] = []
      for (const hit of result.hits)
        found.push({ hit, title: titleOfHit(conversations, hit), context: await linesOf(hit) })
      await printHits(context, result, found, order)
      if (result.total === 0 && result.complete && !args.json)
        sayNothingFound(
          context.output,
          await explainNothing(opened, query, {
            labels: await allLabels(context),
            signal: context.signal,
          }),
        )
      return { hits: result.total, isWhole: result.notices.length === 0 && isWhole() }
    })
    return searchExitCode(context, outcome)
  },
}

/** @throws UsageError */
function orderOf({ args }: CommandContext): SearchOrder | undefined {
  const named = textFlag(args, 'order')
  const order = SearchOrder.safeParse(named)
  if (named !== undefined && !order.success)
    throw new UsageError(`--order takes ${SearchOrder.options.join(', ')}.`)
  return order.data
}

/** Most hits of --jsonl without --limit: they are held until the search ends, so that copies are told apart. */
const mostStreamed = 1_000_000

/** Searches and writes each hit as it is found. */
async function stream(
  context: CommandContext,
  opened: Search,
  query: string,
  limit: number,
  linesOf: Parameters<typeof streamHits>[3],
): Promise<SearchResult> {
  const halt = new AbortController()
  const any = anySignal([halt.signal, context.signal])
  const hits = streamHits(context, limit, () => halt.abort(), linesOf)
  try {
    const result = await opened.run(query, {
      limit,
      countAll: true,
      isStreamed: true,
      labels: await allLabels(context),
      found: hits.found,
      signal: any.signal,
    })
    context.signal.throwIfAborted()
    await hits.end(result)
    return result
  } finally {
    any.release()
  }
}

/** The options that the query language has fields for. @throws UsageError */
function conditions(context: CommandContext): string {
  const { args } = context
  const roles = rolesOf(args) ?? []
  if (roles.length > 1 || roles.includes('tool'))
    throw new UsageError(
      '--role takes one of user, agent, system here; for tools there is type:tool_result.',
    )
  rootsOfSource(args)
  const source = textFlag(args, 'source')
  const times = timeRangeOf(context)
  const [from, until] = [isoTime(times?.from), isoTime(times?.until)]
  return [
    ...(args.flags['case-sensitive'] === true ? [' case:yes'] : []),
    ...roles.map((role) => ` role:${role}`),
    ...(source === undefined ? [] : [` source:${source}`]),
    ...(from === null ? [] : [` after:${from}`]),
    ...(until === null ? [] : [` before:${until}`]),
  ].join('')
}

/** Whether one of the words is in a line. */
function matcherOf(query: string, isExact: boolean): (line: string) => boolean {
  const words = soughtTexts(query).map((word) => (isExact ? word : fold(word)))
  return (line) => {
    const text = isExact ? line : fold(line)
    return words.some((word) => text.includes(word))
  }
}
