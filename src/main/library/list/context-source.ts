import {
  type LibraryKey,
  libraryKeyOf,
  parseLibraryKey,
} from '../../../shared/model/conversation/conversation'
import { filterPathOf } from '../../store/search-decoding'
import type { ContextListing, Store } from '../../store/store'
import { countContext } from '../count/count'
import type { Counter } from '../count/counter'
import { documentDecoderOf } from '../sources/search-decoders'
import type { ConversationListing, ConversationSource } from './conversation-source'
import type { SideNotes } from './details'
import { readTranscriptTimes } from './transcript-times'

/**
 * Returns the source that lists a home's contexts.
 *
 * @param shownHome as people write it: `~/.chibi`
 *
 * @param interrupted is called once, after the first list, with the contexts whose answer a crash cut off
 */
export function contextSource(
  counter: Counter,
  store: Store,
  shownHome: string,
  interrupted: (names: readonly string[]) => void = () => {},
): ConversationSource {
  let isFirst = true

  function reportInterrupted(listings: readonly ContextListing[]): void {
    if (!isFirst) return
    isFirst = false
    // One that another process is still writing has its lock held.
    const cutOff = listings.filter(({ hasPartial, lock }) => hasPartial && lock.state === 'free')
    if (cutOff.length > 0) interrupted(cutOff.map(({ name }) => name))
  }

  return {
    holds: isContext,
    async list(signal, found) {
      const listings = await store.listContexts(signal)
      reportInterrupted(listings)
      const all = listings.map((listing) => listed(counter, store, shownHome, listing))
      found?.(all)
      return all
    },
    async find(key) {
      const listing = isContext(key) ? await store.findContext(key) : undefined
      return listing === undefined ? undefined : listed(counter, store, shownHome, listing)
    },
    watch: (changed) => store.watch(undefined, changed),
  }
}

function isContext(key: LibraryKey): boolean {
  return parseLibraryKey(key).source === 'chibi'
}

function listed(
  counter: Counter,
  store: Store,
  shownHome: string,
  listing: ContextListing,
): ConversationListing {
  const { name, createdAt, files, bytes, updatedAtMs, lock, unreadable } = listing
  const key = libraryKeyOf('chibi', name)
  return {
    source: 'chibi',
    key,
    ownKey: parseLibraryKey(key).key,
    // Its time of creation is in the home's own records, not in its files.
    stamp: listing.stamp === undefined ? undefined : `${listing.stamp} ${createdAt ?? ''}`,
    files: files.map(({ path, place, identity, sizeBytes, mtimeMs, kind, begin }) => ({
      path,
      place,
      identity,
      sizeBytes,
      mtimeMs,
      decoder: kind === 'document' ? documentDecoderOf('chibi') : 'chibi',
      ...(kind === 'partition' ? { filter: filterPathOf(path) } : {}),
      ...(begin === undefined ? {} : { part: { ...begin, end: sizeBytes } }),
    })),
    bytes,
    updatedAtMs,
    lock,
    unreadable,
    missing: listing.missing.map(({ sentence }) => sentence),
    shownPlace: `${shownHome}/contexts/${name}`,
    async readFacts() {
      // A name that nobody chose says nothing: the conversation is called by its first words.
      const { words = name, ...times } = await readTranscriptTimes(counter, store, listing)
      return { title: words, project: null, ...times }
    },
    count: (signal) => countContext(counter, store, listing, signal),
    async readNotes(): Promise<SideNotes> {
      const [notes, sideFiles] = await Promise.all([store.readNotes(name), store.readBeside(name)])
      return { ...notes, beside: sideFiles }
    },
  }
}
