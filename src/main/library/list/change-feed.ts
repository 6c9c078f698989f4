import type {
  ConversationSummary,
  LibraryKey,
} from '../../../shared/model/conversation/conversation'
import type { ListingState } from '../../../shared/model/listing-state'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import type { ConversationSource } from './conversation-source'
import type { LibraryFacts } from './library-facts'
import type { SourceScan } from './source-scan'

/** A change of the library: rows that are new or different, and keys of rows that are gone. */
export interface LibraryRowChange {
  readonly conversations: readonly ConversationSummary[]
  readonly gone: readonly string[]
  /** How far a first list is whose rows these are; absent for changes on the disk. */
  readonly listing?: ListingState
}

/** Rows reported at once: the first come soon, and none keeps the app window busy for long. */
const rowsAtOnce = 256

/** A feed of differences from the rows that the app window has. */
export interface ChangeFeed {
  /** Records that a row was given: differences from it are reported from now on. */
  gave(row: ConversationSummary): void
  /** Reports rows that differ from those that were given or reported last. */
  tell(rows: readonly ConversationSummary[], gone?: readonly LibraryKey[]): void
  /** The same for rows of a first list, with how far that is; rows that are the same count as well where that has changed. */
  tellListed(rows: readonly ConversationSummary[], listing: ListingState): void
  /** Reports what a scan of a source has found; rows that a later page will give are left to it. */
  differences(source: ConversationSource): Promise<void>
}

/**
 * Creates the change feed of a library.
 *
 * @param options.isPromised whether a page that was not given yet will give this row
 *
 * @param options.isMissing whether one that was not found is gone for certain
 *
 * @param options.changed is called with each change
 */
export function openChangeFeed(options: {
  readonly facts: LibraryFacts
  readonly scan: SourceScan
  readonly isPromised: (key: LibraryKey) => boolean
  readonly isMissing: (key: LibraryKey) => boolean
  readonly changed: (change: LibraryRowChange) => void
}): ChangeFeed {
  const { facts, scan } = options
  const shown = new Map<LibraryKey, ConversationSummary>()
  let toldState: ListingState['state'] | undefined

  function differing(rows: readonly ConversationSummary[]): readonly ConversationSummary[] {
    return rows.filter((row) => {
      const before = shown.get(row.key)
      if (before !== undefined && JSON.stringify(before) === JSON.stringify(row)) return false
      shown.set(row.key, row)
      return true
    })
  }

  function tell(rows: readonly ConversationSummary[], gone: readonly LibraryKey[] = []): void {
    const conversations = differing(rows)
    for (const key of gone) shown.delete(key)
    if (conversations.length > 0 || gone.length > 0) options.changed({ conversations, gone })
  }

  function reportLoss(key: LibraryKey): void {
    const row = facts.lose(key)
    if (row === undefined) tell([], [key])
    else tell([row])
  }

  return {
    gave: (row) => void shown.set(row.key, row),
    tell,
    tellListed(rows, listing) {
      const conversations = differing(rows)
      const isSame = listing.state === toldState
      toldState = listing.state
      if (conversations.length > 0 || !isSame) options.changed({ conversations, gone: [], listing })
    },
    async differences(source) {
      for (const key of shown.keys())
        if (source.holds(key) && options.isMissing(key)) reportLoss(key)
      const candidates = [...scan.found.values()].filter(
        ({ key }) => source.holds(key) && (shown.has(key) || !options.isPromised(key)),
      )
      for (let at = 0; at < candidates.length; at += rowsAtOnce)
        tell(
          await mapConcurrent(candidates.slice(at, at + rowsAtOnce), (listed) => facts.row(listed)),
        )
    },
  }
}
