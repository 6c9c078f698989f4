import {
  conversationLister,
  type DatabaseOverview,
  type ListDatabase,
} from '../../common/rows/conversation-lister'
import type { SchemaReader } from '../../common/rows/table-schema'
import { readAllSessions } from './all-sessions'
import { generationsOf, keyColumns } from './generations'
import { readSums } from './read-sums'
import { overviewQueries, type SeenRows } from './session-sql'
import { type SessionSums, seenIn } from './session-sums'

/** Creates a function that lists the sessions of a database, of whichever generation, and remembers their sums. */
export function sessionLister(reader: SchemaReader): ListDatabase<SessionSums> {
  return conversationLister<SessionSums, readonly SeenRows[]>(reader, {
    keyColumns,
    overview: (path, seen) => overview(reader, path, seen),
    async readSome(path, ids) {
      const { sums, lost } = await readSums(reader, path, ids)
      return { found: sums, lost }
    },
    readAll: (path) => readAllSessions(reader, path),
  })
}

async function overview(
  reader: SchemaReader,
  path: string,
  before: readonly SeenRows[] | undefined,
): Promise<DatabaseOverview<readonly SeenRows[]>> {
  const { schema, state, answers, lost, fault } = await reader.read(path, (known) =>
    generationsOf(known).flatMap((generation, at) =>
      overviewQueries(known, generation, before?.[at]),
    ),
  )
  const generations = generationsOf(schema).length
  const each = answers.length / Math.max(1, generations)
  const changes = new Map<string, string>()
  const grown = new Set<string>()
  const seen: SeenRows[] = []
  for (let at = 0; at < generations; at++) {
    const [sessions, messages, parts, ...ids] = answers.slice(at * each, (at + 1) * each)
    for (const [id, time] of sessions?.rows ?? [])
      changes.set(String(id), `${changes.get(String(id)) ?? ''} ${time}`)
    for (const [id] of ids.flatMap(({ rows }) => rows)) grown.add(String(id))
    seen.push(seenIn([messages, parts].flatMap((one) => one ?? [])))
  }
  const isIndexed = generationsOf(schema).every(({ messages, parts }) =>
    [messages, parts ?? messages].every((table) => schema.indexes.has(table)),
  )
  return { state, changes, seen, grown, isIndexed, lost, fault }
}
