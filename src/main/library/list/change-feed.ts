import type {
  ConversationSummary,
  LibraryKey,
} from '../../../shared/model/conversation/conversation'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import type { ConversationSource } from './conversation-source'
import type { LibraryFacts } from './library-facts'
import type { SourceScan } from './source-scan'

/** A change of the library: rows that are new or different, and keys of rows that are gone. */
export interface LibraryRowChange {
  readonly conversations: readonly ConversationSummary[]
  readonly gone: readonly string[]
}

/** Rows told at once: the first come soon, and none keeps the window busy for long. */
const rowsTold = 256

/** A feed of differences from the rows that the app window has. */
export interface ChangeFeed {
  /** A row was given: what differs from it is told from now on. */
  gave(row: ConversationSummary): void
  /** Tells rows that differ from those that were given or told last. */
  tell(rows: readonly ConversationSummary[], gone?: readonly LibraryKey[]): void
  /** Tells what a look at a shelf has found; rows that a later page will give are left to it. */
  differences(shelf: ConversationSource): Promise<void>
}

/**
 * Creates the change feed of a library.
 *
 * @param options.isPromised whether a page that was not given yet will give this row
 *
 * @param options.isMissing whether one that was not found is gone for certain
 *
 * @param options.told is told after each change
 */
export function openChangeFeed(options: {
  readonly facts: LibraryFacts
  readonly looks: SourceScan
  readonly isPromised: (key: LibraryKey) => boolean
  readonly isMissing: (key: LibraryKey) => boolean
  readonly changed: (change: LibraryRowChange) => void
}): ChangeFeed {
  const { facts, looks } = options
  const shown = new Map<LibraryKey, ConversationSummary>()

  function tell(rows: readonly ConversationSummary[], gone: readonly LibraryKey[] = []): void {
    const conversations = rows.filter((row) => {
      const before = shown.get(row.key)
      if (before !== undefined && JSON.stringify(before) === JSON.stringify(row)) return false
      shown.set(row.key, row)
      return true
    })
    for (const key of gone) shown.delete(key)
    if (conversations.length > 0 || gone.length > 0) options.changed({ conversations, gone })
  }

  function tellLoss(key: LibraryKey): void {
    const row = facts.lose(key)
    if (row === undefined) tell([], [key])
    else tell([row])
  }

  return {
    gave: (row) => void shown.set(row.key, row),
    tell,
    async differences(shelf) {
      for (const key of shown.keys()) if (shelf.holds(key) && options.isMissing(key)) tellLoss(key)
      const candidates = [...looks.found.values()].filter(
        ({ key }) => shelf.holds(key) && (shown.has(key) || !options.isPromised(key)),
      )
      for (let at = 0; at < candidates.length; at += rowsTold)
        tell(
          await mapConcurrent(candidates.slice(at, at + rowsTold), (listed) => facts.row(listed)),
        )
    },
  }
}
