import type { SqlValue } from '../../../sqlite/engine'
import { SqliteError } from '../../../sqlite/sqlite-error'
import type { SchemaReader } from './schema'
import { generationsOf, overviewQueries, type SeenRows } from './session-sql'
import { type SessionSums, sumQueries, sumsFrom } from './session-sums'

/** The sessions of a database at one moment. */
export interface SessionListing {
  readonly sessions: readonly SessionSums[]
  /** Sessions whose rows could not be read, with the reason as the end of a sentence. */
  readonly unread: ReadonlyMap<string, string>
}

/** A function that lists the sessions of a database. @throws SqliteError */
export type ListSessions = (path: string) => Promise<SessionListing>

/** The parts of a database that a list remembers for the next one. */
interface Remembered {
  readonly state: string
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
    if (before?.state === now.state)
      return { sessions: [...before.sums.values()], unread: noFaults }
    const sums = new Map(before?.sums)
    const recent = recentIds(now.changes)
    const isSame = (id: string) =>
      sums.has(id) &&
      !recent.has(id) &&
      !now.grown.has(id) &&
      now.changes.has(id) &&
      before?.changes.get(id) === now.changes.get(id)
    const ids = new Set([...now.changes.keys(), ...now.grown, ...sums.keys()])
    const wanted = [...ids].filter((id) => !isSame(id))
    const unread = await sumUp(reader, path, wanted, now.batch, sums)
    const { state, changes, seen } = now
    // What could not be read is tried again.
    if (unread.size === 0) remembered.set(path, { state, changes, seen, sums })
    return { sessions: [...sums.values()], unread }
  }
}

interface Overview {
  readonly state: string
  readonly changes: ReadonlyMap<string, string>
  readonly seen: readonly SeenRows[]
  /** Sessions with rows that were not there before. */
  readonly grown: ReadonlySet<string>
  /** So many sessions are summed up at once. */
  readonly batch: number
}

async function overview(
  reader: SchemaReader,
  path: string,
  before: Remembered | undefined,
): Promise<Overview> {
  const { schema, state, answers } = await reader.read(path, (known) =>
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
    [messages, parts ?? messages].every((table) => schema.indexed.has(table)),
  )
  // Without an index each query reads all rows: one for all sessions.
  const batch = isIndexed ? indexedBatch : Number.POSITIVE_INFINITY
  return { state, changes, seen, grown, batch }
}

const noFaults: ReadonlyMap<string, string> = new Map()

/** Puts the sums of sessions into `sums`, and takes those out that are gone; returns what could not be read. */
async function sumUp(
  reader: SchemaReader,
  path: string,
  ids: readonly string[],
  batch: number,
  sums: Map<string, SessionSums>,
): Promise<ReadonlyMap<string, string>> {
  const unread = new Map<string, string>()
  for (let at = 0; at < ids.length; at += batch) {
    const some = ids.slice(at, at + batch)
    try {
      await sumUpNow(reader, path, some, sums)
    } catch (error) {
      if (!(error instanceof SqliteError) || error.code !== 'damaged') throw error
      // A damaged page is of one session or two: the others can be read.
      for (const id of some)
        await sumUpNow(reader, path, [id], sums).catch((fault: unknown) => {
          if (!(fault instanceof SqliteError) || fault.code !== 'damaged') throw fault
          unread.set(id, fault.message)
          sums.delete(id)
        })
    }
  }
  return unread
}

async function sumUpNow(
  reader: SchemaReader,
  path: string,
  ids: readonly string[],
  sums: Map<string, SessionSums>,
): Promise<void> {
  const { schema, answers } = await reader.read(path, (known) => sumQueries(known, ids))
  const found = sumsFrom(schema, answers)
  for (const id of ids) {
    const one = found.get(id)
    if (one === undefined) sums.delete(id)
    else sums.set(id, one)
  }
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
