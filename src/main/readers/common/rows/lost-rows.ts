import type { LostRows } from '../../../sqlite/mended-pages'
import { isDamaged } from './database-file'
import type { SchemaAnswer, SchemaReader, WantedTables } from './table-schema'

/** The conversations of a damaged database that have lost rows. */
export interface LostConversations {
  /** Those that an index names. */
  readonly ids: ReadonlySet<string>
  /** Says that no index tells whose rows are lost: any conversation may have lost some. */
  readonly isAnyone: boolean
  /** The reason why not all of the database can be read, as the end of a sentence, where it is not of a conversation alone. */
  readonly fault: string | undefined
}

const none: LostConversations = { ids: new Set(), isAnyone: false, fault: undefined }

type KeyColumns = WantedTables['keyColumns']

/** Finds whose rows an answer may lack. Indexes are read, which still name rows whose own page is damaged. @throws SqliteError */
export async function lostConversations(
  reader: SchemaReader,
  path: string,
  keyColumns: KeyColumns,
  { lost }: Pick<SchemaAnswer, 'lost'>,
): Promise<LostConversations> {
  if (lost === undefined || lost.length === 0) return none
  const ids = new Set<string>()
  const unknown = new Set<string>()
  for (const table of new Set(lost.map((one) => one.table))) {
    const column = keyColumns[table] ?? ''
    const found = column === '' ? undefined : await idsIn(reader, path, { table, column }, lost)
    if (found === undefined) unknown.add(table)
    for (const id of found ?? []) ids.add(id)
  }
  const fault = `is damaged: not all rows of ${[...unknown].sort().join(', ')} can be read`
  return {
    ids,
    isAnyone: [...unknown].some((table) => keyColumns[table] !== ''),
    fault: unknown.size === 0 ? undefined : fault,
  }
}

/** Returns why a conversation may lack rows, as a sentence without its full stop; undefined where it lacks none. */
export function lossOf({ ids, isAnyone }: LostConversations, id: string): string | undefined {
  if (ids.has(id)) return 'rows of this session are on damaged pages of the database'
  if (isAnyone) return 'pages of the database are damaged, and may have had rows of this session'
  return undefined
}

/** Undefined where the index is damaged too, or there is none. */
async function idsIn(
  reader: SchemaReader,
  path: string,
  { table, column }: { readonly table: string; readonly column: string },
  lost: readonly LostRows[],
): Promise<readonly string[] | undefined> {
  const ranges = lost
    .filter((one) => one.table === table)
    .map(({ after, to }) => [Math.max(after, -mostRowid), Math.min(to, mostRowid)])
  try {
    const { schema, answers } = await reader.read(path, ({ indexes }) => {
      const index = indexes.get(table)
      if (index === undefined) return []
      return [
        {
          // The index alone is read: the rows are not there.
          sql: `select distinct t.${column} from main."${table}" t indexed by "${index.replaceAll('"', '""')}"
            where exists (select 1 from json_each(?1) r
              where +t.rowid > r.value ->> 0 and +t.rowid <= r.value ->> 1)`,
          values: [JSON.stringify(ranges)],
        },
      ]
    })
    if (!schema.indexes.has(table)) return undefined
    return (answers[0]?.rows ?? []).map(([id]) => String(id))
  } catch (error) {
    if (!isDamaged(error)) throw error
    return undefined
  }
}

const mostRowid = 2 ** 63
