import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import { isOfSubagent } from '../../../shared/model/family/tree-record'
import type { RecordLink } from './value-meaning'

/** A decoded line, as far as the tree of its file goes. */
interface LinkedLine {
  readonly rows: readonly TranscriptRow[]
  /** Of its records, in their order. */
  readonly links: readonly RecordLink[]
}

/**
 * Follows the records of a file with parents, in file order. A parent that is no entry is passed through: what goes on
 * from it goes on from the entry before it. Holds the ids of such records alone.
 */
export class LineLinks {
  /** Records that are no entries, with their parents. */
  private readonly passed = new Map<string, string | null>()
  private newest: string | undefined
  private told: string | undefined

  /** Takes the next line, and returns its rows with the parents that entries have. */
  add({ rows, links }: LinkedLine): readonly TranscriptRow[] {
    if (links.length === 0) return rows
    const placed = this.passed.size === 0 ? rows : rows.map((row) => this.placed(row))
    const entryIds = new Set<string>(rows.flatMap((row) => (isOwn(row) ? [row.entry.id] : [])))
    for (const { id, parent = null, leaf } of links) {
      const isEntry = id !== undefined && entryIds.has(id)
      if (id !== undefined && !isEntry && !isThere(rows, id)) this.passed.set(id, parent)
      if (isEntry) {
        this.newest = id
        this.told = undefined
      }
      this.told = leaf ?? this.told
    }
    return placed
  }

  /** Returns another one that knows the same, for a line that may not stay as it is. */
  copy(): LineLinks {
    const copy = new LineLinks()
    for (const [id, parent] of this.passed) copy.passed.set(id, parent)
    copy.newest = this.newest
    copy.told = this.told
    return copy
  }

  /** Lists where the conversation may be now: the first of these that is an entry of it counts. */
  get leaves(): readonly EntryId[] {
    const named = [this.told, this.newest].map((id) => (id === undefined ? null : this.through(id)))
    return named.flatMap((id) => id ?? [])
  }

  private placed(row: TranscriptRow): TranscriptRow {
    if (row.type !== 'entry' || row.entry.parent == null) return row
    const parent = this.through(row.entry.parent)
    return parent === row.entry.parent ? row : { ...row, entry: { ...row.entry, parent } }
  }

  /** The id itself, or that of the entry before a record that is none; null where nothing is before it. */
  private through(id: string): EntryId | null {
    const seen = new Set<string>()
    let at: string | null = id
    while (at !== null && !seen.has(at)) {
      const before = this.passed.get(at)
      if (before === undefined) return at as EntryId // a brand alone, of any text
      seen.add(at)
      at = before
    }
    return null
  }
}

/** Whether a row is an entry of the conversation itself. */
function isOwn(row: TranscriptRow): row is { type: 'entry'; entry: Entry } {
  return row.type === 'entry' && !isOfSubagent(row.entry)
}

function isThere(rows: readonly TranscriptRow[], id: string): boolean {
  return rows.some((row) => row.type === 'entry' && row.entry.id === id)
}
