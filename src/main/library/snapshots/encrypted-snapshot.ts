import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import {
  type AgeRefusal,
  decryptingDisk,
  readAgeKey,
  readAgeKind,
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

/**
 * Requires that a new passphrase has text, and nothing that a field or a terminal would give otherwise the next time: passphrases of old snapshots
 * are tried as they are.
 *
 * @throws AppError `passphrase`
 */
export function requireNewPassphrase(passphrase: string): void {
  const refuse = (words: string) => new AppError('passphrase', `The passphrase ${words}.`)
  if (passphrase === '') throw refuse('is empty')
  if (passphrase.trim() === '') throw refuse('has blanks alone')
  if (/\p{Cc}/u.test(passphrase)) throw refuse('has a control character, such as a tab')
  if (/[\p{Cs}\ufffd]/u.test(passphrase)) throw refuse('has bytes that are no UTF-8')
}

/**
 * Checks whether a snapshot takes a passphrase, by its first bytes: false for a plain one.
 *
 * @throws AppError `not-found`, `unreadable` it is encrypted in another way, or is not encrypted and its name says that it is; `io`
 */
export async function isEncryptedSnapshot(disk: Disk, file: string): Promise<boolean> {
  try {
    if ((await disk.stat(file))?.kind !== 'file')
      throw new AppError('not-found', `There is no file at ${file}.`)
    const opened = await disk.open(file, 'read')
    try {
      const kind = await readAgeKind(opened)
      const name = path.basename(file)
      if (kind === 'key') throw refused(name, 'no-passphrase')
      if (kind === 'damaged') throw refused(name, kind)
      if (kind === 'armored') throw unreadable(name, armoredWords)
      if (kind === undefined && name.toLowerCase().endsWith(encryptedEnding))
        throw unreadable(
          name,
          'is not encrypted, as its name says. Another file may be in its place.',
        )
      return kind === 'passphrase'
    } finally {
      await opened.close()
    }
  } catch (error) {
    throw snapshotError(error)
  }
}

const armoredWords = 'is an age file in its form for text (armored). "age" decrypts it.'

/**
 * Returns a disk on which a snapshot reads as what was encrypted; the same disk for a plain one without a passphrase. No byte of it is
 * written anywhere meanwhile.
 *
 * @throws AppError `not-found`, `passphrase` it needs one, or another one, `unreadable` also where a passphrase is given and it is plain: whoever
 *   can write where snapshots lie could put one there; `io` also for want of memory
 */
export async function snapshotDisk(
  disk: Disk,
  file: string,
  passphrase: string | undefined,
): Promise<Disk> {
  const name = path.basename(file)
  const isGiven = passphrase !== undefined && passphrase !== ''
  if (!(await isEncryptedSnapshot(disk, file))) {
    if (!isGiven) return disk
    throw unreadable(
      name,
      'is not encrypted, and a passphrase was given. Without one it is read as it is.',
    )
  }
  if (!isGiven) throw new AppError('passphrase', `${name} is encrypted. It needs its passphrase.`)
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
  return unreadable(name, words[why])
}

function unreadable(name: string, words: string): AppError {
  return new AppError('unreadable', `${name} ${words}`)
}
