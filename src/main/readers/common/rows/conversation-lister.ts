import { isDamaged } from './database-file'
import { lostConversations } from './lost-rows'
import type { SchemaAnswer, SchemaReader, WantedTables } from './table-schema'

/** The conversations of a database at one moment. */
export interface DatabaseListing<One> {
  readonly all: readonly One[]
  /** Conversations whose rows could not be read, with the reason as the end of a sentence. */
  readonly unread: ReadonlyMap<string, string>
  /** The reason why conversations may be missing, as the end of a sentence. */
  readonly fault: string | undefined
  /** Rows that cannot be read may have been of any of them. */
  readonly isDamaged: boolean
}

/** A function that lists the conversations of a database. @throws SqliteError */
export type ListDatabase<One> = (path: string) => Promise<DatabaseListing<One>>

/** Overview of a database: what is in it now, and what of that is new. */
export interface DatabaseOverview<Seen> extends Pick<SchemaAnswer, 'state' | 'lost' | 'fault'> {
  /** By id: the newest changes that the rows of conversations have, numbers with blanks between them. */
  readonly changes: ReadonlyMap<string, string>
  /** The rows that were seen: those behind them are new to the next overview. */
  readonly seen: Seen
  /** Conversations with rows that were not there before. */
  readonly grown: ReadonlySet<string>
  /** The rows of one conversation are found by an index. */
  readonly isIndexed: boolean
}

/** All conversations of a database, and what an overview of that state says. */
export interface AllRead<One, Seen>
  extends Pick<DatabaseOverview<Seen>, 'state' | 'changes' | 'seen' | 'fault'> {
  readonly found: ReadonlyMap<string, One>
}

/** The readings of which a list is made. They throw SqliteError. */
export interface ListedTables<One, Seen> {
  readonly keyColumns: WantedTables['keyColumns']
  overview(path: string, seen: Seen | undefined): Promise<DatabaseOverview<Seen>>
  /** Reads some conversations; those that are not there are left out. */
  readSome(
    path: string,
    ids: readonly string[],
  ): Promise<{ readonly found: ReadonlyMap<string, One> } & Pick<SchemaAnswer, 'lost'>>
  /** Reads all conversations at once, where that is faster; undefined where it cannot, and for a damaged database. */
  readAll?(path: string): Promise<AllRead<One, Seen> | undefined>
  /** Returns when a conversation was changed last, for tables whose overview tells no times. */
  changedMs?(one: One): number
}

/** The parts of a database that a list remembers for the next one. */
interface Remembered<One, Seen> {
  readonly state: string
  readonly listing: DatabaseListing<One>
  readonly known: ReadonlyMap<string, One>
  readonly changes: ReadonlyMap<string, string>
  readonly seen: Seen
}

/** Conversations read at once, by an index: a query must be short, or a busy writer overtakes it. */
const indexedBatch = 50
/** The conversations that were changed last are read again with every change: rows are updated in place. */
const mostRecent = 8

/**
 * Creates a function that lists conversations and remembers them: the first list of a database reads the length of every
 * row; later ones only of conversations that may have changed.
 */
export function conversationLister<One, Seen>(
  reader: SchemaReader,
  by: ListedTables<One, Seen>,
): ListDatabase<One> {
  const remembered = new Map<string, Remembered<One, Seen>>()
  return async (path) => {
    const before = remembered.get(path) ?? (await allNow(by, path))
    const now = await by.overview(path, before?.seen)
    if (before?.state === now.state) {
      remembered.set(path, before)
      return before.listing
    }
    const known = new Map(before?.known)
    const recent = recentIds(now.changes, known, by.changedMs)
    const wasDamaged = before?.listing.isDamaged === true || now.lost !== undefined
    const isSame = (id: string) =>
      !wasDamaged &&
      known.has(id) &&
      !recent.has(id) &&
      !now.grown.has(id) &&
      now.changes.has(id) &&
      before?.changes.get(id) === now.changes.get(id)
    const ids = new Set([...now.changes.keys(), ...now.grown, ...known.keys()])
    const wanted = [...ids].filter((id) => !isSame(id))
    // Without an index each query reads all rows: one for all conversations.
    const batch = now.isIndexed && now.lost === undefined ? indexedBatch : Number.POSITIVE_INFINITY
    const { unread, lost = now.lost } = await readInto(known, by, path, wanted, batch)
    const gone = await lostConversations(reader, path, by.keyColumns, { lost })
    for (const id of gone.ids) if (!known.has(id) && !unread.has(id)) unread.set(id, allLost)
    const isDamaged = lost !== undefined
    const fault = gone.fault ?? now.fault
    const listing = { all: [...known.values()], unread, fault, isDamaged }
    const { state, changes, seen } = now
    // What could not be read is tried again; what a disk has failed to read may be there the next time.
    const isPassing = [...(now.lost ?? []), ...(lost ?? [])].some(({ isUnread }) => isUnread)
    if (unread.size === 0 && !isPassing)
      remembered.set(path, { state, listing, changes, seen, known })
    return listing
  }
}

/** The first list, where all can be read at once. The program may write meanwhile: the next overview tells what is new. */
async function allNow<One, Seen>(
  by: ListedTables<One, Seen>,
  path: string,
): Promise<Remembered<One, Seen> | undefined> {
  const read = await by.readAll?.(path)
  if (read === undefined) return undefined
  const { found: known, fault, ...state } = read
  const listing = { all: [...known.values()], unread: new Map(), fault, isDamaged: false }
  return { ...state, known, listing }
}

const allLost = 'is damaged: its rows are on pages that cannot be read'

interface ReadOnes extends Partial<Pick<SchemaAnswer, 'lost'>> {
  readonly unread: Map<string, string>
}

/** Puts conversations into `known`, and takes those out that are gone; returns what could not be read. */
async function readInto<One, Seen>(
  known: Map<string, One>,
  by: ListedTables<One, Seen>,
  path: string,
  ids: readonly string[],
  batch: number,
): Promise<ReadOnes> {
  const unread = new Map<string, string>()
  let lost: SchemaAnswer['lost']
  const readNow = async (some: readonly string[]) => {
    const read = await by.readSome(path, some)
    lost = read.lost ?? lost
    for (const id of some) {
      const one = read.found.get(id)
      if (one === undefined) known.delete(id)
      else known.set(id, one)
    }
  }
  for (let at = 0; at < ids.length; at += batch) {
    const some = ids.slice(at, at + batch)
    try {
      await readNow(some)
    } catch (error) {
      if (!isDamaged(error)) throw error
      // A damaged page is of one conversation or two: the others can be read.
      for (const id of some)
        await readNow([id]).catch((fault: unknown) => {
          if (!isDamaged(fault)) throw fault
          unread.set(id, fault.message)
          known.delete(id)
        })
    }
  }
  return lost === undefined ? { unread } : { unread, lost }
}

function recentIds<One>(
  changes: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, One>,
  changedMs: ((one: One) => number) | undefined,
): ReadonlySet<string> {
  const newest = (change: string) =>
    Math.max(0, ...change.split(' ').map((one) => Number(one) || 0))
  const times =
    changedMs === undefined
      ? [...changes].map(([id, change]) => [id, newest(change)] as const)
      : [...known].map(([id, one]) => [id, changedMs(one)] as const)
  const sorted = times.sort(([, a], [, b]) => b - a)
  return new Set(sorted.slice(0, mostRecent).map(([id]) => id))
}
