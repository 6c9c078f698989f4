import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { SourceId } from '../../../shared/model/conversation/sources'
import type { Disk } from '../../disk/interface/disk'
import { readWholeFile } from '../../disk/reading/read'
import { recordPath } from '../../records/interface/record-format'
import type { ConversationHead } from '../common/document-conversations'
import { sourceFileOf } from '../common/found-files'
import { glanceOf } from '../common/glance'
import { unreadableSource } from '../common/json-lines'
import { refOfFile } from '../common/one-file'
import type { SourceRef } from '../common/reader'
import { type ListedTableLine, tableListName } from './table-records'

/** A system whose conversations lie in databases. */
export interface DatabaseSource {
  readonly source: SourceId
  /** The format of its record files. */
  readonly format: string
  /** Returns what a list shows of a conversation, from its own row. */
  readonly headOf: (row: JsonObject) => ConversationHead
}

/** The conversations of a database, and why it may have more. */
export interface FoundInDatabase {
  readonly refs: readonly SourceRef[]
  readonly fault: AppError | undefined
}

/**
 * Finds the conversations in a database; none where there is none, and where it cannot be read, with a fault.
 *
 * @param database relative to the root
 */
export async function conversationsIn(
  by: DatabaseSource,
  root: string,
  database: string,
  disk: Disk,
): Promise<FoundInDatabase> {
  const container = path.join(root, database)
  try {
    const listed = await readList(
      disk,
      recordPath({ container, format: by.format, name: tableListName }),
    )
    const refs = listed.flatMap((one) => refOf(by, root, database, one) ?? [])
    const words = listed.flatMap((one) => (one.type === 'fault' ? [one.fault] : []))
    const [first] = words.map((one) => `${path.basename(database)} ${one}.`)
    return { refs, fault: first === undefined ? undefined : new AppError('unreadable', first) }
  } catch (error) {
    const fault = unreadableSource(container, error)
    if (!(fault instanceof AppError)) throw fault
    return { refs: [], fault: fault.code === 'not-found' ? undefined : fault }
  }
}

const largestListBytes = 1024 * 1024 * 1024

async function readList(disk: Disk, list: string): Promise<readonly ListedTableLine[]> {
  const bytes = await readWholeFile(disk, list, largestListBytes)
  const lines = Buffer.from(bytes).toString('utf8').split('\n')
  // The format has made it.
  return lines.flatMap((line) => (line === '' ? [] : (JSON.parse(line) as ListedTableLine)))
}

function refOf(
  { source, format, headOf }: DatabaseSource,
  root: string,
  database: string,
  listed: ListedTableLine,
): SourceRef | undefined {
  if (listed.type === 'fault') return undefined
  const key = listed.id
  const place = path.relative(
    root,
    recordPath({ container: path.join(root, database), format, name: key }),
  )
  const file = place.split(path.sep).join('/')
  // Reading it reports why it cannot be read.
  if (listed.type === 'unread')
    return refOfFile(source, root, key, sourceFileOf(file, { stat: undefined }))
  const { sizeBytes: bytes, mtimeMs, identity, row } = listed
  const ref = refOfFile(source, root, key, { file, bytes, mtimeMs, identity })
  const { title, project, createdAt, updatedAt } = headOf(row ?? {})
  if (title === '') return ref
  return { ...ref, glance: glanceOf(ref, { title, project, createdAt }, updatedAt) }
}
