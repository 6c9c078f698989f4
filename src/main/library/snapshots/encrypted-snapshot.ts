import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import {
  type AgeRefusal,
  decryptingDisk,
  isAgeFile,
  readAgeKey,
} from '../../disk/encryption/age-reader'
import type { Disk } from '../../disk/interface/disk'
import { snapshotError } from './snapshot-form'

/** A passphrase for a new snapshot. */
export interface SnapshotEncryption {
  readonly passphrase: string
  /** For tests, as `openAgeWriter` has it. */
  readonly workFactor?: number
}

/** Ending of the name of a snapshot that is encrypted. */
export const encryptedEnding = '.age'

/** Checks whether a file is encrypted, by its first bytes. @throws AppError `not-found`, `io` */
export async function isEncryptedSnapshot(disk: Disk, file: string): Promise<boolean> {
  try {
    if ((await disk.stat(file))?.kind !== 'file')
      throw new AppError('not-found', `There is no file at ${file}.`)
    const opened = await disk.open(file, 'read')
    try {
      return await isAgeFile(opened)
    } finally {
      await opened.close()
    }
  } catch (error) {
    throw snapshotError(error)
  }
}

/**
 * Returns a disk on which a snapshot reads as what was encrypted; the same disk where it is not encrypted. No byte of it is written
 * anywhere meanwhile.
 *
 * @throws AppError `not-found`, `passphrase` it needs one, or another one, `unreadable`, `io`
 */
export async function snapshotDisk(
  disk: Disk,
  file: string,
  passphrase: string | undefined,
): Promise<Disk> {
  if (!(await isEncryptedSnapshot(disk, file))) return disk
  const name = path.basename(file)
  if (passphrase === undefined || passphrase === '')
    throw new AppError('passphrase', `${name} is encrypted. It needs its passphrase.`)
  try {
    const opened = await disk.open(file, 'read')
    try {
      const key = await readAgeKey(opened, passphrase)
      if (typeof key === 'string') throw refused(name, key)
      return decryptingDisk(disk, file, key)
    } finally {
      await opened.close()
    }
  } catch (error) {
    throw snapshotError(error)
  }
}

function refused(name: string, why: AgeRefusal): AppError {
  if (why === 'wrong-passphrase')
    return new AppError(
      'passphrase',
      `This is not the passphrase of ${name}, or the beginning of the file is damaged.`,
    )
  const words = {
    'no-passphrase': 'is encrypted for a key, not with a passphrase. "age" decrypts it.',
    'too-costly': 'asks for more memory to be opened than Skein gives. "age" decrypts it.',
    damaged: 'is damaged at its beginning.',
  }
  return new AppError('unreadable', `${name} ${words[why]}`)
}
