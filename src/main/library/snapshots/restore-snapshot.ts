import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { liesInFolder } from '../../disk/reading/real-path'
import { unpackingDisk } from '../../disk/unpack/unpacking-disk'
import { renameFile, temporaryName, writeAll } from '../../disk/writing/atomic'
import { removeTree } from '../../disk/writing/remove-tree'
import { membersOfSnapshot, readMember, type SnapshotCheck } from './check-snapshot'
import { snapshotDisk } from './encrypted-snapshot'
import { type PlacesInUse, requireOutside } from './places-outside'
import { type SnapshotProgress, snapshotError } from './snapshot-form'

/**
 * Writes all files of a snapshot into a new folder, for their owner alone, with their digests compared; the folder has its name
 * only when all of it is there. Files have the times that they had. Nothing that is there is written over.
 *
 * @param folder must not be there; the one around it must, outside of what is in use
 * @param passphrase of a snapshot that is encrypted
 * @throws AppError `bad-argument` it lies in a place in use, `exists` something is there, `not-found`, `unreadable` the snapshot is
 *   damaged or none, `passphrase` it needs one, or another one, `disk-full`, `io`; the signal's reason
 */
export async function restoreSnapshot(
  disk: Disk,
  snapshot: string,
  folder: string,
  inUse: PlacesInUse,
  progress: (now: SnapshotProgress) => void,
  signal: AbortSignal,
  passphrase?: string,
): Promise<SnapshotCheck> {
  try {
    await requireOutside(disk, folder, inUse)
    const plain = await snapshotDisk(disk, snapshot, passphrase)
    const members = await membersOfSnapshot(plain, snapshot)
    const taken = async () => {
      const names = await disk.list(path.dirname(folder))
      if (names.includes(path.basename(folder)))
        throw new AppError('exists', `${folder} is there already. Name a folder that is not.`)
    }
    await taken()
    const temporary = temporaryName(folder)
    const unpacked = unpackingDisk(plain)
    const totalBytes = members.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    let bytes = 0
    try {
      await disk.makeFolder(temporary)
      const made = new Set([temporary])
      for (const member of members) {
        const target = targetOf(temporary, member.name)
        if (!made.has(path.dirname(target))) await disk.makeFolder(path.dirname(target))
        for (let at = path.dirname(target); !made.has(at); at = path.dirname(at)) made.add(at)
        const file = await disk.open(target, 'create-new')
        try {
          await readMember(unpacked, member, signal, async (piece) => {
            await writeAll(file, target, piece)
            bytes += piece.length
            progress({ phase: 'copying', bytes, totalBytes })
          })
          if (member.modifiedMs !== undefined) await disk.setModified?.(target, member.modifiedMs)
          await file.sync()
        } finally {
          await file.close()
        }
      }
      signal.throwIfAborted()
      await taken()
      // What has its name is whole, whenever the power goes: an inner folder is of no use before its files are.
      const deepestFirst = [...made].sort((a, b) => b.length - a.length)
      for (const one of deepestFirst) await disk.syncFolder(one)
      await renameFile(disk, temporary, folder)
    } catch (error) {
      await removeTree(disk, temporary).catch(() => undefined)
      throw error
    }
    await disk.syncFolder(path.dirname(folder))
    return { files: members.length, bytes: totalBytes }
  } catch (error) {
    signal.throwIfAborted()
    throw snapshotError(error)
  }
}

/** A snapshot may come from anywhere, and name what lies outside. @throws AppError `unreadable` */
function targetOf(folder: string, name: string): string {
  const parts = name.split('/')
  const target = path.join(folder, ...parts)
  const isPlain = parts.every(
    (part) =>
      part !== '' &&
      part !== '.' &&
      part !== '..' &&
      !part.includes('\0') &&
      path.basename(part) === part,
  )
  if (isPlain && target !== folder && liesInFolder(folder, target)) return target
  throw new AppError(
    'unreadable',
    `The snapshot has a file with a name that leads elsewhere: ${JSON.stringify(name)}.`,
  )
}
