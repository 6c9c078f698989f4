import type {
  ConversationDetails,
  ConversationSummary,
  LibraryKey,
} from '../../shared/model/conversation'
import { AppError } from '../../shared/model/errors'
import type { ContextListing, Store } from '../store/store'
import { countTranscript, type TranscriptCount } from './count'
import { readTimes, type TranscriptTimes } from './times'

/** What changed in the library: rows to put in or replace, keys to take out. */
export interface LibraryChange {
  readonly conversations: readonly ConversationSummary[]
  readonly gone: readonly string[]
}

/** Every conversation that can be shown. Opened over one home; reading never writes to it. */
export interface Library {
  /** Most recently updated first. The cursor names the last row of the page before. @throws AppError `unreadable` */
  list(
    cursor: string | undefined,
    limit: number,
  ): Promise<{
    readonly conversations: ConversationSummary[]
    readonly next?: string
    readonly total: number
  }>
  find(key: LibraryKey): Promise<ConversationSummary | undefined>
  /** Counts the whole conversation. @throws AppError `not-found`, `unreadable` */
  details(key: LibraryKey, signal?: AbortSignal): Promise<ConversationDetails>
  /** Looks at one conversation again and tells it when it changed: after a run of ours, or when it was seen to grow. */
  refresh(key: string): Promise<void>
  /** Counts what has not been counted and is not larger than `limitBytes`, one conversation after the other; told as changes. */
  countAll(limitBytes: number, signal: AbortSignal): Promise<void>
  close(): void
}

interface Known {
  readonly stamp: string
  readonly times: TranscriptTimes
  count?: TranscriptCount
}

/**
 * Opens the library over a store and watches it.
 *
 * Times and counts are kept in memory by size and mtime, so a second look reads only what changed.
 *
 * @param isRunning whether a run of ours is writing there now
 */
export function openLibrary(options: {
  readonly store: Store
  readonly shownHome: string
  readonly isRunning: (key: string) => boolean
  readonly changed: (change: LibraryChange) => void
  /** False for one look at it, as the command line takes. */
  readonly watched?: boolean
}): Library {
  const { store } = options
  const known = new Map<string, Known>()
  let shown = new Map<string, string>()

  async function summarize(listing: ContextListing): Promise<ConversationSummary> {
    const stamp = `${listing.bytes}:${listing.updatedAtMs ?? ''}`
    let facts = known.get(listing.name)
    if (facts?.stamp !== stamp) {
      facts = { stamp, times: await readTimes(store, listing) }
      known.set(listing.name, facts)
    }
    return summaryOf(listing, facts, options.isRunning(listing.name))
  }

  async function readAll(): Promise<ConversationSummary[]> {
    const listings = await store.listContexts()
    const rows: ConversationSummary[] = []
    for (const listing of listings) rows.push(await summarize(listing))
    rows.sort(byUpdated)
    shown = new Map(rows.map((row) => [row.key, JSON.stringify(row)]))
    return rows
  }

  /** Reads the list again and tells what differs from what was told last. */
  async function tellChanges(): Promise<void> {
    const before = shown
    const rows = await readAll()
    const conversations = rows.filter((row) => before.get(row.key) !== shown.get(row.key))
    const gone = [...before.keys()].filter((key) => !shown.has(key))
    if (conversations.length > 0 || gone.length > 0) options.changed({ conversations, gone })
  }

  const unwatch =
    options.watched === false
      ? () => undefined
      : store.watch(undefined, () => {
          // A home that cannot be listed now is told when somebody asks for the list.
          tellChanges().catch(() => undefined)
        })

  async function find(key: LibraryKey): Promise<ConversationSummary | undefined> {
    const listing = await store.findContext(key)
    return listing === undefined ? undefined : summarize(listing)
  }

  return {
    async list(cursor, limit) {
      const rows = await readAll()
      const start = cursor === undefined ? 0 : rows.findIndex((row) => row.key === cursor) + 1
      const conversations = rows.slice(start, start + limit)
      const last = conversations.at(-1)
      const more = last !== undefined && start + limit < rows.length
      return { conversations, total: rows.length, ...(more ? { next: last.key } : {}) }
    },

    find,

    async details(key, signal) {
      const listing = await store.findContext(key)
      if (listing === undefined)
        throw new AppError('not-found', `There is no conversation "${key}" any more.`)
      await summarize(listing)
      const count = await countTranscript(store, key, signal)
      const facts = known.get(key)
      if (facts !== undefined) facts.count = count
      const notes = await store.readNotes(key)
      return {
        summary: summaryOf(listing, facts, options.isRunning(key)),
        folder: `${options.shownHome}/contexts/${key}`,
        partitions: count.partitions,
        models: [...count.models],
        lines: count.lines,
        blank: count.blank,
        damaged: count.damaged,
        strays: [...count.strays],
        notices: [...count.notices],
        ...(notes.todos === undefined ? {} : { todos: notes.todos }),
        ...(notes.goals === undefined ? {} : { goals: notes.goals }),
        ...(notes.summary === undefined ? {} : { contextSummary: notes.summary }),
      }
    },

    async refresh(key) {
      const listing = await store.findContext(key)
      if (listing === undefined) return tellChanges()
      const row = await summarize(listing)
      const told = JSON.stringify(row)
      if (shown.get(row.key) === told) return
      shown.set(row.key, told)
      options.changed({ conversations: [row], gone: [] })
    },

    async countAll(limitBytes, signal) {
      for (const listing of await store.listContexts(signal)) {
        if (signal.aborted) return
        await summarize(listing)
        const facts = known.get(listing.name)
        if (facts === undefined || facts.count !== undefined) continue
        if (listing.unreadable !== undefined || listing.bytes > limitBytes) continue
        // One that cannot be counted keeps its row without a count; opening it says why.
        const count = await countTranscript(store, listing.name, signal).catch(() => undefined)
        if (count === undefined) continue
        facts.count = count
        const row = summaryOf(listing, facts, options.isRunning(listing.name))
        shown.set(row.key, JSON.stringify(row))
        options.changed({ conversations: [row], gone: [] })
      }
    },

    close: unwatch,
  }
}

function summaryOf(
  listing: ContextListing,
  facts: Known | undefined,
  running: boolean,
): ConversationSummary {
  return {
    source: 'chibi',
    key: listing.name as LibraryKey, // the store gives names that passed chibi's rule
    title: listing.name,
    project: null,
    created: facts?.times.created ?? null,
    updated: facts?.times.updated ?? null,
    bytes: listing.bytes,
    lock: listing.lock,
    running,
    ...(facts?.count === undefined
      ? {}
      : { entries: facts.count.entries, damaged: facts.count.damaged }),
    ...(listing.unreadable === undefined ? {} : { unreadable: listing.unreadable }),
  }
}

/** Newest first; what has no time comes last, by name. */
function byUpdated(a: ConversationSummary, b: ConversationSummary): number {
  if (a.updated !== b.updated) return (b.updated ?? '') < (a.updated ?? '') ? -1 : 1
  return a.key < b.key ? -1 : 1
}
