import { isoTime } from '../../../shared/model/basics/time'
import type { ContextListing, Store } from '../../store/store'
import type { Counter } from '../count/counter'

/** The times at which a conversation began and was last added to: ISO 8601 in UTC, or null where unknown. */
export interface TranscriptTimes {
  readonly created: string | null
  readonly updated: string | null
  /** The first words that a person wrote. */
  readonly words?: string
}

/**
 * Reads a conversation's times and first words from its entries, because files that were copied or restored have the
 * copy's time; times fall back to the home's own records and the files. Short reads of both ends, whatever the size.
 *
 * @throws AppError `unreadable`: the times of files are not those of entries, and must not be cached as such
 */
export async function readTranscriptTimes(
  counter: Counter,
  store: Store,
  listing: ContextListing,
): Promise<TranscriptTimes> {
  const ends = listing.unreadable === undefined ? await counter.ends(store, listing) : undefined
  const fileTime = listing.updatedAtMs === undefined ? undefined : listing.updatedAtMs / 1000
  return {
    created: isoTime(listing.createdAt ?? ends?.first),
    updated: isoTime(ends?.last ?? fileTime),
    ...(ends?.words === undefined ? {} : { words: ends.words }),
  }
}
