import { isDamaged } from '../../common/rows/database-file'
import type { SchemaAnswer, SchemaReader, TableSchema } from '../../common/rows/table-schema'
import {
  rowsWithSums,
  type SessionSums,
  type SummedRows,
  type SumParts,
  sessionRowQueries,
  sumQueries,
  sumsFrom,
} from './session-sums'

/** The sums of sessions, and the rows that they may lack. */
interface SumsRead extends Pick<SchemaAnswer, 'lost'> {
  readonly sums: ReadonlyMap<string, SessionSums>
}

/** The rows of one session with their sums, and those that they may lack. */
interface RowsRead extends Pick<SchemaAnswer, 'lost'> {
  /** Undefined where it is not there. */
  readonly one: SummedRows | undefined
  /** `messages` where the row of the session itself cannot be read. */
  readonly parts: SumParts
}

/** Reads the sums of some sessions; of one alone also where its own row is damaged. @throws SqliteError */
export async function readSums(
  reader: SchemaReader,
  path: string,
  ids: readonly string[],
): Promise<SumsRead> {
  const asked = (schema: TableSchema, parts: SumParts) => sumQueries(schema, ids, parts)
  const { schema, answers, lost } = await readPast(reader, path, asked, ids.length === 1)
  return { sums: sumsFrom(schema, answers), lost }
}

/** Reads all rows of a session but for their data, of one state; also where its own row is damaged. @throws SqliteError */
export async function readSessionRows(
  reader: SchemaReader,
  path: string,
  session: string,
): Promise<RowsRead> {
  const asked = (schema: TableSchema, parts: SumParts) => sessionRowQueries(schema, session, parts)
  const { schema, answers, lost, parts } = await readPast(reader, path, asked, true)
  return { one: rowsWithSums(schema, session, answers), parts, lost }
}

type Asked = (
  schema: TableSchema,
  parts: SumParts,
) => ReturnType<Parameters<SchemaReader['read']>[1]>

/** What lies beside the row of a session, such as a long text in it, may be all that is damaged. */
async function readPast(
  reader: SchemaReader,
  path: string,
  asked: Asked,
  isOne: boolean,
): Promise<SchemaAnswer & Pick<RowsRead, 'parts'>> {
  const read = async (parts: SumParts) => ({
    ...(await reader.read(path, (schema) => asked(schema, parts))),
    parts,
  })
  try {
    return await read('all')
  } catch (error) {
    if (!isDamaged(error) || !isOne) throw error
    return read('messages')
  }
}
