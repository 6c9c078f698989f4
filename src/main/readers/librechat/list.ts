import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { recordFileRef } from '../common/composed/record-file-ref'
import { findDocuments } from '../common/find-documents'
import type { SourceRef } from '../common/reader'
import { librechatFormat, librechatName } from './records'

/** People name exports themselves: any document may be one, but those of other systems that have names of their own. */
const documentNames = /^(?!prod-grok|my ?activity)[^/]+\.json$/i

/**
 * Lists the exports under a root, a conversation each. Of one that was exported twice the copy with more in it is listed.
 *
 * @throws AppError `unreadable` a zip, a folder or a document cannot be read; what can be read is listed before
 */
export async function* listLibrechat(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const found = await findDocuments(root, disk, signal, documentNames)
  const by = { source: 'librechat', format: librechatFormat, name: librechatName } as const
  const chosen = new Map<string, SourceRef>()
  const faults = [...found.faults]
  for (const { file, stat } of found.documents) {
    signal.throwIfAborted()
    const place = { root: found.root, key: path.posix.basename(file), file, one: { stat } }
    const { ref, about } = await recordFileRef(by, place, disk)
    if (about === undefined) faults.push(`${file} cannot be read.`)
    if (typeof about?.fault === 'string') faults.push(`${file}: ${about.fault}.`)
    const id = about?.id
    if (typeof id !== 'string') continue
    const before = chosen.get(id)
    if (before === undefined || isRicher(ref, before)) chosen.set(id, { ...ref, key: id })
  }
  yield* chosen.values()
  const [first] = faults
  if (first !== undefined) throw new AppError('unreadable', first, { detail: faults.join('\n') })
}

/** Half of a conversation never stands for a whole one. */
function isRicher(one: SourceRef, before: SourceRef): boolean {
  const [isTorn, wasTorn] = [one.unread !== undefined, before.unread !== undefined]
  return isTorn === wasTorn ? one.bytes > before.bytes : wasTorn
}
