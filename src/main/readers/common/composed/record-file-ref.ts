import path from 'node:path'
import type { SourceId } from '../../../../shared/model/conversation/sources'
import type { Disk } from '../../../disk/interface/disk'
import { recordPath } from '../../../records/interface/record-format'
import type { About } from '../../../records/lines/composed-format'
import { type FoundName, sourceFileOf } from '../found-files'
import { refOfFile } from '../one-file'
import type { SourceRef } from '../reader'
import { aboutOf } from './composing-in-threads'

/** The presentation of a system's conversations, a file each: the format, and the name of a record file in it. */
interface ComposedSource {
  readonly source: SourceId
  readonly format: string
  readonly name: string
}

interface FoundFile {
  readonly root: string
  readonly key: string
  /** Relative to the root. */
  readonly file: string
  readonly one: Omit<FoundName, 'name'>
}

/** The reference of a conversation in a file of a composed format. */
interface RecordFileRef {
  readonly ref: SourceRef
  /** Undefined for a file that cannot be read: reading it reports why. */
  readonly about: About | undefined
}

/**
 * Makes the reference of a conversation that is one file of a composed format. Where `about` has `tornAt`, the byte at which a
 * document ends that is not whole, what is behind it is unread.
 */
export async function recordFileRef(
  { source, format, name }: ComposedSource,
  { root, key, file, one }: FoundFile,
  disk: Disk,
): Promise<RecordFileRef> {
  const isThere = one.stat?.kind === 'file' && one.fault === undefined
  const known = isThere ? await aboutOf(disk, path.join(root, file), format, name) : undefined
  if (known === undefined) {
    const lost = { ...sourceFileOf(file, one), bytes: 0, mtimeMs: undefined }
    return { ref: refOfFile(source, root, key, lost), about: undefined }
  }
  const { about, stat } = known
  const place = recordPath({ container: file, format, name }).split(path.sep).join('/')
  const { sizeBytes: bytes, mtimeMs, identity } = stat
  const ref = refOfFile(source, root, key, { file: place, bytes, mtimeMs, identity })
  const { tornAt } = about
  if (typeof tornAt !== 'number') return { ref, about }
  const sentence = `${file} ends inside of this conversation: the rest is missing.`
  const part = { file, fromByte: tornAt, cause: 'damaged', sentence } as const
  return { ref: { ...ref, unread: [part] }, about }
}
