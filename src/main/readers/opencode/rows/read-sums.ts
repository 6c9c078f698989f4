import { isDamaged } from '../../common/rows/database-file'
import type { SchemaAnswer, SchemaReader } from '../../common/rows/table-schema'
import { type SessionSums, type SumParts, sumQueries, sumsFrom } from './session-sums'

/** The sums of sessions, and the answer that they come from. */
export interface SumsRead extends Pick<SchemaAnswer, 'lost' | 'schema'> {
  readonly sums: ReadonlyMap<string, SessionSums>
  /** `messages` where the row of a session itself cannot be read. */
  readonly parts: SumParts
}

/** Reads the sums of some sessions; of one alone also where its own row is damaged. @throws SqliteError */
export async function readSums(
  reader: SchemaReader,
  path: string,
  ids: readonly string[],
): Promise<SumsRead> {
  const read = async (parts: SumParts): Promise<SumsRead> => {
    const { schema, answers, lost } = await reader.read(path, (known) =>
      sumQueries(known, ids, parts),
    )
    return { sums: sumsFrom(schema, answers), schema, lost, parts }
  }
  try {
    return await read('all')
  } catch (error) {
    if (!isDamaged(error) || ids.length > 1) throw error
    // What lies beside the row, such as a long text in it, may be all that is damaged.
    return read('messages')
  }
}
