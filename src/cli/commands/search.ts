import path from 'node:path'
import { searchDecoders } from '../../main/library/search-decoders'
import { familyKin } from '../../main/library/search-kin'
import { openSearch, type Search } from '../../main/search/search'
import type { SearchableConversation, SearchHit, SearchResult } from '../../shared/model/search'
import { isoTime } from '../../shared/model/time'
import { countFlag, UsageError } from '../arguments'
import type { Command, CommandContext } from '../command'
import { cacheFolder } from '../homes'
import { withLibraries } from '../libraries'
import { forTerminal, json } from '../output'

export const search: Command = {
  name: 'search',
  synopsis: 'QUERY [--limit N] [--count] [--index]',
  summary:
    'finds entries and titles, newest first; --count counts all, --index brings the filters up to date before',
  flags: ['limit', 'count', 'index'],
  async run(context) {
    const { args } = context
    const limit = countFlag(args, 'limit')
    if (limit === 0) throw new UsageError('--limit needs a number from 1 up.')
    // One word each, as a shell gives them: "skein search two words".
    const query = args.operands.join(' ')
    if (query.trim() === '' && args.flags.index !== true)
      throw new UsageError('"skein search" needs a QUERY, such as \'"clock change" tool:shell\'.')
    return withSearch(context, async (opened, conversations) => {
      if (args.flags.index === true) await index(context, opened)
      if (query.trim() === '') return 0
      const result = await opened.run(query, {
        ...(limit === undefined ? {} : { limit }),
        countAll: args.flags.count === true,
        signal: context.signal,
      })
      context.signal.throwIfAborted()
      await tell(context, result, conversations)
      return 0
    })
  },
}

/** Opens search over everything that the command line names, and closes it. */
function withSearch<T>(
  context: CommandContext,
  work: (search: Search, conversations: readonly SearchableConversation[]) => Promise<T>,
): Promise<T> {
  const { args, disk, environment, signal } = context
  return withLibraries(context, async (libraries) => {
    const conversations: SearchableConversation[] = []
    for (const library of libraries) conversations.push(...(await library.searchables(signal)))
    const opened = openSearch({
      disk,
      decoders: searchDecoders,
      cacheFolder: path.join(cacheFolder(args, environment), 'search'),
      workers: context.searchWorkers(),
      kin: familyKin(disk),
    })
    try {
      await opened.update(conversations)
      return await work(opened, conversations)
    } finally {
      await opened.close()
    }
  })
}

/** A cache that cannot be written is no failure: what has no filter is read in full. */
async function index({ output, signal }: CommandContext, opened: Search): Promise<void> {
  try {
    const done = await opened.buildIndex({ all: true, signal })
    if (!done) output.say('The filters are being built by another Skein.')
  } catch (error) {
    signal.throwIfAborted()
    output.say(`The filters were not kept: ${error instanceof Error ? error.message : error}`)
  }
}

async function tell(
  { args, output }: CommandContext,
  result: SearchResult,
  conversations: readonly SearchableConversation[],
): Promise<void> {
  const { notices, ...rest } = result
  if (args.json) return output.write(json({ ...rest, notices }))
  const titles = new Map(conversations.map(({ source, key, title }) => [`${source}:${key}`, title]))
  for (const hit of result.hits) {
    const title = titles.get(`${hit.source}:${hit.key}`) ?? hit.key
    await output.write(`${line(hit, title, output.isTerminal)}\n`)
  }
  for (const notice of notices) output.say(forTerminal(notice))
  output.say(numbers(result))
}

function line(hit: SearchHit, title: string, isTerminal: boolean): string {
  const time =
    isoTime(hit.timestamp ?? undefined)
      ?.slice(0, 16)
      .replace('T', ' ') ?? '-'
  const where = hit.line === null ? 'title' : `line ${hit.line}`
  const name = title === hit.key ? hit.key : `${title} (${hit.source}:${hit.key})`
  return `${time.padEnd(16)}  ${oneLine(name)}  ${where}  ${marked(hit, isTerminal)}`
}

/** The snippet with what was found marked: as bold text where a person looks at it. */
function marked({ snippet, ranges }: SearchHit, isTerminal: boolean): string {
  const [before, after] = isTerminal ? ['\u001b[1m', '\u001b[22m'] : ['', '']
  let text = ''
  let at = 0
  for (const [start, end] of ranges) {
    text += oneLine(snippet.slice(at, start)) + before + oneLine(snippet.slice(start, end)) + after
    at = end
  }
  return text + oneLine(snippet.slice(at))
}

function oneLine(text: string): string {
  return forTerminal(text.replace(/\s+/g, ' '))
}

function numbers({ hits, total, segments, complete, planned }: SearchResult): string {
  const all = counted(total, 'hit')
  const shown = hits.length < total ? `${all}, the newest ${hits.length} shown` : all
  const how = planned ? '' : '; nothing to plan by, so all was read'
  const end = complete ? 'complete' : 'not all was read (--count reads on)'
  return `${shown}; ${counted(segments.total, 'segment')}, ${segments.read} read, ${segments.skipped} skipped${how}; ${end}.`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
