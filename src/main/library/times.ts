import { isoTime } from '../../shared/model/time'
import type { PageFrom, TranscriptRow } from '../../shared/model/transcript'
import type { ContextListing, Store } from '../store/store'

/** When a conversation began and when it was last added to: ISO 8601 in UTC, or null where nothing tells. */
export interface TranscriptTimes {
  readonly created: string | null
  readonly updated: string | null
}

/** Rows looked at from either end: some are damaged or have no time. */
const lookAt = 8

/**
 * Reads a conversation's times from its entries, because files that were copied or restored have the copy's time;
 * falls back to what the home's own records and the files say. Two short reads, whatever the size.
 */
export async function readTimes(store: Store, listing: ContextListing): Promise<TranscriptTimes> {
  const first = (await timesAt(store, listing, 'start')).at(0)
  const last = (await timesAt(store, listing, 'end')).at(-1)
  const fileTime = listing.updatedAtMs === undefined ? undefined : listing.updatedAtMs / 1000
  return {
    created: isoTime(listing.createdAt ?? first),
    updated: isoTime(last ?? fileTime),
  }
}

async function timesAt(
  store: Store,
  listing: ContextListing,
  from: PageFrom,
): Promise<readonly number[]> {
  if (listing.unreadable !== undefined) return []
  // The list must not fail because one conversation cannot be read: opening it says why.
  const page = await store.readPage(listing.name, from, lookAt).catch(() => undefined)
  return page?.rows.map(timeOf).filter((time) => time !== undefined) ?? []
}

function timeOf(row: TranscriptRow): number | undefined {
  return row.type === 'entry' ? (row.entry.timestamp ?? undefined) : undefined
}
