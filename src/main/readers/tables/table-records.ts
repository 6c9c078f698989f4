import type { DiskFile, FileStat } from '../../disk/interface/disk'
import { type RecordFormat, recordPath } from '../../records/interface/record-format'
import { LineFile } from '../../records/lines/line-file'
import type { Databases } from '../../sqlite/databases'
import { SqliteError } from '../../sqlite/sqlite-error'
import {
  conversationLister,
  type DatabaseOverview,
  type ListDatabase,
} from '../common/rows/conversation-lister'
import { onDatabase } from '../common/rows/database-file'
import { databaseFormat } from '../common/rows/database-format'
import {
  databaseListName,
  type ListedLine,
  linesOfListing,
  listFileOf,
} from '../common/rows/list-file'
import { lossOf, lostConversations } from '../common/rows/lost-rows'
import { type SchemaReader, schemaReader } from '../common/rows/table-schema'
import { type ReadValues, type ValueLine, writeValueLines } from '../common/rows/value-lines'
import {
  type ConversationTables,
  dataQuery,
  tableOverviewQueries,
  wantedTables,
} from './conversation-tables'
import { layOutTables, type TableLayout } from './table-layout'

type ListedLayout = Omit<TableLayout, 'lines'>

/** Returns the format of databases with a row for each conversation and each message; the name of a record file is a conversation's id. */
export function tableRecords(databases: Databases, tables: ConversationTables): RecordFormat {
  const reader = schemaReader(databases, wantedTables(tables))
  const list = tableLister(reader, tables)

  async function opened(container: string, found: FileStat, name: string) {
    const target = recordPath({ container, format: tables.id, name })
    return name === databaseListName
      ? listFileOf({ container, format: tables.id }, found, linesOf(found, await list(container)))
      : openConversation(reader, tables, { container, found, target }, name)
  }

  return databaseFormat({
    id: tables.id,
    opened,
    statOf(container, found, name) {
      if (name === databaseListName) return undefined
      return layOutTables(reader, tables, container, [name]).then((laidOut) => {
        const one = laidOut.found.get(name)
        return one === undefined ? undefined : statOf(found, one)
      })
    },
  })
}

function tableLister(reader: SchemaReader, tables: ConversationTables): ListDatabase<ListedLayout> {
  return conversationLister<ListedLayout, undefined>(reader, {
    keyColumns: wantedTables(tables).keyColumns,
    overview: (path) => overview(reader, tables, path),
    async readSome(path, ids) {
      const { found, lost } = await layOutTables(reader, tables, path, ids)
      // Their lines are as long as the conversations' own rows: nobody lists them.
      return {
        found: new Map([...found].map(([id, { lines: _lines, ...one }]) => [id, one])),
        lost,
      }
    },
  })
}

async function overview(
  reader: SchemaReader,
  tables: ConversationTables,
  path: string,
): Promise<DatabaseOverview<undefined>> {
  const { schema, state, answers, lost, fault } = await reader.read(path, (known) =>
    tableOverviewQueries(known, tables),
  )
  const changes = new Map<string, string>()
  for (const [id, ...numbers] of answers.flatMap(({ rows }) => rows))
    changes.set(String(id), [changes.get(String(id)) ?? '', ...numbers].join(' '))
  return {
    state,
    changes,
    grown: new Set(),
    seen: undefined,
    isIndexed: schema.indexes.has(tables.messages.table),
    lost,
    fault,
  }
}

function linesOf(
  found: FileStat,
  listing: Awaited<ReturnType<ListDatabase<ListedLayout>>>,
): readonly ListedLine[] {
  return linesOfListing(listing, (one) => {
    // One without a message is none, unless its messages are what is damaged.
    if (one.messages === 0 && !listing.isDamaged) return undefined
    const { sizeBytes, mtimeMs, identity } = statOf(found, one)
    return { id: one.id, sizeBytes, mtimeMs, identity, about: one.row }
  })
}

async function openConversation(
  reader: SchemaReader,
  tables: ConversationTables,
  at: { readonly container: string; readonly found: FileStat; readonly target: string },
  id: string,
): Promise<DiskFile | undefined> {
  const { container, found, target } = at
  const { keyColumns } = wantedTables(tables)
  const laidOut = await layOutTables(reader, tables, container, [id])
  const loss = lossOf(await lostConversations(reader, container, keyColumns, laidOut), id)
  const one = laidOut.found.get(id)
  if (one === undefined && loss === undefined) return undefined
  if (one === undefined) throw new SqliteError('damaged', `is damaged: ${loss}`)
  const fault = loss ?? one.fault
  const write = (wanted: readonly ValueLine[]) =>
    onDatabase(container, () => writeValueLines(wanted, valuesOf(reader, tables, container)))
  return new LineFile(target, statOf(found, one), { lines: one.lines, write, fault })
}

/** Reads data by the numbers of rows. */
function valuesOf(reader: SchemaReader, tables: ConversationTables, container: string): ReadValues {
  return async (names) => {
    const { answers } = await reader.read(container, (schema) => [dataQuery(schema, tables, names)])
    return new Map(
      (answers[0]?.rows ?? []).map(([rowid, data]) => [
        String(rowid),
        data instanceof Uint8Array ? data : null,
      ]),
    )
  }
}

/** A conversation that tells no time has that of its database. */
function statOf(found: FileStat, { sizeBytes, mtimeMs, stamp }: ListedLayout): FileStat {
  const time = mtimeMs > 0 ? mtimeMs : found.mtimeMs
  return { kind: 'file', sizeBytes, mtimeMs: time, identity: `${found.identity}:${stamp}` }
}
