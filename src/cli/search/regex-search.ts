import { setImmediate } from 'node:timers/promises'
import type { PatternRanges } from '../../main/async/pattern-ranges'
import type { ReadConversation } from '../../main/readers/read-root'
import { toSearchableEntry } from '../../main/store/search-decoding'
import { AppError } from '../../shared/model/basics/errors'
import { entryTimeMs, isoMs } from '../../shared/model/basics/time'
import { isInTimeRange, type TimeRange } from '../../shared/model/basics/time-spec'
import { ConversationKey } from '../../shared/model/conversation/conversation'
import { EntryId } from '../../shared/model/conversation/entry'
import type { SearchHit, SearchResult } from '../../shared/model/search'
import { countedRole } from '../../shared/model/statistics/counted-role'
import { entriesOnce } from '../conversations/entries-once'
import type { SafePattern } from './safe-pattern'

interface RegexOptions {
  /** As `countedRole` has them. */
  readonly roles: readonly string[] | undefined
  readonly times: TimeRange | undefined
  readonly order: 'newest' | 'oldest'
  readonly limit: number
  readonly signal: AbortSignal
}

/** A hit, and its whole text. */
interface RegexHit {
  readonly hit: SearchHit
  readonly text: string
}

/** UTF-16 units of a snippet before its first match, and from there on. */
const unitsBefore = 60
const unitsAfter = 180

/**
 * Tries a pattern on every entry, as search has their texts; what several conversations share is one hit. Newest
 * or oldest first. Titles are not tried. Lets others go on between two batches of entries, and stops there with the signal's
 * reason.
 *
 * @throws AppError `bad-argument` the pattern takes too long; the message says where
 */
export async function searchByPattern(
  conversations: readonly ReadConversation[],
  pattern: SafePattern,
  { roles, times, order, limit, signal }: RegexOptions,
): Promise<{ readonly found: readonly RegexHit[]; readonly result: SearchResult }> {
  const startedAt = performance.now()
  const found: { readonly hit: SearchHit; readonly text: string; readonly ms: number }[] = []
  const { own } = entriesOnce(conversations)
  for (const [at, conversation] of conversations.entries()) {
    const updated = isoMs(conversation.updated)
    const wanted = (own[at] ?? []).flatMap((entry) => {
      if (roles !== undefined && !roles.includes(countedRole(entry))) return []
      const ms = entryTimeMs(entry.timestamp) ?? updated
      if (times !== undefined && (ms === undefined || !isInTimeRange(ms / 1000, times))) return []
      return [{ entry, ms, searchable: toSearchableEntry(entry) }]
    })
    const matches = await matchesIn(conversation, wanted, pattern, signal)
    for (const [n, { entry, ms, searchable }] of wanted.entries()) {
      const ranges = matches[n] ?? []
      if (ranges.length === 0) continue
      const { field, role, tool, text } = searchable
      const { file, offset, length, line = null } = entry
      const hit: SearchHit = {
        source: conversation.source,
        key: ConversationKey.parse(conversation.key),
        entryId: EntryId.parse(entry.id),
        field,
        ...(role === undefined ? {} : { role }),
        ...(tool === undefined ? {} : { tool }),
        line,
        timestamp: entry.timestamp,
        ...snippet(text, ranges),
        file,
        offset,
        length,
      }
      found.push({ hit, text, ms: ms ?? Number.NEGATIVE_INFINITY })
    }
  }
  // A stable sort: within a time, the order of the sources.
  found.sort((a, b) => (a.ms === b.ms ? 0 : b.ms - a.ms))
  if (order === 'oldest') found.sort(byAge)
  const shown = found.slice(0, limit)
  return {
    found: shown,
    result: {
      hits: shown.map(({ hit }) => hit),
      total: found.length,
      segments: { total: 0, read: 0, skipped: 0 },
      complete: true,
      planned: false,
      notices: [],
      elapsedMs: performance.now() - startedAt,
    },
  }
}

/** Oldest first; what has no time comes last. */
function byAge(a: { readonly ms: number }, b: { readonly ms: number }): number {
  if (a.ms === b.ms) return 0
  if (a.ms === Number.NEGATIVE_INFINITY) return 1
  return b.ms === Number.NEGATIVE_INFINITY ? -1 : a.ms - b.ms
}

const batchUnits = 1 << 20

/** Finds the pattern in each of a conversation's texts; batch by batch, so that Ctrl+C comes through. */
async function matchesIn(
  { source, key }: ReadConversation,
  wanted: readonly { readonly searchable: { readonly text: string } }[],
  pattern: SafePattern,
  signal: AbortSignal,
): Promise<readonly PatternRanges[]> {
  const matches: PatternRanges[] = []
  let batch: string[] = []
  let units = 0
  for (const [n, { searchable }] of wanted.entries()) {
    batch.push(searchable.text)
    units += searchable.text.length
    if (units < batchUnits && n < wanted.length - 1) continue
    try {
      for (const ranges of pattern.find(batch)) matches.push(ranges)
    } catch (error) {
      // While it computed, nobody could stop it.
      await setImmediate()
      signal.throwIfAborted()
      if (!(error instanceof AppError)) throw error
      throw new AppError(error.code, `${source}:${key}: ${error.message}`, { cause: error })
    }
    batch = []
    units = 0
    await setImmediate()
    signal.throwIfAborted()
  }
  return matches
}

function snippet(text: string, ranges: PatternRanges) {
  const first = ranges[0]?.[0] ?? 0
  const from = betweenCharacters(text, Math.max(0, first - unitsBefore))
  const to = betweenCharacters(text, Math.min(text.length, first + unitsAfter))
  return {
    snippet: text.slice(from, to),
    ranges: ranges
      .filter(([start]) => start < to)
      .map(([start, end]): [number, number] => [start - from, Math.min(end, to) - from]),
  }
}

/** Not in the middle of a pair of surrogates. */
function betweenCharacters(text: string, at: number): number {
  const isInside =
    /[\udc00-\udfff]/.test(text[at] ?? '') && /[\ud800-\udbff]/.test(text[at - 1] ?? '')
  return isInside ? at - 1 : at
}
