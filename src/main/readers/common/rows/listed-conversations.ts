import path from 'node:path'
import { AppError } from '../../../../shared/model/basics/errors'
import type { JsonObject } from '../../../../shared/model/basics/json-object'
import type { SourceId } from '../../../../shared/model/conversation/sources'
import type { Disk } from '../../../disk/interface/disk'
import { recordPath } from '../../../records/interface/record-format'
import type { ConversationHead } from '../document-conversations'
import { sourceFileOf } from '../found-files'
import { glanceOf } from '../glance'
import { unreadableSource } from '../json-lines'
import { refOfFile } from '../one-file'
import type { SourceRef } from '../reader'
import { type ListedLine, readListFile } from './list-file'

/** The facts of a conversation that a list shows. */
export interface ListedHead extends ConversationHead {
  /** Unix seconds of its last entry, where that is told apart from its last change. */
  readonly lastAt?: number | undefined
}

/** A system whose conversations lie in databases. */
export interface DatabaseSource {
  readonly source: SourceId
  /** The format of its record files. */
  readonly format: string
  /** Returns what a list shows of a conversation, from its own row or what else its list tells of it. */
  readonly headOf: (about: JsonObject) => ListedHead
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
    const listed = await readListFile(disk, container, by.format)
    const refs = listed.flatMap((one) => refOf(by, root, container, one) ?? [])
    const words = listed.flatMap((one) => (one.type === 'fault' ? [one.fault] : []))
    const [first] = words.map((one) => `${path.basename(database)} ${one}.`)
    return { refs, fault: first === undefined ? undefined : new AppError('unreadable', first) }
  } catch (error) {
    const fault = unreadableSource(container, error)
    if (!(fault instanceof AppError)) throw fault
    return { refs: [], fault: fault.code === 'not-found' ? undefined : fault }
  }
}

function refOf(
  { source, format, headOf }: DatabaseSource,
  root: string,
  container: string,
  listed: ListedLine,
): SourceRef | undefined {
  if (listed.type === 'fault') return undefined
  const key = listed.id
  const place = path.relative(root, recordPath({ container, format, name: key }))
  const file = place.split(path.sep).join('/')
  // Reading it reports why it cannot be read.
  if (listed.type === 'unread')
    return refOfFile(source, root, key, sourceFileOf(file, { stat: undefined }))
  const { sizeBytes: bytes, mtimeMs, identity, about } = listed
  const ref = refOfFile(source, root, key, { file, bytes, mtimeMs, identity })
  const head = headOf(about ?? {})
  const { title, project, createdAt } = head
  // Without a title it is its first words, which a short read finds.
  if (title === '') return ref
  const last = 'lastAt' in head ? head.lastAt : head.updatedAt
  return { ...ref, glance: glanceOf(ref, { title, project, createdAt }, last) }
}
