import type { Api } from '../../../shared/ipc/contract'
import type { SearchId } from '../../../shared/ipc/conversations/search'
import type { EntryName } from '../../../shared/model/map/entries-on-map'
import type { SearchHit } from '../../../shared/model/search'

/** Line of a hit: its snippet with the places of the words, who spoke, and when. */
export type HitLine = Pick<
  SearchHit,
  'snippet' | 'ranges' | 'field' | 'role' | 'tool' | 'timestamp' | 'line'
>

/** Returns the line of a hit. */
export function hitLine({
  snippet,
  ranges,
  field,
  role,
  tool,
  timestamp,
  line,
}: SearchHit): HitLine {
  return { snippet, ranges, field, role, tool, timestamp, line }
}

/** Searches for the line of one hit: it is not among the newest. Undefined where it cannot be read, or is gone. */
export async function loadHitLine(
  api: Pick<Api, 'search'>,
  searchId: SearchId,
  query: string,
  { key, entry }: EntryName,
): Promise<HitLine | undefined> {
  try {
    const scope = { conversations: [key], entry }
    const { hits } = await api.search.query({ searchId, query, limit: 1, scope })
    return hits[0] && hitLine(hits[0])
  } catch {
    return undefined
  }
}
