import path from 'node:path'
import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import { type Disk, DiskError, type DiskFile, type FileStat } from '../../../disk/interface/disk'
import { readSmallText } from '../../../disk/reading/read'
import { bytesFile } from '../../../records/interface/bytes-file'
import { type RecordFormat, recordPath } from '../../../records/interface/record-format'
import { LineFile } from '../../../records/lines/line-file'
import type { Databases } from '../../../sqlite/databases'
import { depthFault } from '../../common/record-values'
import { onDatabase } from '../../common/rows/database-file'
import { type SchemaReader, schemaReader } from '../../common/rows/table-schema'
import { type ReadValues, type ValueLine, writeValueLines } from '../../common/rows/value-lines'
import { layOutStore, type StoreLayout } from './store-layout'
import { blobQuery, storeTables } from './store-sql'

/** The id of the format that presents the chat of a `store.db` as a file of lines. */
export const storeFormat = 'cursor-store'

/** The name of the record file that tells of a store's chat without its messages. */
export const storeListName = '.list'

/** A line of that file. */
export interface ListedStore {
  readonly sizeBytes: number
  readonly mtimeMs: number
  readonly identity: string
  /** It has no messages. */
  readonly isEmpty: boolean
  /** As on the first line of its record file. */
  readonly row: unknown
}

/**
 * Returns the format of the command line's stores, a database for each chat: a file of lines, the store's own record first,
 * then its messages. The name of a record file is the chat's id.
 */
export function storeRecords(databases: Databases): RecordFormat {
  const reader = schemaReader(databases, storeTables)

  async function laidOut(disk: Disk, container: string) {
    const found = await disk.stat(container)
    if (found === undefined) return undefined
    const beside = await readBeside(disk, container)
    const layout = await onDatabase(container, () => layOutStore(reader, container, beside))
    return { layout, stat: await statOf(disk, container, found, beside, layout) }
  }

  return {
    id: storeFormat,
    async stat(disk, container, name) {
      if (name === storeListName) return (await this.open(disk, container, name)).stat()
      const known = await laidOut(disk, container)
      return known === undefined || known.layout.isEmpty ? undefined : known.stat
    },
    async open(disk, container, name): Promise<DiskFile> {
      const target = recordPath({ container, format: storeFormat, name })
      const known = await laidOut(disk, container)
      if (known === undefined) throw new DiskError('not-found', target, `${target} is not there`)
      const { layout, stat } = known
      if (name === storeListName) return listFile(target, layout, stat)
      const write = (wanted: readonly ValueLine[]) =>
        onDatabase(container, () => writeValueLines(wanted, valuesOf(reader, container)))
      const fault = layout.fault === undefined ? undefined : `the database ${layout.fault}`
      return new LineFile(target, stat, { lines: layout.lines, write, fault })
    },
  }
}

function listFile(target: string, layout: StoreLayout, stat: FileStat): DiskFile {
  const { sizeBytes, mtimeMs, identity } = stat
  const { isEmpty, meta: row } = layout
  const listed: ListedStore = { sizeBytes, mtimeMs, identity, isEmpty, row }
  return bytesFile(target, Buffer.from(`${JSON.stringify(listed)}\n`), stat)
}

/** Title, folder and times, which newer versions keep in a file beside the database. */
async function readBeside(disk: Disk, container: string): Promise<JsonObject | undefined> {
  const text = await readSmallText(disk, path.join(path.dirname(container), 'meta.json'))
  try {
    const beside: unknown = text === undefined ? undefined : JSON.parse(text)
    return isJsonObject(beside) && depthFault(beside) === undefined ? beside : undefined
  } catch {
    return undefined // Half of it: it is being written.
  }
}

/** The time is that of the last change as the tool tells it, else of its files. */
async function statOf(
  disk: Disk,
  container: string,
  found: FileStat,
  beside: JsonObject | undefined,
  { sizeBytes, stamp }: StoreLayout,
): Promise<FileStat> {
  const log = await disk.stat(`${container}-wal`).catch(() => undefined)
  const told = beside?.updatedAtMs
  const mtimeMs =
    typeof told === 'number' && told > 0 ? told : Math.max(found.mtimeMs, log?.mtimeMs ?? 0)
  return { kind: 'file', sizeBytes, mtimeMs, identity: `${found.identity}:${stamp}` }
}

function valuesOf(reader: SchemaReader, container: string): ReadValues {
  return async (names) => {
    const { answers } = await reader.read(container, (schema) => [blobQuery(schema, names)])
    return new Map(
      (answers[0]?.rows ?? []).map(([id, data]) => [
        String(id),
        data instanceof Uint8Array ? data : null,
      ]),
    )
  }
}
