import { createHash } from 'node:crypto'
import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { yieldToOthers } from '../../disk/pacing/slices'
import { readSmallText } from '../../disk/reading/read'
import { unpackingDisk } from '../../disk/unpack/unpacking-disk'
import { isZip, readZipDirectory } from '../../disk/unpack/zip-directory'
import { memberPath, zipMembersFolder } from '../../disk/unpack/zip-path'
import { snapshotDisk } from './encrypted-snapshot'
import {
  filePieces,
  parseSums,
  type SnapshotProgress,
  type SummedFile,
  snapshotError,
  sumsName,
} from './snapshot-form'

/** The content of a snapshot, all of it as it was when it was taken. */
export interface SnapshotCheck {
  readonly files: number
  /** Of all files together. */
  readonly bytes: number
}

/** A file of a snapshot that was opened. */
export interface SnapshotMember extends SummedFile {
  readonly sizeBytes: number
  /** In Unix milliseconds; absent where the snapshot does not tell. */
  readonly modifiedMs?: number
  /** For a disk that unpacks. */
  readonly path: string
}

/**
 * Checks a snapshot: reads every file of it and compares its digest.
 *
 * @param passphrase of one that is encrypted
 * @throws AppError `not-found`, `unreadable` it is none, or something of it is damaged or missing; `passphrase` it needs one, or
 *   another one; `io`; the signal's reason
 */
export async function checkSnapshot(
  disk: Disk,
  file: string,
  progress: (now: SnapshotProgress) => void,
  signal: AbortSignal,
  passphrase?: string,
): Promise<SnapshotCheck> {
  try {
    const plain = await snapshotDisk(disk, file, passphrase)
    const members = await membersOfSnapshot(plain, file)
    await checkMembers(plain, members, progress, signal)
    return {
      files: members.length,
      bytes: members.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    }
  } catch (error) {
    signal.throwIfAborted()
    throw snapshotError(error)
  }
}

/**
 * Reads which files a snapshot has, by its directory and its list of digests, which must agree. Reads none of them.
 *
 * @throws AppError `not-found`, `unreadable`; DiskError
 */
export async function membersOfSnapshot(
  disk: Disk,
  snapshot: string,
): Promise<readonly SnapshotMember[]> {
  const name = path.basename(snapshot)
  const none = (why: string) => new AppError('unreadable', `${name} ${why}.`)
  if ((await disk.stat(snapshot))?.kind !== 'file')
    throw new AppError('not-found', `There is no file at ${snapshot}.`)
  const file = await disk.open(snapshot, 'read')
  try {
    if (!(await isZip(file))) throw none('is no snapshot of Skein')
    const { members, fault } = await readZipDirectory(file)
    if (fault !== undefined) throw none(`is damaged: ${fault}`)
    const folder = zipMembersFolder(snapshot)
    const text = await readSmallText(unpackingDisk(disk), path.join(folder, sumsName), 2 ** 30)
    const sums = text === undefined ? undefined : parseSums(text)
    if (sums === undefined) throw none('is no snapshot of Skein, or its list of digests is damaged')
    const found = new Map(members.map((member) => [member.name, member]))
    if (found.size !== members.length || found.size !== sums.length + 1)
      throw none('has other files than its list of digests names')
    return sums.map((one) => {
      const member = found.get(one.name)
      if (member === undefined) throw none(`has no ${one.name}, which its list of digests names`)
      const { sizeBytes, modifiedMs } = member
      return {
        ...one,
        sizeBytes,
        ...(modifiedMs === undefined ? {} : { modifiedMs }),
        path: path.join(folder, memberPath(member)),
      }
    })
  } finally {
    await file.close()
  }
}

/**
 * Reads members of a snapshot and compares their digests.
 *
 * @throws AppError `unreadable`; DiskError; the signal's reason
 */
export async function checkMembers(
  disk: Disk,
  members: readonly SnapshotMember[],
  progress: (now: SnapshotProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const totalBytes = members.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const unpacked = unpackingDisk(disk)
  let bytes = 0
  for (const member of members) {
    await readMember(unpacked, member, signal, async (piece) => {
      bytes += piece.length
      progress({ phase: 'checking', bytes, totalBytes })
    })
  }
}

/**
 * Reads a member in pieces; what was handed on is right only once it returns.
 *
 * @param unpacked a disk that unpacks: one for all members, since it reads their directory
 * @throws AppError `unreadable` its bytes are not those that its digest names; DiskError; the signal's reason
 */
export async function readMember(
  unpacked: Disk,
  { path: target, name, sizeBytes, sha256 }: SnapshotMember,
  signal: AbortSignal,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  const hash = createHash('sha256')
  const file = await unpacked.open(target, 'read')
  try {
    for await (const piece of filePieces(file, sizeBytes, signal)) {
      hash.update(piece)
      await take(piece)
      await yieldToOthers(piece.length)
    }
  } finally {
    await file.close()
  }
  if (hash.digest('hex') !== sha256)
    throw new AppError('unreadable', `${name} in the snapshot is damaged: its digest is another.`)
}
