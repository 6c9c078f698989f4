import type { SqlValue } from '../../../sqlite/engine'
import { isDamaged } from '../../common/rows/database-file'
import type { SchemaAnswer, SchemaReader } from '../../common/rows/table-schema'
import { lostSessions } from './lost-sessions'
import { readSums } from './read-sums'
import { generationsOf, overviewQueries, type SeenRows } from './session-sql'
import type { SessionSums } from './session-sums'

/** The sessions of a database at one moment. */
export interface SessionListing {
  readonly sessions: readonly SessionSums[]
  /** Sessions whose rows could not be read, with the reason as the end of a sentence. */
  readonly unread: ReadonlyMap<string, string>
  /** The reason why sessions may be missing, as the end of a sentence. */
  readonly fault: string | undefined
}

/** A function that lists the sessions of a database. @throws SqliteError */
export type ListSessions = (path: string) => Promise<SessionListing>

/** The parts of a database that a list remembers for the next one. */
interface Remembered {
  readonly state: string
  readonly listing: SessionListing
  readonly isDamaged: boolean
  readonly sums: ReadonlyMap<string, SessionSums>
  /** By id: the newest changes that the rows of sessions have. */
  readonly changes: ReadonlyMap<string, string>
  /** By generation. */
  readonly seen: readonly SeenRows[]
}

/** Sessions summed up at once, by an index: a query must be short, or a busy writer overtakes it. */
const indexedBatch = 50
/** The sessions that were changed last are summed up again with every change: rows are updated in place. */
const mostRecent = 8

/**
 * Creates a function that lists sessions and remembers their sums: the first list of a database reads the length of every
 * row; later ones only of sessions that may have changed.
 */
export function sessionLister(reader: SchemaReader): ListSessions {
  const remembered = new Map<string, Remembered>()
  return async (path) => {
    const before = remembered.get(path)
    const now = await overview(reader, path, before)
    if (before?.state === now.state) return before.listing
    const sums = new Map(before?.sums)
    const recent = recentIds(now.changes)
    const wasDamaged = before?.isDamaged === true || now.lost !== undefined
    const isSame = (id: string) =>
      !wasDamaged &&
      sums.has(id) &&
      !recent.has(id) &&
      !now.grown.has(id) &&
      now.changes.has(id) &&
      before?.changes.get(id) === now.changes.get(id)
    const ids = new Set([...now.changes.keys(), ...now.grown, ...sums.keys()])
    const wanted = [...ids].filter((id) => !isSame(id))
    const { unread, lost = now.lost } = await sumUp(reader, path, wanted, now.batch, sums)
    const gone = await lostSessions(reader, path, { lost })
    for (const id of gone.ids) if (!sums.has(id) && !unread.has(id)) unread.set(id, allLost)
    const listing = { sessions: [...sums.values()], unread, fault: gone.fault }
    const { state, changes, seen } = now
    // What could not be read is tried again.
    if (unread.size === 0)
      remembered.set(path, { state, listing, changes, seen, sums, isDamaged: lost !== undefined })
    return listing
  }
}

const allLost = 'is damaged: its rows are on pages that cannot be read'

interface Overview {
  readonly state: string
  readonly changes: ReadonlyMap<string, string>
  readonly seen: readonly SeenRows[]
  /** Sessions with rows that were not there before. */
  readonly grown: ReadonlySet<string>
  /** So many sessions are summed up at once. */
  readonly batch: number
  /** See `SchemaAnswer`. */
  readonly lost: SchemaAnswer['lost']
}

async function overview(
  reader: SchemaReader,
  path: string,
  before: Remembered | undefined,
): Promise<Overview> {
  const { schema, state, answers, lost } = await reader.read(path, (known) =>
    generationsOf(known).flatMap((generation, at) =>
      overviewQueries(known, generation, before?.seen[at]),
    ),
  )
  const generations = generationsOf(schema).length
  const each = answers.length / Math.max(1, generations)
  const changes = new Map<string, string>()
  const grown = new Set<string>()
  const seen: SeenRows[] = []
  for (let at = 0; at < generations; at++) {
    const [sessions, messages, parts, ...ids] = answers
      .slice(at * each, (at + 1) * each)
      .map(({ rows }) => rows)
    for (const [id, time] of sessions ?? [])
      changes.set(String(id), `${changes.get(String(id)) ?? ''} ${time}`)
    for (const [id] of ids.flat()) grown.add(String(id))
    seen.push({ messages: rowidIn(messages), parts: rowidIn(parts) })
  }
  const isIndexed = generationsOf(schema).every(({ messages, parts }) =>
    [messages, parts ?? messages].every((table) => schema.indexes.has(table)),
  )
  // Without an index each query reads all rows: one for all sessions.
  const batch = isIndexed && lost === undefined ? indexedBatch : Number.POSITIVE_INFINITY
  return { state, changes, seen, grown, batch, lost }
}

interface SummedUp {
  readonly unread: Map<string, string>
  readonly lost?: SchemaAnswer['lost']
}

/** Puts the sums of sessions into `sums`, and takes those out that are gone; returns what could not be read. */
async function sumUp(
  reader: SchemaReader,
  path: string,
  ids: readonly string[],
  batch: number,
  sums: Map<string, SessionSums>,
): Promise<SummedUp> {
  const unread = new Map<string, string>()
  let lost: SchemaAnswer['lost']
  const sumUpNow = async (some: readonly string[]) => {
    const found = await readSums(reader, path, some)
    lost = found.lost ?? lost
    for (const id of some) {
      const one = found.sums.get(id)
      if (one === undefined) sums.delete(id)
      else sums.set(id, one)
    }
  }
  for (let at = 0; at < ids.length; at += batch) {
    const some = ids.slice(at, at + batch)
    try {
      await sumUpNow(some)
    } catch (error) {
      if (!isDamaged(error)) throw error
      // A damaged page is of one session or two: the others can be read.
      for (const id of some)
        await sumUpNow([id]).catch((fault: unknown) => {
          if (!isDamaged(fault)) throw fault
          unread.set(id, fault.message)
          sums.delete(id)
        })
    }
  }
  return lost === undefined ? { unread } : { unread, lost }
}

function rowidIn(rows: readonly (readonly SqlValue[])[] | undefined): number {
  const [[rowid] = []] = rows ?? []
  return typeof rowid === 'number' ? rowid : 0
}

function recentIds(changes: ReadonlyMap<string, string>): ReadonlySet<string> {
  const newest = (change: string) => Math.max(...change.trim().split(' ').map(Number))
  const sorted = [...changes].sort(([, a], [, b]) => newest(b) - newest(a))
  return new Set(sorted.slice(0, mostRecent).map(([id]) => id))
}
