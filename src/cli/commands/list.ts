import { byUpdated } from '../../main/library/library'
import type { ReadConversation } from '../../main/readers/read-root'
import { pushAll } from '../../shared/model/basics/long-lists'
import { isoSeconds } from '../../shared/model/basics/time'
import type { TimeRange } from '../../shared/model/basics/time-spec'
import { isGeneratedName } from '../../shared/model/basics/title'
import {
  type ConversationSummary,
  libraryKeyOf,
} from '../../shared/model/conversation/conversation'
import { labelColors } from '../../shared/model/conversation/label'
import { hasTag } from '../../shared/model/conversation/tag'
import { type ConversationEnd, endAfter } from '../../shared/model/lists/conversation-end'
import {
  isInSmartList,
  isReadList,
  type ReadListId,
  smartListIds,
} from '../../shared/model/lists/smart-lists'
import { type Arguments, textFlag, wordFlag } from '../command/arguments'
import type { Command, CommandContext } from '../command/command'
import { lastCount, timeFlags, timeOptions, timeRangeOf } from '../command/times'
import { rootsOfSource } from '../conversations/find'
import { withLibraries } from '../conversations/libraries'
import { listFamilies } from '../conversations/list-families'
import {
  groupListed,
  type ListGroup,
  type ListGrouping,
  listGroupings,
} from '../conversations/list-groups'
import {
  conversationRow,
  type ListedConversation,
  usualPreviews,
  withFamily,
  withMore,
} from '../conversations/list-rows'
import { listedText } from '../conversations/list-text'
import { readAll } from '../conversations/read-all'
import { statisticsOf } from '../statistics/statistics'
import { statisticsText } from '../statistics/statistics-text'
import { jsonOutput, terminalText } from '../terminal/output'

const sortWords = ['updated', 'created', 'title', 'entries', 'bytes'] as const

/** Command `skein list`. */
export const listCommand: Command = {
  name: 'list',
  synopsis:
    '[--date TIME] [--last N|TIME] [--source SOURCE] [--project P] [--tag TAG] [--color COLOR] [--pinned] [--list LIST] [--group-by WORD] [--messages [N]]',
  summary: 'lists the conversations, the most recently updated first',
  flags: [
    'last',
    'source',
    'project',
    'tag',
    'color',
    'pinned',
    'messages',
    'branches',
    'stats',
    'sort',
    'group-by',
    'list',
    ...timeFlags,
  ],
  options: [
    ['-n, --last N|TIME', 'the N newest; or those of a time, such as 7d'],
    ...timeOptions,
    ['--source SOURCE', 'only conversations of this system'],
    ['--project P', 'only those with P anywhere in their project, upper or lower case'],
    ['--tag TAG', 'only those with this tag, upper or lower case; "skein contexts tag" gives it'],
    ['--color COLOR', `only those of a color: ${labelColors.join(', ')}`],
    ['--pinned', 'only those that are pinned; "skein contexts pin" does so'],
    [
      '--messages [N|all]',
      `with what a person said: the first ${usualPreviews} messages, or N, or all`,
    ],
    ['--branches', 'with the conversation that each is a copy of, and up to where'],
    ['--stats', 'with statistics over what is listed'],
    ['--sort WORD', `by ${sortWords.join(', ')}; updated by default`],
    ['--group-by WORD', `under heads, by ${listGroupings.join(', ')}`],
    ['--list LIST', `only those of a list of the library: ${smartListIds.join(', ')}`],
  ],
  replaces: 'cycodj list; voicemode exchanges view',
  async run(context) {
    const { args, output } = context
    const by = wordFlag(args, 'group-by', listGroupings)
    const list = wordFlag(args, 'list', smartListIds)
    const all = await allRows(context)
    const isReading = needsReading(args) || (list !== undefined && isReadList(list))
    const { all: everything, isRead } = isReading ? await readNamed(context) : nothingRead
    const found =
      list !== undefined && isReadList(list) && everything !== undefined
        ? keysOfList(everything.values(), list)
        : undefined
    const nowMs = context.now?.() ?? Date.now()
    const ofList =
      list === undefined
        ? all.rows
        : all.rows.filter((row) => isInSmartList(row, list, nowMs, found))
    const rows = choose(ofList, args, timeRangeOf(context)).map(conversationRow)
    const names = new Set(rows.map(nameOf))
    const read =
      everything === undefined || !needsReading(args)
        ? undefined
        : new Map([...everything].filter(([name]) => names.has(name)))
    const families = await listFamilies(context)
    const groups = groupsOf(
      rows.map((row) =>
        withMore(withFamily(row, families.get(nameOf(row))), args, read?.get(nameOf(row))),
      ),
      by,
    )
    const conversations = groups.flatMap((group) => group.rows)
    const stats = args.flags.stats === true ? statisticsOf([...(read?.values() ?? [])]) : undefined
    const isWhole = all.isWhole && isRead && rows.every(({ state }) => state !== 'unreadable')
    const code = isWhole ? 0 : 1
    if (args.json) {
      await output.write(jsonOutput({ conversations, ...(stats === undefined ? {} : { stats }) }))
      return code
    }
    for (const [at, { name, rows: own }] of groups.entries()) {
      if (by !== undefined)
        await output.write(
          terminalText(`${at === 0 ? '' : '\n'}${name ?? `no ${by}`} (${own.length})\n`),
        )
      for (const row of own) await output.write(listedText(row))
    }
    if (stats !== undefined) await output.write(`\n${statisticsText(stats)}`)
    return code
  },
}

/** Rows under the heads of their groups, which each row names; one group of all without a grouping. */
function groupsOf(
  rows: readonly ListedConversation[],
  by: ListGrouping | undefined,
): readonly ListGroup<ListedConversation>[] {
  if (by === undefined) return [{ name: null, rows }]
  return groupListed(rows, by).map(({ name, rows: own }) => ({
    name,
    rows: own.map((row) => ({ ...row, group: name })),
  }))
}

/** The keys of those that a list holds for which conversations have to be read. */
function keysOfList(all: Iterable<ReadConversation>, list: ReadListId): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const { source, key, storedTitle, entries } of all) {
    const isTitled = source === 'chibi' ? !isGeneratedName(key) : storedTitle !== undefined
    const end = entries.reduce<ConversationEnd | null>(endAfter, null)
    if (list === 'untitled' ? !isTitled : end === list) keys.add(libraryKeyOf(source, key))
  }
  return keys
}

/** Every row of every root, counted, and whether all could be listed. */
function allRows(
  context: CommandContext,
): Promise<{ readonly rows: readonly ConversationSummary[]; readonly isWhole: boolean }> {
  rootsOfSource(context.args)
  return withLibraries(context, async (libraries, isWhole) => {
    const rows: ConversationSummary[] = []
    for (const library of libraries) pushAll(rows, await library.all(true, context.signal))
    return { rows: rows.sort(byUpdated), isWhole: isWhole() }
  })
}

/** The rows that the options leave, in the order that they ask for. @throws UsageError */
function choose(
  rows: readonly ConversationSummary[],
  args: Arguments,
  times: TimeRange | undefined,
): readonly ConversationSummary[] {
  const source = textFlag(args, 'source')
  const project = textFlag(args, 'project')?.toLowerCase()
  const tag = textFlag(args, 'tag')
  const color = wordFlag(args, 'color', labelColors)
  const chosen = rows.filter(
    (row) =>
      (source === undefined || row.source === source) &&
      (project === undefined || row.project?.toLowerCase().includes(project) === true) &&
      (tag === undefined || hasTag(row.tags, tag)) &&
      (color === undefined || row.color === color) &&
      (args.flags.pinned === undefined || row.pinned === true) &&
      (times === undefined || wasGoingOn(row, times)),
  )
  const last = lastCount(args)
  const newest = last === undefined ? chosen : chosen.slice(0, last)
  return sorted(newest, wordFlag(args, 'sort', sortWords) ?? 'updated')
}

/** Whether the time from its begin to its last entry meets a range; none does where neither is known. */
function wasGoingOn(
  row: { readonly created: string | null; readonly updated: string | null },
  { from, until }: TimeRange,
): boolean {
  const begun = isoSeconds(row.created ?? row.updated)
  const ended = isoSeconds(row.updated ?? row.created)
  if (begun === undefined || ended === undefined) return false
  // A file's time may be before what its name says of its begin.
  const [first, last] = [Math.min(begun, ended), Math.max(begun, ended)]
  return (from === undefined || last >= from) && (until === undefined || first < until)
}

function sorted(
  rows: readonly ConversationSummary[],
  by: (typeof sortWords)[number],
): readonly ConversationSummary[] {
  switch (by) {
    case 'updated':
      return rows
    case 'created':
      return [...rows].sort((a, b) => (b.created ?? '').localeCompare(a.created ?? '', 'en'))
    case 'title':
      return [...rows].sort((a, b) => a.title.localeCompare(b.title, 'en'))
    case 'entries':
      return [...rows].sort((a, b) => (b.entries ?? 0) - (a.entries ?? 0))
    case 'bytes':
      return [...rows].sort((a, b) => b.bytes - a.bytes)
  }
}

function needsReading({ flags }: Arguments): boolean {
  return ['messages', 'branches', 'stats'].some((name) => flags[name] !== undefined)
}

interface NamedReading {
  /** By `source:key`. */
  readonly all: ReadonlyMap<string, ReadConversation> | undefined
  /** False where a part of anything could not be read. */
  readonly isRead: boolean
}

const nothingRead: NamedReading = { all: undefined, isRead: true }

/** All conversations, read whole: one is looked for among its relatives. */
async function readNamed(context: CommandContext): Promise<NamedReading> {
  // What could not be read was reported; a row counts it as damage.
  const { conversations, unread } = await readAll(context, rootsOfSource(context.args).roots)
  return {
    all: new Map(conversations.map((one) => [nameOf(one), one] as const)),
    isRead: unread.length === 0,
  }
}

function nameOf({ source, key }: { readonly source: string; readonly key: string }): string {
  return `${source}:${key}`
}
