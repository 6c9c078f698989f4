import type {
  ConversationSummary,
  LibraryKey,
} from '../../../shared/model/conversation/conversation'
import { sleep } from '../../async/sleep'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import type { ConversationListing } from './conversation-source'
import type { FirstListing } from './first-listing'
import type { LibraryFacts } from './library-facts'
import { byUpdated } from './rows'
import type { SourceScan } from './source-scan'

/** A page of rows. */
export interface LibraryPage {
  readonly conversations: ConversationSummary[]
  /** The cursor of the page after it; absent at the end. */
  readonly next?: string
  readonly total: number
  /** How far the list is, where its rows come before all of them are known: more come as changes. */
  readonly listing?: 'finding' | 'reading'
}

/** The facts and functions that pages are made with. */
export interface PagesDeps {
  readonly facts: LibraryFacts
  readonly scan: SourceScan
  readonly scanAll: () => Promise<void>
  /** Scans the disk after rows of the cache were given, and reports differences. Never rejects. */
  readonly check: () => Promise<void>
  /** See `LibraryOptions`. */
  readonly rowsAfterMs: number | undefined
  /** Begins the list of a library that has no cache. */
  readonly beginListing: () => FirstListing
  /** Tells the rows of that list, and resolves when all are told. Never rejects. */
  readonly tellListing: (listing: FirstListing) => Promise<void>
  /** The row of one that a scan did not find. */
  readonly missing: (key: LibraryKey) => ConversationSummary | undefined
  /** Records a row that was given. */
  readonly gave: (row: ConversationSummary) => void
}

/** The rows of a library by pages, in the order that the first page fixed. */
export interface Pages {
  /** See `LibraryPane.list`. */
  list(cursor: string | undefined, limit: number): Promise<LibraryPage>
  /** True where a page has given it, or will. */
  isPromised(key: string): boolean
  /**
   * Work that goes on after a first page: the scan behind rows of the cache, or the list that is told as it is found; undefined where
   * nothing does. Never rejects.
   */
  firstCheck(): Promise<void> | undefined
  /** The same of a list that is told as it is found alone, while it goes on. */
  toldList(): Promise<void> | undefined
  /** By what is known of their times without reading more. */
  newestFirst(listings: readonly ConversationListing[]): readonly ConversationListing[]
}

/** Time that a first page waits for an order by the entries' own times, and the scan for the cached pages. In ms. */
const momentMs = 300

/** Creates the pages of a library; nothing is read before the first one. */
export function openPages(deps: PagesDeps): Pages {
  const { facts, scan, scanAll, check, missing, gave } = deps
  const { rowsAfterMs, beginListing, tellListing } = deps
  /** The order in which pages give the rows, from the last first page on. */
  let order: readonly LibraryKey[] = []
  let promised: ReadonlySet<string> = new Set()
  let firstCheck: Promise<void> | undefined
  let listing: FirstListing | undefined

  async function newOrder(): Promise<readonly LibraryKey[]> {
    await facts.ready
    const remembered = scan.isDone || firstCheck !== undefined ? [] : facts.newestFirst()
    if (remembered.length > 0) {
      // Not together with the first pages: a start waits for them alone.
      firstCheck = sleep(momentMs).then(check)
      return remembered
    }
    const isFirst = rowsAfterMs !== undefined && !scan.isDone && firstCheck === undefined
    if (isFirst && listing?.state === undefined) listing = beginListing()
    if (listing?.state === undefined) await scanAll()
    else if (firstCheck !== undefined || !(await listing.isFoundWithin(rowsAfterMs ?? 0))) {
      firstCheck ??= tellListing(listing)
      return inOrder()
    }
    await readForAMoment(newestFirst([...scan.found.values()]))
    return inOrder()
  }

  /** How far the list is that is told as it is found and read; undefined where none is. */
  function toldState(): FirstListing['state'] {
    return firstCheck === undefined ? undefined : listing?.state
  }

  /** All keys, those of conversations that are gone or were not reached last. */
  function inOrder(): readonly LibraryKey[] {
    const others = [...facts.keys()].filter((key) => !scan.found.has(key))
    return [...newestFirst([...scan.found.values()]).map(({ key }) => key), ...others]
  }

  async function readForAMoment(listings: readonly ConversationListing[]): Promise<void> {
    const until = performance.now() + momentMs
    await mapConcurrent(listings, async (listed) => {
      if (performance.now() < until) await facts.row(listed)
    })
  }

  function newestFirst(listings: readonly ConversationListing[]): readonly ConversationListing[] {
    return listings
      .map((listed) => ({ listed, key: listed.key, updated: facts.roughTime(listed) }))
      .sort(byUpdated)
      .map(({ listed }) => listed)
  }

  async function pageRow(key: LibraryKey): Promise<readonly ConversationSummary[]> {
    const listed = scan.found.get(key)
    if (listed === undefined) return given(notFoundRow(key))
    if (toldState() === undefined) return given(await facts.row(listed))
    // The list reads the rows, and tells them once: one that stays unread, or keeps no facts, is given as it was told.
    const row = facts.rowWithoutReading(listed)
    return given(row.provisional ? (listing?.rowOf(key) ?? row) : row)
  }

  function notFoundRow(key: LibraryKey): ConversationSummary | undefined {
    // After a scan, it has gone since the first page was given.
    return scan.isDone ? missing(key) : facts.remembered(key)
  }

  function given(row: ConversationSummary | undefined): readonly ConversationSummary[] {
    if (row === undefined) return []
    gave(row)
    return [row]
  }

  /** Rows of the cache alone, as at a start, are there at once. */
  async function pageRows(keys: readonly LibraryKey[]): Promise<ConversationSummary[]> {
    if (scan.found.size === 0) return keys.flatMap((key) => given(notFoundRow(key)))
    return (await mapConcurrent(keys, pageRow)).flat()
  }

  return {
    async list(cursor, limit) {
      if (cursor === undefined || !promised.has(cursor)) {
        order = await newOrder()
        promised = new Set(order)
      }
      const rows = order
      const names: readonly string[] = rows
      const start = cursor === undefined ? 0 : names.indexOf(cursor) + 1
      const keys = rows.slice(start, start + limit)
      const last = keys.at(-1)
      const more = last !== undefined && start + limit < rows.length
      const conversations = (await pageRows(keys)).sort(byUpdated)
      const state = toldState()
      return {
        conversations,
        total: rows.length,
        ...(more ? { next: last } : {}),
        ...(state === undefined ? {} : { listing: state }),
      }
    },
    isPromised: (key) => promised.has(key),
    firstCheck: () => firstCheck,
    toldList: () => (toldState() === undefined ? undefined : firstCheck),
    newestFirst,
  }
}
