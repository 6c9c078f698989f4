import {
  intersectTimeRanges,
  isTimeSpec,
  type LocalClock,
  machineClock,
  parseTimePoint,
  parseTimeRange,
  type TimeRange,
} from '../../shared/model/basics/time-spec'
import { type Arguments, countFlag, textFlag, UsageError } from './arguments'
import type { CommandContext } from './command'

/** The options that `timeRangeOf` reads, for a command's own list. */
export const timeFlags = ['date', 'today', 'yesterday', 'after', 'before'] as const

/** The same for people. */
export const timeOptions = [
  [
    '-d, --date TIME',
    'a day or a range: 2026-03-09, today, yesterday, 7d, 2d4h, 7d..yesterday, 3d..',
  ],
  ['--today, --yesterday', 'the same as --date today, --date yesterday'],
  ['--after TIME', 'from where TIME begins'],
  ['--before TIME', 'until TIME begins'],
] as const

/** Reads the time range of the options, all of them together; undefined where none is given. @throws UsageError */
export function timeRangeOf({
  args,
  now,
}: Pick<CommandContext, 'args' | 'now'>): TimeRange | undefined {
  const clock = machineClock(now?.() ?? Date.now())
  const ranges: TimeRange[] = []
  const date = textFlag(args, 'date')
  if (date !== undefined) ranges.push(understood('date', parseTimeRange(date, clock)))
  for (const day of ['today', 'yesterday'])
    if (args.flags[day] === true) ranges.push(understood(day, parseTimeRange(day, clock)))
  const after = pointOf(args, 'after', clock)
  if (after !== undefined) ranges.push({ from: after, until: undefined })
  const before = pointOf(args, 'before', clock)
  if (before !== undefined) ranges.push({ from: undefined, until: before })
  const last = args.flags.last
  if (typeof last === 'string' && isTimeSpec(last))
    ranges.push(understood('last', parseTimeRange(last, clock)))
  return ranges.length === 0 ? undefined : ranges.reduce(intersectTimeRanges)
}

/** Reads the number of `--last 10`; undefined where it is not given, or is a time. @throws UsageError */
export function lastCount(args: Arguments): number | undefined {
  const last = args.flags.last
  return typeof last === 'string' && isTimeSpec(last) ? undefined : countFlag(args, 'last')
}

function pointOf(args: Arguments, name: string, clock: LocalClock): number | undefined {
  const text = textFlag(args, name)
  return text === undefined ? undefined : understood(name, parseTimePoint(text, clock))
}

function understood<T>(name: string, found: T | string): T {
  if (typeof found === 'string') throw new UsageError(`--${name}: ${found}`)
  return found
}
