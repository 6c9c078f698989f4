import type { ReadConversation } from '../../main/readers/read-root'
import { entryTimeMs, isoMs } from '../../shared/model/basics/time'
import {
  isInTimeRange,
  type LocalClock,
  machineClock,
  type TimeRange,
} from '../../shared/model/basics/time-spec'
import type { Entry } from '../../shared/model/conversation/entry'
import { entriesOnce } from '../conversations/entries-once'
import { roleOf } from '../conversations/entry-filter'
import { addCount, type CountByName, sortedByCount, sortedByName } from '../terminal/counts'
import { type ByteNumbers, byteNumbers } from './statistics-bytes'
import { type SpeechNumbers, speechNumbers } from './statistics-speech'
import { type TokenNumbers, tokenNumbers } from './statistics-tokens'

/** Output of `stats --json`. Entries that several conversations share count once. */
export interface Statistics {
  /** Those with an entry that is counted. */
  readonly conversations: number
  /** Trees that they form; one that shares nothing is a tree alone. */
  readonly families: number
  readonly entries: {
    readonly total: number
    readonly bySource: CountByName
    readonly byType: CountByName
    readonly byRole: CountByName
    /** Days and hours of this machine's time zone. Entries without a time count at the day their conversation began. */
    readonly byDay: CountByName
    /** `00` to `23`; of entries with a time alone. */
    readonly byHour: CountByName
    /** Calls, by the tool's name. */
    readonly byTool: CountByName
    readonly byModel: CountByName
  }
  /** Amounts of their text. */
  readonly bytes: ByteNumbers
  readonly tokens: TokenNumbers['tokens']
  /** As the provider gave it; null where none did. */
  readonly cost: number | null
  readonly averages: { readonly entries: number; readonly byRole: CountByName }
  readonly longest: {
    readonly source: string
    readonly key: string
    readonly title: string
    readonly entries: number
  } | null
  readonly days: readonly DayNumbers[]
  /** Of what was spoken and heard; null where nothing was. */
  readonly speech: SpeechNumbers | null
}

/** A day of `byDay`, the newest first. */
interface DayNumbers {
  readonly day: string
  readonly conversations: number
  readonly entries: number
  readonly user: number
  readonly agent: number
  readonly tool: number
}

/**
 * Counts the entries of conversations; those that several share count at the oldest.
 *
 * @param times counts only entries of this time; one without a time has that of its conversation's begin
 */
export function statisticsOf(
  conversations: readonly ReadConversation[],
  times?: TimeRange,
  clock: LocalClock = machineClock(0),
): Statistics {
  const chosen: ReadConversation[] = []
  const owns: (readonly Entry[])[] = []
  const tally = newTally()
  const days = new Map<string, DayTally>()
  let longest: Statistics['longest'] = null
  const once = entriesOnce(conversations)
  conversations.forEach((conversation, at) => {
    const isCounted = (entry: Entry) => isAt(entry, conversation, times)
    const length = conversation.entries.filter(isCounted).length
    if (length === 0 && times !== undefined) return
    const { source, key, title } = conversation
    if (length > (longest?.entries ?? 0)) longest = { source, key, title, entries: length }
    const own = (once.own[at] ?? []).filter(isCounted)
    chosen.push(conversation)
    owns.push(own)
    for (const entry of own) addEntry(tally, days, conversation, entry, clock)
  })
  const { tokens, cost } = tokenNumbers(owns)
  const total = sum(tally.byRole)
  return {
    conversations: chosen.length,
    families: times === undefined ? once.families : entriesOnce(chosen).families,
    entries: {
      total,
      bySource: sortedByCount(tally.bySource),
      byType: sortedByCount(tally.byType),
      byRole: sortedByCount(tally.byRole),
      byDay: sortedByName(tally.byDay),
      byHour: sortedByName(tally.byHour),
      byTool: sortedByCount(tally.byTool),
      byModel: sortedByCount(tally.byModel),
    },
    bytes: byteNumbers(chosen.map(({ entries }, index) => ({ entries, own: owns[index] ?? [] }))),
    tokens,
    cost,
    averages: {
      entries: ratio(total, chosen.length),
      byRole: Object.fromEntries(
        [...tally.byRole].map(([role, count]) => [role, ratio(count, chosen.length)]),
      ),
    },
    longest,
    days: [...days]
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .map(([day, { keys, ...numbers }]) => ({ day, conversations: keys.size, ...numbers })),
    speech: speechNumbers(owns),
  }
}

function isAt(entry: Entry, { created }: ReadConversation, times: TimeRange | undefined): boolean {
  if (times === undefined) return true
  const ms = timeOf(entry, created)
  return ms !== undefined && isInTimeRange(ms / 1000, times)
}

/** Unix milliseconds: the entry's own time, else its conversation's begin. */
function timeOf(entry: Entry, created: string | null): number | undefined {
  return entryTimeMs(entry.timestamp) ?? isoMs(created)
}

const groups = ['bySource', 'byType', 'byRole', 'byDay', 'byHour', 'byTool', 'byModel'] as const
type Tally = Record<(typeof groups)[number], Map<string, number>>

interface DayTally {
  readonly keys: Set<string>
  entries: number
  user: number
  agent: number
  tool: number
}

function newTally(): Tally {
  return {
    bySource: new Map(),
    byType: new Map(),
    byRole: new Map(),
    byDay: new Map(),
    byHour: new Map(),
    byTool: new Map(),
    byModel: new Map(),
  }
}

function addEntry(
  tally: Tally,
  days: Map<string, DayTally>,
  { source, key, created }: ReadConversation,
  entry: Entry,
  clock: LocalClock,
): void {
  const role = roleOf(entry)
  addCount(tally.bySource, source)
  addCount(tally.byType, entry.entry_type)
  addCount(tally.byRole, role)
  if (entry.entry_type === 'tool_call') addCount(tally.byTool, entry.to)
  const model = entry.metadata?.model
  if (typeof model === 'string' && model !== '') addCount(tally.byModel, model)
  const moment = entryTimeMs(entry.timestamp)
  if (moment !== undefined) addCount(tally.byHour, String(clock.hourOf(moment)).padStart(2, '0'))
  const ms = timeOf(entry, created)
  if (ms === undefined) return
  const day = dayName(ms, clock)
  addCount(tally.byDay, day)
  const numbers = days.get(day) ?? { keys: new Set(), entries: 0, user: 0, agent: 0, tool: 0 }
  days.set(day, numbers)
  numbers.keys.add(`${source}:${key}`)
  numbers.entries += 1
  if (role === 'user' || role === 'agent' || role === 'tool') numbers[role] += 1
}

function dayName(ms: number, clock: LocalClock): string {
  const { year, month, day } = clock.dayOf(ms)
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, one) => all + one, 0)
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100) / 100
}
