import type { JsonObject } from '../../../../shared/model/basics/json-object'
import type { DiskFile, FileStat } from '../../../disk/interface/disk'
import { bytesFile } from '../../../records/interface/bytes-file'
import { type RecordFormat, recordPath } from '../../../records/interface/record-format'
import { LineFile } from '../../../records/lines/line-file'
import type { Databases } from '../../../sqlite/databases'
import { SqliteError } from '../../../sqlite/sqlite-error'
import type { ListDatabase } from '../../common/rows/conversation-lister'
import { onDatabase } from '../../common/rows/database-file'
import { databaseFormat } from '../../common/rows/database-format'
import { databaseListName, linesOfListing, listFileOf } from '../../common/rows/list-file'
import { lossOf, lostConversations } from '../../common/rows/lost-rows'
import { type SchemaReader, schemaReader } from '../../common/rows/table-schema'
import { callQueries } from './call-sql'
import { keyColumns } from './generations'
import { readSessionRows, readSums } from './read-sums'
import { beginningOfName, sessionFormat, sessionOfCallName } from './record-names'
import { beginningFile } from './session-beginning'
import { layOutLines, type SessionLine } from './session-lines'
import { sessionLister } from './session-list'
import { linesFromRows } from './session-rows'
import type { SessionSums } from './session-sums'

/**
 * Returns the format of OpenCode's databases: each session is a file of lines, its own row first, then its messages in
 * order, each with its parts. The name of a record file is the session's id; others list the sessions, name the call that
 * began one, and have the first lines of one (`record-names`).
 */
export function sessionRecords(databases: Databases): RecordFormat {
  const reader = schemaReader(databases, { keyColumns, isReadPastDamage: true })
  const list = sessionLister(reader)

  async function opened(container: string, found: FileStat, name: string) {
    const target = recordPath({ container, format: sessionFormat, name })
    if (name === databaseListName) return listFile(container, found, list)
    const child = sessionOfCallName(name)
    if (child !== undefined) return callFile(reader, target, container, found, child)
    const begun = beginningOfName(name)
    if (begun !== undefined) return beginningFile(reader, { container, found, target }, begun)
    return openSession(reader, container, found, target, name)
  }

  return databaseFormat({
    id: sessionFormat,
    opened,
    statOf(container, found, name) {
      const isSession = [sessionOfCallName, beginningOfName].every((of) => !of(name))
      if (name === databaseListName || !isSession) return undefined
      return readSums(reader, container, [name]).then(({ sums }) => {
        const own = sums.get(name)
        return own === undefined ? undefined : statOf(found, own)
      })
    },
  })
}

async function listFile(
  container: string,
  found: FileStat,
  list: ListDatabase<SessionSums>,
): Promise<DiskFile> {
  const lines = linesOfListing(await list(container), (sums) => {
    const { sizeBytes, mtimeMs, identity } = statOf(found, sums)
    const about = sums.head === undefined ? undefined : (JSON.parse(sums.head) as JsonObject) // SQLite's own JSON
    return { id: sums.id, sizeBytes, mtimeMs, identity, about }
  })
  return listFileOf({ container, format: sessionFormat }, found, lines)
}

async function callFile(
  reader: SchemaReader,
  target: string,
  container: string,
  found: FileStat,
  child: string,
): Promise<DiskFile> {
  const { answers } = await reader.read(container, (schema) => callQueries(schema, child))
  const call = answers.flatMap(({ rows }) => rows.flat()).find((one) => typeof one === 'string')
  return bytesFile(target, Buffer.from(`${JSON.stringify({ call })}\n`), found)
}

async function openSession(
  reader: SchemaReader,
  container: string,
  found: FileStat,
  target: string,
  session: string,
): Promise<DiskFile | undefined> {
  const { one, parts, lost } = await readSessionRows(reader, container, session)
  const loss = lossOf(await lostConversations(reader, container, keyColumns, { lost }), session)
  if (one === undefined && loss === undefined) return undefined
  if (one === undefined) throw new SqliteError('damaged', `is damaged: ${loss}`)
  const { sums } = one
  const lines = layOutLines(sums, one.messages, one.parts)
  const fault = parts === 'all' ? loss : (loss ?? 'the row of the session itself is damaged')
  const write = (wanted: readonly SessionLine[]) =>
    onDatabase(container, () => linesFromRows(reader, container, sums.generation, wanted))
  return new LineFile(target, statOf(found, sums), { lines, write, fault })
}

function statOf({ identity }: FileStat, { sizeBytes, mtimeMs, stamp }: SessionSums): FileStat {
  return { kind: 'file', sizeBytes, mtimeMs, identity: `${identity}:${stamp}` }
}
