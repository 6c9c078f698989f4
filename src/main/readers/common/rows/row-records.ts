import type { JsonObject } from '../../../../shared/model/basics/json-object'
import type { Disk, DiskFile, FileStat } from '../../../disk/interface/disk'
import { readWholeFile } from '../../../disk/reading/read'
import { bytesFile } from '../../../records/interface/bytes-file'
import { type RecordFormat, recordPath } from '../../../records/interface/record-format'
import { LineFile } from '../../../records/lines/line-file'
import type { Databases } from '../../../sqlite/databases'
import { onDatabase } from './database-file'
import { databaseFormat } from './database-format'
import { hasLost, rowLister } from './row-list'
import { type RowSource, sumOf } from './row-source'
import { type SchemaReader, schemaReader } from './table-schema'
import { type ValueLine, writeValueLines } from './value-lines'

/** A conversation as the list of a database tells it. */
export interface ListedRows {
  readonly name: string
  /** See `RowConversation`. */
  readonly about: JsonObject
  readonly sizeBytes: number
  readonly mtimeMs: number
  readonly identity: string
}

/** The list of a database's conversations. */
export interface RowsFound {
  readonly conversations: readonly ListedRows[]
  /** The reason why some may be missing, as the end of a sentence. */
  readonly fault?: string | undefined
}

/** The name of the record file that has the list. No conversation has it as its id. */
const listName = '.list'
const largestListBytes = 1024 * 1024 * 1024

/**
 * Reads the list of a database's conversations, which its format makes.
 *
 * @param disk on which record files can be opened
 * @throws DiskError
 */
export async function readRowList(
  disk: Disk,
  container: string,
  format: string,
): Promise<RowsFound> {
  const list = recordPath({ container, format, name: listName })
  const bytes = await readWholeFile(disk, list, largestListBytes)
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as RowsFound // written by `listFile`
}

/**
 * Returns the format of a database: each conversation is a file of lines. A damaged database is read past its damage, and then
 * each conversation has a fault: nothing tells whose rows were on a page.
 */
export function rowRecords(databases: Databases, source: RowSource): RecordFormat {
  const { id, keyColumns } = source
  const reader = schemaReader(databases, { keyColumns, isReadPastDamage: true })
  const list = rowLister(reader, source)

  async function listFile(container: string, found: FileStat): Promise<DiskFile> {
    const { sums, fault } = await list(container)
    const conversations = sums.map(({ stamp, ...one }): ListedRows => {
      return { ...one, identity: identityOf(found, stamp) }
    })
    const text = JSON.stringify({ conversations, fault } satisfies RowsFound)
    return bytesFile(
      recordPath({ container, format: id, name: listName }),
      Buffer.from(text),
      found,
    )
  }

  return databaseFormat({
    id,
    opened: (container, found, name) =>
      name === listName
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
