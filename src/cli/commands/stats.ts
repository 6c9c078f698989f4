import type { ReadConversation } from '../../main/readers/read-root'
import { machineClock } from '../../shared/model/basics/time-spec'
import { textFlag, UsageError } from '../command/arguments'
import type { Command } from '../command/command'
import { lastCount, timeFlags, timeOptions, timeRangeOf } from '../command/times'
import { pickNamed, rootsOfSource } from '../conversations/find'
import { readAll } from '../conversations/read-all'
import { statisticsOf } from '../statistics/statistics'
import { statisticsText } from '../statistics/statistics-text'
import { jsonOutput } from '../terminal/output'

/** Command `skein stats`. */
export const statsCommand: Command = {
  name: 'stats',
  synopsis: '[KEY] [--date TIME] [--last N|TIME] [--source SOURCE] [--project P]',
  summary:
    'counts conversations, entries, tools, tokens; what several conversations share counts once',
  flags: ['last', 'source', 'project', ...timeFlags],
  options: [
    [
      '-n, --last N|TIME',
      'only the N conversations updated last; or entries of a time, such as 7d',
    ],
    ...timeOptions,
    ['--source SOURCE', 'only conversations of this system'],
    ['--project P', 'only those with P anywhere in their project, upper or lower case'],
  ],
  replaces: 'cycodj stats; voicemode exchanges stats',
  async run(context) {
    const { args, output, now } = context
    const [wanted, ...more] = args.operands
    if (more.length > 0) throw new UsageError('"skein stats" takes one KEY at most.')
    const times = timeRangeOf(context)
    const last = lastCount(args)
    const project = textFlag(args, 'project')?.toLowerCase()
    const { conversations, incomplete, unread } = await readAll(context, rootsOfSource(args).roots)
    const chosen = conversations.filter(
      (one) => project === undefined || one.project?.toLowerCase().includes(project) === true,
    )
    const counted =
      wanted === undefined ? newest(chosen, last) : [pickNamed(wanted, chosen, (one) => one)]
    const statistics = statisticsOf(counted, times, machineClock(now?.() ?? Date.now()))
    // Without what could not be read: that is on stderr.
    await output.write(
      args.json ? jsonOutput({ ...statistics, unread }) : statisticsText(statistics),
    )
    const isWhole =
      wanted === undefined ? unread.length === 0 : !counted.some((one) => incomplete.has(one))
    return isWhole ? 0 : 1
  },
}

/** The last that were updated; all where no number is given. */
function newest(
  conversations: readonly ReadConversation[],
  last: number | undefined,
): readonly ReadConversation[] {
  if (last === undefined) return conversations
  const updated = (one: ReadConversation) => one.updated ?? one.created ?? ''
  return [...conversations]
    .sort((a, b) => (updated(a) < updated(b) ? 1 : updated(a) > updated(b) ? -1 : 0))
    .slice(0, last)
}
