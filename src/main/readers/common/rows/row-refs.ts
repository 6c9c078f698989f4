import path from 'node:path'
import { AppError } from '../../../../shared/model/basics/errors'
import type { JsonObject } from '../../../../shared/model/basics/json-object'
import type { SourceId } from '../../../../shared/model/conversation/sources'
import type { Disk } from '../../../disk/interface/disk'
import { recordPath } from '../../../records/interface/record-format'
import type { ConversationHead } from '../document-conversations'
import { glanceOf } from '../glance'
import { unreadableSource } from '../json-lines'
import { refOfFile } from '../one-file'
import type { SourceRef } from '../reader'
import { readRowList } from './row-records'

/** The facts of a conversation that a list shows, and when its last entry was said, in Unix seconds. */
export interface ListedHead extends ConversationHead {
  readonly lastAt: number | undefined
}

/** A system whose conversations lie in the rows of databases. */
interface RowSystem {
  readonly source: SourceId
  /** See `RowSource.id`. */
  readonly format: string
  readonly headOf: (about: JsonObject) => ListedHead
}

/** The references of a database's conversations, and why some are missing. */
export interface FoundRows {
  readonly refs: readonly SourceRef[]
  readonly fault: AppError | undefined
}

/**
 * Makes the references of the conversations in a database. One that cannot be read is a fault.
 *
 * @param database relative to the root
 */
export async function refsInRows(
  { source, format, headOf }: RowSystem,
  root: string,
  database: string,
  disk: Disk,
): Promise<FoundRows> {
  const container = path.join(root, database)
  try {
    const { conversations, fault } = await readRowList(disk, container, format)
    const refs = conversations.map(({ name, about, sizeBytes: bytes, mtimeMs, identity }) => {
      const place = path.relative(root, recordPath({ container, format, name }))
      const file = place.split(path.sep).join('/')
      const ref = refOfFile(source, root, name, { file, bytes, mtimeMs, identity })
      const head = headOf(about)
      // Without a title it is its first words, which a short read finds.
      return head.title === '' ? ref : { ...ref, glance: glanceOf(ref, head, head.lastAt) }
    })
    const words = `${database} ${fault}.`
    return { refs, fault: fault === undefined ? undefined : new AppError('unreadable', words) }
  } catch (error) {
    const told = unreadableSource(container, error)
    if (!(told instanceof AppError)) throw error
    return { refs: [], fault: told }
  }
}
