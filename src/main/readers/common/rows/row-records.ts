import type { DiskFile, FileStat } from '../../../disk/interface/disk'
import { type RecordFormat, recordPath } from '../../../records/interface/record-format'
import { LineFile } from '../../../records/lines/line-file'
import type { Databases } from '../../../sqlite/databases'
import { onDatabase } from './database-file'
import { databaseFormat } from './database-format'
import { databaseListName, linesOfListing, listFileOf } from './list-file'
import { hasLost, rowLister } from './row-list'
import { type RowSource, sumOf } from './row-source'
import { type SchemaReader, schemaReader } from './table-schema'
import { type ValueLine, writeValueLines } from './value-lines'

/**
 * Returns the format of a database: each conversation is a file of lines. A damaged database is read past its damage, and then
 * each conversation has a fault: nothing tells whose rows were on a page.
 */
export function rowRecords(databases: Databases, source: RowSource): RecordFormat {
  const { id, keyColumns } = source
  const reader = schemaReader(databases, { keyColumns, isReadPastDamage: true })
  const list = rowLister(reader, source)

  async function listFile(container: string, found: FileStat): Promise<DiskFile> {
    const lines = linesOfListing(await list(container), ({ name, stamp, ...one }) => {
      return { id: name, ...one, identity: identityOf(found, stamp) }
    })
    return listFileOf({ container, format: id }, found, lines)
  }

  return databaseFormat({
    id,
    opened: (container, found, name) =>
      name === databaseListName
        ? listFile(container, found)
        : openConversation(reader, source, { container, found, name }),
  })
}

function identityOf({ identity }: FileStat, stamp: string): string {
  return `${identity}:${stamp}`
}

const loss = 'pages of the database are damaged, and may have had rows of this conversation'

async function openConversation(
  reader: SchemaReader,
  source: RowSource,
  place: { readonly container: string; readonly found: FileStat; readonly name: string },
): Promise<DiskFile | undefined> {
  const { container, found, name } = place
  const answer = await reader.read(container, (schema) => source.rows(schema, [name]))
  const [conversation] = source.layOut(answer.answers, answer.schema)
  if (conversation === undefined) return undefined
  const { sizeBytes, mtimeMs, stamp } = sumOf(conversation)
  const identity = identityOf(found, stamp)
  const stat: FileStat = { kind: 'file', sizeBytes, mtimeMs, identity }
  const readValues = async (names: readonly string[]) => {
    const { answers } = await reader.read(container, (schema) => [
      source.values(schema, name, names),
    ])
    const rows = answers[0]?.rows ?? []
    return new Map(
      rows.map(([of, value]) => [String(of), value instanceof Uint8Array ? value : null]),
    )
  }
  const write = (wanted: readonly ValueLine[]) =>
    onDatabase(container, () => writeValueLines(wanted, readValues))
  const target = recordPath({ container, format: source.id, name })
  const fault = hasLost(answer) ? loss : undefined
  return new LineFile(target, stat, { lines: conversation.lines, write, fault })
}
