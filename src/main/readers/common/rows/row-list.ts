import { conversationLister, type ListDatabase } from './conversation-lister'
import { type RowSource, type RowSum, sumOf } from './row-source'
import type { SchemaAnswer, SchemaReader, TableSchema } from './table-schema'

/** Creates a function that lists the conversations of a database by a source's queries, and remembers them. It throws SqliteError. */
export function rowLister(reader: SchemaReader, source: RowSource): ListDatabase<RowSum> {
  return conversationLister<RowSum, undefined>(reader, {
    keyColumns: source.keyColumns,
    async overview(path) {
      const { schema, state, answers, lost, fault } = await reader.read(path, (known) =>
        source.overview(known),
      )
      const changes = new Map<string, string>()
      for (const [name, ...told] of answers.flatMap(({ rows }) => rows))
        changes.set(String(name), `${changes.get(String(name)) ?? ''}${JSON.stringify(told)}`)
      const none = { grown: new Set<string>(), seen: undefined }
      return { state, changes, lost, fault, isIndexed: isIndexed(schema, source), ...none }
    },
    async readSome(path, names) {
      const { answers, schema, lost } = await reader.read(path, (known) =>
        source.rows(known, names),
      )
      const sums = source.layOut(answers, schema).map(sumOf)
      return { found: new Map(sums.map((one) => [one.name, one])), lost }
    },
    changedMs: ({ mtimeMs }) => mtimeMs,
  })
}

/** True where the rows of a conversation are found by an index in each table that is there. */
function isIndexed({ columns, indexes }: TableSchema, { keyColumns }: RowSource): boolean {
  return Object.entries(keyColumns).every(
    ([table, column]) => column === '' || !columns.has(table) || indexes.has(table),
  )
}

/** Returns true for an answer that may lack rows. */
export function hasLost({ lost }: Pick<SchemaAnswer, 'lost'>): boolean {
  return lost !== undefined && lost.length > 0
}
