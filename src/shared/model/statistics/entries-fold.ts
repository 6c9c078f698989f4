import { replyGrowth } from '../basics/reply-growth'
import { entryTimeMs, isoMs } from '../basics/time'
import type { LocalClock } from '../basics/time-spec'
import type { Entry } from '../conversation/entry'
import { isFailedResult } from '../conversation/tool-results'
import { type ConversationEnd, endAfter } from '../lists/conversation-end'
import { dayKey } from './calendar'
import { CellFold } from './cell-fold'
import type { FactsLength, StatisticsFacts } from './conversation-facts'
import { countedRole } from './counted-role'
import { readSpeech, turnaroundOf } from './speech-fold'
import { readUsage, type TokenCounts } from './token-counts'
import { utf8Length } from './utf8-length'

/**
 * Counting of an entry: `own` at this conversation, `shared` at an older one that has it too, `outside` of the time that
 * is asked for.
 */
export type EntryCounting = 'own' | 'shared' | 'outside'

/** The head of a conversation whose entries were added up. */
export type FactsHead = Pick<
  StatisticsFacts,
  'source' | 'key' | 'title' | 'project' | 'leaves' | 'isTitled'
> & {
  /** ISO 8601, or null; the time of entries without one. */
  readonly created: string | null
}

/** A fold of a conversation's entries, in file order, to its facts. Holds no text; linear in it. */
export class EntriesFold {
  private readonly clock: LocalClock
  private readonly cells = new Map<string, CellFold>()
  private readonly lengths = new Map<string, { day: string | null } & Omit<FactsLength, 'day'>>()
  /** Tools by the ids of their calls: a branch may begin between a call and its answer. */
  private readonly called = new Map<string, { name: string; model: string | null }>()
  private readonly usages = new Set<string>()
  private readonly replies = new Set<string>()
  private readonly grown = replyGrowth<TokenCounts>()
  private spokenBefore: Entry | undefined
  private ended: ConversationEnd | null = null

  constructor(clock: LocalClock) {
    this.clock = clock
  }

  /** Adds the next entry. */
  add(entry: Entry, counting: EntryCounting): void {
    const { entry_type: type, tool_call_id: id } = entry
    this.ended = endAfter(this.ended, entry)
    const model = modelOf(entry)
    if (type === 'tool_call' && id !== undefined) this.called.set(id, { name: entry.to, model })
    if (counting === 'outside') return
    const ms = entryTimeMs(entry.timestamp)
    const day = ms === undefined ? null : dayKey(ms, this.clock)
    const length = JSON.stringify([day, model])
    const entries = (this.lengths.get(length)?.entries ?? 0) + 1
    this.lengths.set(length, { day, model, entries })
    if (counting === 'own') this.addOwn(entry, day, ms === undefined ? -1 : this.clock.hourOf(ms))
  }

  /** Ends the fold. */
  end({ created, ...head }: FactsHead): StatisticsFacts {
    const begin = isoMs(created)
    const timeless = begin === undefined ? '' : dayKey(begin, this.clock)
    return {
      ...head,
      end: this.ended,
      cells: [...this.cells.values()].map((cell) => cell.facts(timeless)),
      lengths: merged(
        [...this.lengths.values()].map((length) => ({ ...length, day: length.day ?? timeless })),
      ),
    }
  }

  private addOwn(entry: Entry, day: string | null, hour: number): void {
    const model = modelOf(entry)
    const role = countedRole(entry)
    const cell = this.cell(day, hour, model)
    cell.addEntry(entry.entry_type, role, utf8Length(entry.content))
    if (entry.entry_type === 'tool_call') cell.addCall(entry.to)
    if (entry.entry_type === 'tool_result') this.addResult(entry, day, hour, cell)
    this.addUsage(entry, cell)
    const speech = readSpeech(entry)
    if (speech === undefined) return
    cell.addSpeech(entry, speech)
    const seconds = turnaroundOf(this.spokenBefore, entry)
    const from = entryTimeMs(this.spokenBefore?.timestamp)
    if (seconds !== undefined && from !== undefined) cell.addTurn(dayKey(from, this.clock), seconds)
    this.spokenBefore = entry
  }

  private addResult(entry: Entry, day: string | null, hour: number, cell: CellFold): void {
    const call = entry.tool_call_id === undefined ? undefined : this.called.get(entry.tool_call_id)
    cell.addOutput(call?.name ?? 'unknown', utf8Length(entry.content))
    if (isFailedResult(entry))
      this.cell(day, hour, call?.model ?? modelOf(entry)).addFailure(call?.name ?? entry.from)
  }

  /** Entries of one source line tell the same record; those of one reply tell numbers that grow, and the greatest count. */
  private addUsage({ metadata, file, offset }: Entry, cell: CellFold): void {
    if (metadata?.usage === undefined) return
    const usage = readUsage(metadata.usage)
    const record = `${file}:${offset} ${JSON.stringify(metadata.usage)}`
    if (usage === undefined || this.usages.has(record)) return
    this.usages.add(record)
    const { reply } = metadata
    const tokens = this.grown(reply, usage.tokens)
    const isMore = typeof reply === 'string' && this.replies.has(reply)
    if (isMore && tokens.total === 0) return
    if (typeof reply === 'string') this.replies.add(reply)
    cell.addUsage(tokens, isMore ? null : usage.cost)
  }

  private cell(day: string | null, hour: number, model: string | null): CellFold {
    const name = JSON.stringify([day, hour, model])
    const known = this.cells.get(name) ?? new CellFold(day, hour, model)
    this.cells.set(name, known)
    return known
  }
}

function modelOf({ metadata }: Entry): string | null {
  return typeof metadata?.model === 'string' ? metadata.model : null
}

/** The day on which a conversation began may have entries with a time as well. */
function merged(lengths: readonly FactsLength[]): readonly FactsLength[] {
  const sums = new Map<string, FactsLength>()
  for (const length of lengths) {
    const name = JSON.stringify([length.day, length.model])
    const entries = (sums.get(name)?.entries ?? 0) + length.entries
    sums.set(name, { ...length, entries })
  }
  return [...sums.values()]
}
