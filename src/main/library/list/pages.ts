import type {
  ConversationSummary,
  LibraryKey,
} from '../../../shared/model/conversation/conversation'
import { sleep } from '../../async/sleep'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import type { ConversationListing } from './conversation-source'
import type { LibraryFacts } from './library-facts'
import { byUpdated } from './rows'
import type { SourceScan } from './source-scan'

/** A page of rows. */
export interface LibraryPage {
  readonly conversations: ConversationSummary[]
  /** The cursor of the page after it; absent at the end. */
  readonly next?: string
  readonly total: number
}

/** The facts and functions that pages are made with. */
export interface PagesDeps {
  readonly facts: LibraryFacts
  readonly scan: SourceScan
  readonly scanAll: () => Promise<void>
  /** Scans the disk after rows of the cache were given, and reports differences. Never rejects. */
  readonly check: () => Promise<void>
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
  /** The scan after rows of the cache were given; undefined where none was needed. */
  firstCheck(): Promise<void> | undefined
  /** By what is known of their times without reading more. */
  newestFirst(listings: readonly ConversationListing[]): readonly ConversationListing[]
}

/** Time that a first page waits for an order by the entries' own times, and the scan for the cached pages. In ms. */
const momentMs = 300

/** Creates the pages of a library; nothing is read before the first one. */
export function openPages(deps: PagesDeps): Pages {
  const { facts, scan, scanAll, check, missing, gave } = deps
  /** The order in which pages give the rows, from the last first page on. */
  let order: readonly LibraryKey[] = []
  let promised: ReadonlySet<string> = new Set()
  let firstCheck: Promise<void> | undefined

  async function newOrder(): Promise<readonly LibraryKey[]> {
    await facts.ready
    const remembered = scan.isDone || firstCheck !== undefined ? [] : facts.newestFirst()
    if (remembered.length > 0) {
      // Not together with the first pages: a start waits for them alone.
      firstCheck = sleep(momentMs).then(check)
      return remembered
    }
    await scanAll()
    await readForAMoment(newestFirst([...scan.found.values()]))
    return inOrder()
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
    return given(listed === undefined ? notFoundRow(key) : await facts.row(listed))
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
      return { conversations, total: rows.length, ...(more ? { next: last } : {}) }
    },
    isPromised: (key) => promised.has(key),
    firstCheck: () => firstCheck,
    newestFirst,
  }
}
