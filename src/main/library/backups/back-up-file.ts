import path from 'node:path'
import { DiskError, type DiskFile, type FileStat } from '../../disk/interface/disk'
import { linkOrMove, removeIfThere, renameFile } from '../../disk/writing/atomic'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { nowName } from './backup-places'
import { appendBytes, copyToNew, hashIfBeginning, partOfCopy } from './copy-bytes'
import { dropEarlier, dropSeal, moveToEarlier } from './earlier-versions'
import type { OpenPlace } from './open-place'
import type { BackupSeal } from './seals'

/** Outcome for one file: nothing, a first copy, more of it, or a new copy beside or in place of an older one. */
export type FileBackup = 'same' | 'copied' | 'grown' | 'replaced'

/** A document is written anew as a whole, by its program: a longer one has what the one before had. */
const isDocument = (file: string) => /\.json$/i.test(file)

/**
 * Backs a file up. A copy is compared with its original byte by byte where the original's size, time or identity is another
 * one than when it was sealed: one that is the beginning of the original is continued, any other one becomes an earlier version,
 * unless it is a document that grew. The original is only read.
 *
 * @param from the original, absolute
 *
 * @param file below its root, with slashes
 *
 * @throws DiskError `not-found` it is gone by now; the signal's reason
 */
export async function backUpFile(
  place: OpenPlace,
  from: string,
  file: string,
  stat: FileStat,
): Promise<FileBackup> {
  const { disk, folder, book, signal } = place
  const name = `${nowName}/${file}`
  const target = path.join(folder, name)
  const sealed = book.seals.get(name)
  const copy = await disk.stat(target)
  if (copy !== undefined && copy.kind !== 'file')
    throw new DiskError('io', target, `${target} is not a file`)
  const isKnown = sealed !== undefined && isSameState(sealed.original, stat)
  if (isKnown && copy !== undefined && copy.sizeBytes >= sealed.bytes) return 'same'
  const opened = await disk.open(from, 'read')
  try {
    const before = await opened.stat()
    const job: Job = { ...place, name, target, from, opened, before }
    if (copy === undefined) return await copyAnew(job, 'copied')
    const grown = await goOn(job, copy)
    if (grown !== undefined) return grown
    const isLonger = isDocument(file) && before.sizeBytes > copy.sizeBytes
    if (!isLonger) await moveToEarlier(place, file, target, signal)
    return await copyAnew(job, 'replaced')
  } finally {
    await opened.close()
  }
}

interface Job extends OpenPlace {
  /** Below the place's folder. */
  readonly name: string
  readonly target: string
  readonly from: string
  readonly opened: DiskFile
  readonly before: FileStat
}

/** Continues a copy that is the beginning of its original; undefined for any other. */
async function goOn(job: Job, { sizeBytes }: FileStat): Promise<FileBackup | undefined> {
  const { disk, target, opened, before, book, name, signal } = job
  const copy = await disk.open(target, 'append')
  try {
    const hash = await hashIfBeginning(opened, copy, signal)
    if (hash === undefined) return undefined
    const range = { from: sizeBytes, end: before.sizeBytes, hash }
    const bytes = await appendBytes(opened, copy, target, range, signal)
    // Who put the copy there may not have lived to make its name durable.
    await makeDurableFolder(disk, path.dirname(target))
    await disk.syncFolder(path.dirname(target))
    await seal(job, { bytes, sha256: hash.digest('hex'), isShared: book.seals.get(name)?.isShared })
    return bytes === sizeBytes ? 'same' : 'grown'
  } finally {
    await copy.close()
  }
}

async function copyAnew(job: Job, done: FileBackup): Promise<FileBackup> {
  const { disk, target, from, opened, before, name, seals, signal } = job
  const part = partOfCopy(target)
  await makeDurableFolder(disk, path.dirname(target))
  await removeIfThere(disk, part)
  const original = { file: opened, path: from, end: before.sizeBytes }
  const { isShared, ...digest } = await copyToNew(disk, original, part, signal)
  if ((await disk.stat(target)) !== undefined) {
    await dropSeal(seals, name)
    await renameFile(disk, part, target)
  } else if ((await linkOrMove(disk, part, target)) === 'linked') await removeIfThere(disk, part)
  await disk.syncFolder(path.dirname(target))
  await seal(job, { ...digest, ...(isShared ? { isShared } : {}) })
  return done
}

/** Times of a copy are its original's: where entries have none, the conversation's is that of its file. */
async function seal(
  job: Job,
  { isShared, ...digest }: Pick<BackupSeal, 'bytes' | 'sha256' | 'isShared'>,
): Promise<void> {
  const { disk, target, opened, before, name, seals } = job
  await disk.setModified?.(target, before.mtimeMs)
  const { identity, sizeBytes: bytes, mtimeMs } = before
  const original = { identity, bytes, mtimeMs }
  // One that changed meanwhile is compared again at the next backup.
  const isStill = isSameState(original, await opened.stat())
  await seals.add({
    file: name,
    ...digest,
    ...(isShared ? { isShared } : {}),
    ...(isStill ? { original } : {}),
  })
  await dropEarlier(job, digest)
}

function isSameState(known: BackupSeal['original'], stat: FileStat): boolean {
  return (
    known?.identity === stat.identity &&
    known.bytes === stat.sizeBytes &&
    known.mtimeMs === stat.mtimeMs
  )
}
