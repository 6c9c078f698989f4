import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { DiskFile, FileStat } from '../../disk/interface/disk'
import { bytesFile } from '../../records/interface/bytes-file'
import { type RecordFormat, recordPath } from '../../records/interface/record-format'
import type { Databases } from '../../sqlite/databases'
import type { SqlValue } from '../../sqlite/engine'
import { SqliteError } from '../../sqlite/sqlite-error'
import { isDamaged } from '../common/rows/database-file'
import { databaseFormat } from '../common/rows/database-format'
import { databaseListName, type ListedLine, listFileOf } from '../common/rows/list-file'
import { lossOf, lostConversations } from '../common/rows/lost-rows'
import { type SchemaReader, schemaReader } from '../common/rows/table-schema'
import { composeThread } from './compose-thread'
import { threadDataQuery, threadsQuery, threadTables } from './thread-sql'
import { unpackThread } from './unpack-thread'

/** The id of the format that presents threads as files of lines. */
export const threadFormat = 'zed'

/** A thread's row: all but its data. */
interface ThreadRow {
  readonly id: string
  readonly rowid: number
  /** As JSON. */
  readonly row: string
  readonly changedMs: number
  /** Another text whenever the row may be another. */
  readonly stamp: string
}

/** Sizes of a thread's record file. */
interface ThreadSize {
  readonly stamp: string
  readonly sizeBytes: number
  /** Nothing was said in it. */
  readonly isEmpty: boolean
}

/**
 * Returns the format of Zed's databases, a row for each thread with all of it packed: each thread is a file of lines. The name of a
 * record file is the thread's id; another lists them, as those of all databases are listed. What a list unpacks for their sizes it
 * remembers until the row is another.
 */
export function zedThreadRecords(databases: Databases): RecordFormat {
  const reader = schemaReader(databases, threadTables)
  const sizes = new Map<string, Map<string, ThreadSize>>()

  async function composed(container: string, row: ThreadRow) {
    const { answers } = await reader.read(container, (schema) => [
      threadDataQuery(schema, row.rowid),
    ])
    const data = answers[0]?.rows[0]?.[0]
    const { text, fault } = await unpackThread(data instanceof Uint8Array ? data : nothing)
    const thread = await composeThread(row.row, text)
    const { bytes, messages, isTorn } = thread
    const size = { stamp: row.stamp, sizeBytes: bytes.length, isEmpty: messages === 0 && !isTorn }
    const known = sizes.get(container) ?? new Map<string, ThreadSize>()
    sizes.set(container, known.set(row.id, size))
    return { bytes, size, fault }
  }

  async function sizeOf(container: string, row: ThreadRow): Promise<ThreadSize> {
    const known = sizes.get(container)?.get(row.id)
    return known?.stamp === row.stamp ? known : (await composed(container, row)).size
  }

  async function listFile(container: string, found: FileStat): Promise<DiskFile> {
    const { rows, lost, ...read } = await readRows(reader, container)
    const listed: ListedLine[] = []
    for (const row of rows)
      try {
        const size = await sizeOf(container, row)
        if (!size.isEmpty) listed.push(listedLine(found, row, size))
      } catch (error) {
        if (!isDamaged(error)) throw error
        listed.push({ type: 'unread', id: row.id })
      }
    const ids = new Set(rows.map(({ id }) => id))
    for (const id of sizes.get(container)?.keys() ?? [])
      if (!ids.has(id)) sizes.get(container)?.delete(id)
    const gone = await lostConversations(reader, container, threadTables.keyColumns, { lost })
    for (const id of gone.ids) if (!ids.has(id)) listed.push({ type: 'unread', id })
    const fault = gone.fault ?? read.fault
    if (fault !== undefined) listed.push({ type: 'fault', fault })
    return listFileOf({ container, format: threadFormat }, found, listed)
  }

  async function opened(container: string, found: FileStat, name: string) {
    const target = recordPath({ container, format: threadFormat, name })
    if (name === databaseListName) return listFile(container, found)
    const { rows, lost } = await readRows(reader, container, name)
    const [row] = rows
    if (row === undefined) {
      const gone = await lostConversations(reader, container, threadTables.keyColumns, { lost })
      const loss = lossOf(gone, name)
      if (loss !== undefined) throw new SqliteError('damaged', `is damaged: ${loss}`)
      return undefined
    }
    const { bytes, size, fault } = await composed(container, row)
    return Object.assign(bytesFile(target, bytes, statOf(found, row, size)), { fault })
  }

  return databaseFormat({
    id: threadFormat,
    opened,
    statOf(container, found, name) {
      if (name === databaseListName) return undefined
      return readRows(reader, container, name).then(async ({ rows: [row] }) =>
        row === undefined ? undefined : statOf(found, row, await sizeOf(container, row)),
      )
    },
  })
}

const nothing = new Uint8Array(0)

async function readRows(reader: SchemaReader, container: string, id?: string) {
  const { answers, lost, fault } = await reader.read(container, (schema) => [
    threadsQuery(schema, id),
  ])
  return { rows: (answers[0]?.rows ?? []).map(rowOf), lost, fault }
}

function rowOf([id, rowid, row, bytes, changed]: readonly SqlValue[]): ThreadRow {
  const stamp = createHash('sha256').update(JSON.stringify([String(rowid), row, bytes]))
  return {
    id: String(id),
    rowid: Number(rowid),
    row: String(row),
    changedMs: Number(changed) || 0,
    stamp: stamp.digest('hex').slice(0, 16),
  }
}

function listedLine(found: FileStat, row: ThreadRow, size: ThreadSize): ListedLine {
  const { sizeBytes, mtimeMs, identity } = statOf(found, row, size)
  const own = JSON.parse(row.row) as JsonObject // SQLite's own JSON
  return { type: 'conversation', id: row.id, sizeBytes, mtimeMs, identity, about: own }
}

/** A thread that tells no time has that of its database. */
function statOf(found: FileStat, { changedMs, stamp }: ThreadRow, size: ThreadSize): FileStat {
  const mtimeMs = changedMs > 0 ? changedMs : found.mtimeMs
  return {
    kind: 'file',
    sizeBytes: size.sizeBytes,
    mtimeMs,
    identity: `${found.identity}:${stamp}`,
  }
}
