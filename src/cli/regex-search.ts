import { searchableEntry } from '../main/library/searchable-entry'
import type { ReadConversation } from '../main/readers/gather'
import { ConversationKey } from '../shared/model/conversation'
import { EntryId } from '../shared/model/entry'
import type { SearchHit, SearchResult } from '../shared/model/search'
import { momentOf } from '../shared/model/time'
import { isWithin, type TimeRange } from '../shared/model/time-spec'
import { UsageError } from './arguments'
import { roleOf } from './entry-filter'
import { eachOnce } from './once'

interface RegexOptions {
  /** As `roleOf` has them. */
  readonly roles: readonly string[] | undefined
  readonly times: TimeRange | undefined
  readonly limit: number
}

/** A hit, and the text that it stands in. */
interface RegexHit {
  readonly hit: SearchHit
  readonly text: string
}

/** UTF-16 units of a snippet before its first match, and from there on. */
const unitsBefore = 60
const unitsAfter = 180

/** A pattern as it is tried on a text; `^` and `$` are the ends of lines. @throws UsageError in words */
export function patternOf(source: string, caseSensitive: boolean): RegExp {
  try {
    return new RegExp(source, caseSensitive ? 'gmu' : 'gimu')
  } catch (error) {
    throw new UsageError(error instanceof Error ? `${error.message}.` : String(error))
  }
}

/**
 * Tries a pattern on every entry, as search has their texts; what several conversations share is one hit. Newest first.
 * Titles are not tried.
 */
export function searchByPattern(
  conversations: readonly ReadConversation[],
  pattern: RegExp,
  { roles, times, limit }: RegexOptions,
): { readonly found: readonly RegexHit[]; readonly result: SearchResult } {
  const startedAt = performance.now()
  const found: { readonly hit: SearchHit; readonly text: string; readonly ms: number }[] = []
  const { own } = eachOnce(conversations)
  for (const [at, conversation] of conversations.entries()) {
    const updated = conversation.updated === null ? undefined : Date.parse(conversation.updated)
    for (const entry of own[at] ?? []) {
      const searchable = searchableEntry(entry)
      if (roles !== undefined && !roles.includes(roleOf(entry))) continue
      const ms = momentOf(entry.timestamp) ?? updated
      if (times !== undefined && (ms === undefined || !isWithin(ms / 1000, times))) continue
      const ranges = matchesOf(pattern, searchable.text)
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

/** Where the pattern stands; an empty match is none. */
function matchesOf(pattern: RegExp, text: string): [number, number][] {
  return [...text.matchAll(pattern)].flatMap(({ 0: match, index = 0 }): [number, number][] =>
    match === '' ? [] : [[index, index + match.length]],
  )
}

function snippet(text: string, ranges: readonly [number, number][]) {
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
