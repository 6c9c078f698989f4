import type {
  ConversationSummary,
  LibraryKey,
} from '../../../shared/model/conversation/conversation'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import type { ConversationListing } from './conversation-source'
import type { LibraryFacts } from './library-facts'

/** A background job that counts conversations, and counts changed ones again. */
export interface BackgroundCounts {
  /** Counts what has not been counted, in this order. */
  count(listings: readonly ConversationListing[]): Promise<void>
  /** Counts again, after a while of quiet, what of these has no count any more. */
  recount(rows: readonly ConversationSummary[]): void
  stop(): void
}

const reportEveryMs = 150
const saveEveryMs = 10_000
/** A conversation that is being written is counted when it rests. */
const quietMs = 1500

/** Creates the background job; it counts when it is asked to. */
export function startBackgroundCounts(options: {
  readonly facts: LibraryFacts
  readonly find: (key: LibraryKey) => Promise<ConversationListing | undefined>
  /** Conversations that are counted at the same time. */
  readonly width: number
  /** Larger ones are left out. */
  readonly limitBytes: number
  readonly signal: AbortSignal
  readonly tell: (rows: readonly ConversationSummary[]) => void
}): BackgroundCounts {
  const { facts, limitBytes, signal } = options
  const changed = new Set<LibraryKey>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const isOver = () => isStopped || signal.aborted

  async function countOne(listed: ConversationListing): Promise<ConversationSummary | undefined> {
    if (isOver() || listed.unreadable !== undefined || listed.bytes > limitBytes) return undefined
    if (facts.counted(listed) !== undefined) return undefined
    try {
      await facts.row(listed, signal)
      await facts.count(listed, signal)
      return await facts.row(listed, signal)
    } catch {
      return undefined // It keeps its row without a count; opening it shows why.
    }
  }

  async function count(listings: readonly ConversationListing[]): Promise<void> {
    let rows: ConversationSummary[] = []
    let reportedAt = performance.now()
    let savedAt = reportedAt
    const flush = () => {
      if (!isOver()) options.tell(rows)
      rows = []
      reportedAt = performance.now()
    }
    await mapConcurrent(
      listings,
      async (listed) => {
        const row = await countOne(listed)
        if (row !== undefined) rows.push(row)
        const now = performance.now()
        if (now - reportedAt >= reportEveryMs) flush()
        if (now - savedAt < saveEveryMs) return
        savedAt = now
        await facts.save()
      },
      options.width,
    )
    flush()
    await facts.save()
  }

  async function countChanged(): Promise<void> {
    timer = undefined
    const keys = [...changed]
    changed.clear()
    // One that cannot be found now is counted when it is opened.
    const listings = await mapConcurrent(keys, (key) => options.find(key).catch(() => undefined))
    await count(listings.filter((listed) => listed !== undefined))
  }

  return {
    count,
    recount(rows) {
      if (isOver()) return
      const without = rows.filter((row) => row.entries === undefined && !row.unreadable)
      for (const { key } of without) changed.add(key)
      if (without.length === 0) return
      clearTimeout(timer)
      timer = setTimeout(() => void countChanged(), quietMs).unref()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
