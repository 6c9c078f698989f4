import path from 'node:path'
import type { ConversationDrift } from '../../../shared/model/drift/drift'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { lineDriftCheck } from '../../readers/known/line-drift'
import type { History } from '../sources/histories'
import { DriftTally } from './drift-tally'

/**
 * Checks a conversation in documents for what its reader does not know, each as one line; undefined where one of its files is
 * none, cannot be read, or the reader does not say what a document has. Holds one document.
 */
export async function driftOfDocuments(
  disk: Disk,
  { reader, ref }: History,
): Promise<ConversationDrift | undefined> {
  const { documentValue } = reader.known
  if (documentValue === undefined || !ref.files.every(({ isDocument }) => isDocument))
    return undefined
  const check = lineDriftCheck(reader.known)
  const tally = new DriftTally()
  for (const { file } of ref.files) {
    const text = await textOf(disk, path.join(ref.root, file))
    if (text === undefined) return undefined
    tally.beginFile()
    tally.addShown(0)
    const drift = check(documentValue(text))
    if (drift !== undefined) tally.add(drift, { file, line: 1 })
  }
  return tally.found
}

async function textOf(disk: Disk, file: string): Promise<string | undefined> {
  try {
    return await readSmallText(disk, file)
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return undefined
  }
}
