import { DiskError } from '../../disk/interface/disk'
import { bytesFile } from '../../records/interface/bytes-file'
import { type RecordFormat, recordPath } from '../../records/interface/record-format'
import type { Databases } from '../../sqlite/databases'
import { onDatabase } from '../common/rows/database-file'

/** The id of the format of Codex's state database. */
const threadFormat = 'codex-threads'
const titlesName = 'titles'

/** Returns the path of the file of lines that has the titles of a state database: `id` and `thread_name`. */
export function threadTitlesPath(database: string): string {
  return recordPath({ container: database, format: threadFormat, name: titlesName })
}

interface Kept {
  readonly state: string
  readonly bytes: Buffer
}

/** Titles of far more threads than anybody has. */
const mostBytes = 256 * 1024 * 1024

/** Returns the format of Codex's state database, of which one file of lines is made: the titles of its threads. */
export function threadRecords(databases: Databases): RecordFormat {
  const kept = new Map<string, Kept>()

  async function titlesIn(database: string): Promise<Buffer> {
    const known = kept.get(database)
    const found = await databases.read(database, [{ sql: columnsSql }])
    if (known?.state === found.state) return known.bytes
    const columns = (found.answers[0]?.rows ?? []).map(([name]) => String(name))
    const sql = titlesSql(columns)
    const { state, answers } = await databases.read(
      database,
      sql === '' ? [] : [{ sql, mostBytes }],
    )
    const lines = (answers[0]?.rows ?? []).map(([id, title]) =>
      JSON.stringify({ id, thread_name: title }),
    )
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
    kept.set(database, { state, bytes })
    return bytes
  }

  return {
    id: threadFormat,
    async stat(disk, container, name) {
      const found = await disk.stat(container)
      if (found === undefined || name !== titlesName) return undefined
      const bytes = await onDatabase(container, () => titlesIn(container))
      return { ...found, sizeBytes: bytes.length }
    },
    async open(disk, container, name) {
      const target = recordPath({ container, format: threadFormat, name })
      const found = await disk.stat(container)
      if (found === undefined || name !== titlesName)
        throw new DiskError('not-found', target, `${target} is not there`)
      return bytesFile(target, await onDatabase(container, () => titlesIn(container)), found)
    },
  }
}

const columnsSql = "select name from pragma_table_info('threads')"

/** A title that only repeats the first message is none. Columns come and go with releases. */
function titlesSql(columns: readonly string[]): string {
  const has = (name: string) => columns.includes(name)
  const title = has('first_user_message')
    ? "iif(trim(title) = trim(coalesce(first_user_message, '')), '', trim(title))"
    : 'trim(title)'
  const names = [
    ...(has('name') ? ["nullif(trim(name), '')"] : []),
    ...(has('title') ? [title] : []),
  ]
  if (!has('id') || names.length === 0) return ''
  const chosen = `coalesce(${[...names, "''"].join(', ')})`
  return `select id, ${chosen} from threads where typeof(id) = 'text' and ${chosen} <> ''`
}
