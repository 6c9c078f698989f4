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
import { readSums } from './read-sums'
import { sessionFormat, sessionOfCallName } from './record-names'
import { layOutLines, type SessionLine } from './session-lines'
import { sessionLister } from './session-list'
import { linesFromRows } from './session-rows'
import { keyColumns, messageRows, partRows } from './session-sql'
import { type SessionSums, sumQueries, sumsFrom } from './session-sums'

/**
 * Returns the format of OpenCode's databases: each session is a file of lines, its own row first, then its messages in
 * order, each with its parts. The name of a record file is the session's id; others list the sessions, and name the call
 * that began one (`record-names`).
 */
export function sessionRecords(databases: Databases): RecordFormat {
  const reader = schemaReader(databases, { keyColumns, isReadPastDamage: true })
  const list = sessionLister(reader)

  async function opened(container: string, found: FileStat, name: string) {
    const target = recordPath({ container, format: sessionFormat, name })
    if (name === databaseListName) return listFile(container, found, list)
    const child = sessionOfCallName(name)
    if (child !== undefined) return callFile(reader, target, container, found, child)
    return openSession(reader, container, found, target, name)
  }

  return databaseFormat({
    id: sessionFormat,
    opened,
    statOf(container, found, name) {
      if (name === databaseListName || sessionOfCallName(name) !== undefined) return undefined
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

const mostTries = 3

async function openSession(
  reader: SchemaReader,
  container: string,
  found: FileStat,
  target: string,
  session: string,
): Promise<DiskFile | undefined> {
  for (let tries = 1; tries <= mostTries; tries++) {
    const { sums: before, parts, lost: lostBefore } = await readSums(reader, container, [session])
    const known = before.get(session)
    if (known === undefined) {
      const loss = lossOf(
        await lostConversations(reader, container, keyColumns, { lost: lostBefore }),
        session,
      )
      if (loss === undefined) return undefined
      throw new SqliteError('damaged', `is damaged: ${loss}`)
    }
    // All of one state: the sums may be others by now.
    const { schema, answers, lost } = await reader.read(container, (now) => [
      messageRows(now, known.generation, 'bytes', session),
      partRows(now, known.generation, 'bytes', session),
      ...sumQueries(now, [session], parts),
    ])
    const sums = sumsFrom(schema, answers.slice(2)).get(session)
    if (sums === undefined) return undefined
    // The program has just moved it to its newer tables.
    if (sums.generation.messages !== known.generation.messages) continue
    const lines = layOutLines(sums, answers[0]?.rows ?? [], answers[1]?.rows ?? [])
    const loss = lossOf(await lostConversations(reader, container, keyColumns, { lost }), session)
    const fault = parts === 'all' ? loss : (loss ?? 'the row of the session itself is damaged')
    const write = (wanted: readonly SessionLine[]) =>
      onDatabase(container, () => linesFromRows(reader, container, sums.generation, wanted))
    return new LineFile(target, statOf(found, sums), { lines, write, fault })
  }
  throw new SqliteError('busy', 'changes too fast to be read')
}

function statOf({ identity }: FileStat, { sizeBytes, mtimeMs, stamp }: SessionSums): FileStat {
  return { kind: 'file', sizeBytes, mtimeMs, identity: `${identity}:${stamp}` }
}
