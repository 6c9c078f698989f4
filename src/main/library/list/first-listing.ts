import { setImmediate } from 'node:timers/promises'
import { AppError, type ErrorReport } from '../../../shared/model/basics/errors'
import type {
  ConversationSummary,
  LibraryKey,
} from '../../../shared/model/conversation/conversation'
import type { ListingState } from '../../../shared/model/listing-state'
import { sleep } from '../../async/sleep'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import type { ConversationListing } from './conversation-source'
import type { LibraryFacts } from './library-facts'

/** The first list of a library without a cache: its rows come before all of them are known. */
export interface FirstListing {
  /** How far it is; undefined once all rows are known, or no more will come. */
  readonly state: 'finding' | 'reading' | undefined
  /** Resolves to whether all conversations were found within this time. @throws AppError `unreadable` */
  isFoundWithin(ms: number): Promise<boolean>
  /** The row of a conversation that was read by now; undefined where it was not. */
  rowOf(key: LibraryKey): ConversationSummary | undefined
  /** Reads all rows and tells them from now on, the newest first. Resolves when all are told. Never rejects. */
  tellRows(): Promise<void>
}

/** The functions that a first listing works with. */
export interface FirstListingDeps {
  readonly facts: Pick<LibraryFacts, 'row' | 'rowWithoutReading'>
  /** Scans all sources, and calls `found` with the conversations of each. @throws AppError `unreadable` */
  readonly scan: (
    found: (some: readonly ConversationListing[]) => void,
    signal: AbortSignal,
  ) => Promise<void>
  /** False once one that was found has gone. */
  readonly isThere: (key: LibraryKey) => boolean
  /** True where a page will give the row. */
  readonly isPromised: (key: LibraryKey) => boolean
  readonly tell: (rows: readonly ConversationSummary[], listing: ListingState) => void
  readonly signal: AbortSignal
}

/** Pause between two reports. In ms. */
const tellEveryMs = 250
/** Rows of one report, and provisional rows: the app window takes them in within a few frames. */
const rowsAtOnce = 2000
/** Rows that are read before all conversations are found: those in sight at the top. */
const soonRows = 100
/** Rows whose facts are known already are made so long, then other work has its turn. In ms. */
const turnMs = 8
/** Pause between two looks of one who waits. In ms. */
const lookEveryMs = 20

/** Begins to scan all sources, and to read the newest rows. Tells nothing before `tellRows`. */
export function beginFirstListing(deps: FirstListingDeps): FirstListing {
  const { facts, signal, tell } = deps
  let state: FirstListing['state'] = 'finding'
  const found: ConversationListing[] = []
  const unread = new Set<ConversationListing>()
  const read = new Map<LibraryKey, ConversationSummary>()
  /** Those whose provisional rows are still to be told. */
  let fresh: ConversationListing[] = []
  /** Rows that were read, and are still to be told. */
  let rows: ConversationSummary[] = []
  let turnAt = performance.now()

  function add(some: readonly ConversationListing[]): void {
    for (const one of some) {
      found.push(one)
      unread.add(one)
      fresh.push(one)
    }
  }

  async function readRow(listed: ConversationListing): Promise<void> {
    if (performance.now() - turnAt > turnMs) {
      await setImmediate()
      turnAt = performance.now()
    }
    if (signal.aborted || !unread.delete(listed) || !deps.isThere(listed.key)) return
    const row = await facts.row(listed, signal)
    // Those of before may be told by now.
    rows.push(row)
    read.set(listed.key, row)
  }

  /** While sources are still being listed, their threads are left to that but for what is in sight. */
  async function readSoon(): Promise<void> {
    let seen = 0
    while (state === 'finding' && !signal.aborted) {
      if (found.length > seen) {
        seen = found.length
        await mapConcurrent(newestFirst(found).slice(0, soonRows), readRow)
      } else await sleep(lookEveryMs, signal)
    }
  }

  /** Tells what was read, and some of what was found. */
  function report(): void {
    const isToTell = ({ key }: ConversationListing) =>
      !read.has(key) && !deps.isPromised(key) && deps.isThere(key)
    const some = newestFirst(fresh.filter(isToTell))
    fresh = some.slice(rowsAtOnce)
    const provisional = some.slice(0, rowsAtOnce).map((listed) => facts.rowWithoutReading(listed))
    const isFound = state !== 'finding' && fresh.length === 0
    tell([...provisional, ...nextRows()], { state: isFound ? 'reading' : 'finding' })
  }

  /** Takes out the rows that the next report tells; one that has gone since it was read is told no more. */
  function nextRows(): readonly ConversationSummary[] {
    const told = rows.slice(0, rowsAtOnce)
    rows = rows.slice(rowsAtOnce)
    return told.filter(({ key }) => deps.isThere(key))
  }

  /** Tells what was read but for what the last report tells. */
  async function reportRest(): Promise<void> {
    while (rows.length > rowsAtOnce && !signal.aborted) {
      tell(nextRows(), { state: 'reading' })
      await sleep(tellEveryMs, signal)
    }
  }

  async function reportUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await sleep(tellEveryMs, signal)
      if (!isOver()) report()
    }
  }

  const scanning = deps.scan(add, signal).finally(() => {
    state = 'reading'
  })
  const soon = readSoon()
  // Who waits for them is told.
  scanning.catch(() => undefined)
  soon.catch(() => undefined)

  return {
    get state() {
      return state
    },
    async isFoundWithin(ms) {
      const until = performance.now() + ms
      const scanned = scanning.catch(() => undefined)
      while (state === 'finding' && performance.now() < until)
        await Promise.race([scanned, sleep(lookEveryMs)])
      if (state === 'finding') return false
      state = undefined
      await scanning
      return true
    },
    rowOf: (key) => read.get(key),
    async tellRows() {
      let isOver = false
      const reporting = reportUntil(() => isOver || signal.aborted)
      let failure: ErrorReport | undefined
      try {
        await scanning
        await soon
        await mapConcurrent(newestFirst([...unread]), readRow)
        isOver = true
        await reporting
        await reportRest()
      } catch (error) {
        failure = reportOf(error)
      }
      isOver = true
      await reporting
      state = undefined
      // Who asks for its state holds it for as long as the library is open.
      found.length = 0
      fresh = []
      read.clear()
      if (!signal.aborted)
        tell(nextRows(), failure === undefined ? { state: 'done' } : { state: 'failed', failure })
    },
  }
}

/** By the times of their files. */
function newestFirst(listings: readonly ConversationListing[]): readonly ConversationListing[] {
  return [...listings].sort((a, b) => (b.updatedAtMs ?? 0) - (a.updatedAtMs ?? 0))
}

function reportOf(error: unknown): ErrorReport {
  if (error instanceof AppError) return error.report()
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) }
}
