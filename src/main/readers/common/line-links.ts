import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import { isOfHuman, isOfSubagent } from '../../../shared/model/family/tree-record'
import type { RecordLink } from './value-meaning'

/** A decoded line, as far as the tree of its file goes. */
interface LinkedLine {
  readonly rows: readonly TranscriptRow[]
  /** Of its records, in their order. */
  readonly links: readonly RecordLink[]
}

/**
 * Follows the records of a file with parents, in file order. A parent that is no entry is passed through: what goes on
 * from it goes on from the entry before it. Holds the ids of such records alone, and in formats without ids an id for each turn.
 */
export class LineLinks {
  /** Records that are no entries, with their parents. */
  private readonly passed = new Map<string, string | null>()
  private newest: string | undefined
  private told: string | undefined
  /** In a format without ids: the last entry that counts, and for each turn of a person that counts the one before it. */
  private last: EntryId | null | undefined
  private turns: (EntryId | null)[] = []

  /** Takes the next line, and returns its rows with the parents that entries have. */
  add({ rows, links }: LinkedLine): readonly TranscriptRow[] {
    if (links.length === 0) return rows
    if (links.some(isOfChain)) return this.chained(rows, links)
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
    copy.last = this.last
    copy.turns = [...this.turns]
    return copy
  }

  /** Lists where the conversation may be now: the first of these that is an entry of it counts. */
  get leaves(): readonly EntryId[] {
    if (this.last !== undefined) return this.last === null ? [] : [this.last]
    const named = [this.told, this.newest].map((id) => (id === undefined ? null : this.through(id)))
    return named.flatMap((id) => id ?? [])
  }

  /** The first entry of a line is its record's: the others are further parts of it. */
  private chained(
    rows: readonly TranscriptRow[],
    links: readonly RecordLink[],
  ): readonly TranscriptRow[] {
    for (const { takesBack = 0 } of links) this.takeBack(takesBack)
    const before = this.last ?? null
    const entries = rows.flatMap((row) => (row.type === 'entry' ? [row.entry] : []))
    const [first] = entries
    if (first === undefined) return rows
    this.last = first.id
    if (entries.some(isOfHuman)) this.turns.push(before)
    return rows.map((row) =>
      row.type === 'entry' && row.entry === first
        ? { type: 'entry', entry: { ...first, parent: before } }
        : row,
    )
  }

  private takeBack(turns: number): void {
    if (turns === 0 || this.turns.length === 0) return
    const kept = Math.max(0, this.turns.length - turns)
    this.last = this.turns[kept] ?? null
    this.turns.length = kept
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

function isOfChain({ follows, takesBack }: RecordLink): boolean {
  return follows === true || takesBack !== undefined
}

/** Returns true for a row that is an entry of the conversation itself. */
function isOwn(row: TranscriptRow): row is { type: 'entry'; entry: Entry } {
  return row.type === 'entry' && !isOfSubagent(row.entry)
}

function isThere(rows: readonly TranscriptRow[], id: string): boolean {
  return rows.some((row) => row.type === 'entry' && row.entry.id === id)
}
