import { hkdfSync } from 'node:crypto'
import { type Disk, DiskError, type DiskFile, type FileStat } from '../interface/disk'
import { readExactly } from '../reading/lines'
import { loadAge } from './load-age'

/** The key to the content of one age file. */
export interface AgeKey {
  readonly key: Uint8Array
  /** Byte of the file at which its content begins. */
  readonly contentAt: number
}

/** A reason why an age file is not opened: another kind of key is needed, the passphrase is another, or its header is no longer what it was. */
export type AgeRefusal = 'no-passphrase' | 'wrong-passphrase' | 'too-costly' | 'damaged'

/** Bytes of an age file are not those that were encrypted. */
export class AgeDamage extends DiskError {
  constructor(path: string, words: string, cause?: unknown) {
    super('io', path, `${path} is damaged: ${words}`, cause)
    this.name = 'AgeDamage'
  }
}

const magic = 'age-encryption.org/v1\n'
/** Of a passphrase it has some 150 bytes, and 3 KB for each of other keys. */
const mostHeaderBytes = 64 * 1024
const nonceBytes = 16
const chunkBytes = 64 * 1024
const tagBytes = 16

/** Returns true where a file begins as an age file does, whatever its name is. @throws DiskError */
export async function isAgeFile(file: DiskFile): Promise<boolean> {
  return Buffer.from(await readExactly(file, 0, magic.length)).equals(Buffer.from(magic))
}

/**
 * Makes the key of an age file from a passphrase, which takes the time and memory that the file asks for: a second and 256 MB, 8 s
 * and 1 GB at most. It blocks meanwhile.
 *
 * @throws DiskError
 */
export async function readAgeKey(file: DiskFile, passphrase: string): Promise<AgeKey | AgeRefusal> {
  const start = Buffer.from(await readExactly(file, 0, mostHeaderBytes))
  const lastLineAt = start.indexOf('\n--- ') + 1
  const contentAt = start.indexOf('\n', lastLineAt) + 1 + nonceBytes
  if (lastLineAt === 0 || contentAt === nonceBytes || contentAt > start.length) return 'damaged'
  const header = start.subarray(0, contentAt - nonceBytes)
  if (!header.includes('\n-> scrypt ')) return 'no-passphrase'
  const { Decrypter } = await loadAge()
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    const fileKey = await decrypter.decryptHeader(header)
    const nonce = start.subarray(header.length, contentAt)
    return { key: new Uint8Array(hkdfSync('sha256', fileKey, nonce, 'payload', 32)), contentAt }
  } catch (error) {
    const words = error instanceof Error ? error.message : ''
    if (/no identity matched/.test(words)) return 'wrong-passphrase'
    return /work factor/.test(words) ? 'too-costly' : 'damaged'
  }
}

/**
 * Wraps a disk so that one age file reads as its content; all else is as it is. Nothing is handed out that was not proved to be what
 * was encrypted, in its place; a file that is cut off is not opened. Holds 64 KB for each time that it is open.
 *
 * Reads that fail for that throw AgeDamage.
 */
export function decryptingDisk(disk: Disk, target: string, key: AgeKey): Disk {
  const seen = (path: string, stat: FileStat | undefined) =>
    path === target && stat?.kind === 'file'
      ? { ...stat, sizeBytes: contentSize(path, key, stat.sizeBytes) }
      : stat
  return {
    ...disk,
    stat: async (path) => seen(path, await disk.stat(path)),
    statNow: (path) => seen(path, disk.statNow(path)),
    async open(path, mode, permissions) {
      const file = await disk.open(path, mode, permissions)
      if (path !== target || mode !== 'read') return file
      try {
        return await decryptedFile(path, file, key)
      } catch (error) {
        await file.close()
        throw error
      }
    },
  }
}

/** The library reads from the start alone; the format is made to be read at any place, which a zip needs. */
async function decryptedFile(path: string, file: DiskFile, key: AgeKey): Promise<DiskFile> {
  const { chacha20poly1305 } = await import('@noble/ciphers/chacha.js')
  const sizeBytes = contentSize(path, key, (await file.stat()).sizeBytes)
  const last = Math.max(0, Math.ceil(sizeBytes / chunkBytes) - 1)
  let held: { readonly at: number; readonly bytes: Uint8Array } | undefined

  const chunk = async (at: number): Promise<Uint8Array> => {
    if (held?.at === at) return held.bytes
    const from = key.contentAt + at * (chunkBytes + tagBytes)
    const length = Math.min(chunkBytes, sizeBytes - at * chunkBytes) + tagBytes
    const encrypted = new Uint8Array(await readExactly(file, from, length))
    const nonce = Buffer.alloc(12)
    nonce.writeBigUInt64BE(BigInt(at), 3)
    // The last one is marked: a file that was cut off has none.
    nonce[11] = at === last ? 1 : 0
    try {
      held = { at, bytes: chacha20poly1305(key.key, nonce).decrypt(encrypted) }
    } catch (error) {
      const words = at === last ? 'it is cut off or changed at its end' : `it is changed at ${from}`
      throw new AgeDamage(path, words, error)
    }
    return held.bytes
  }

  await chunk(last)
  return {
    ...{ write: (bytes) => file.write(bytes), sync: () => file.sync(), close: () => file.close() },
    async read(into, position) {
      if (position >= sizeBytes || into.length === 0) return 0
      const at = Math.floor(position / chunkBytes)
      const piece = (await chunk(at)).subarray(position - at * chunkBytes)
      const some = piece.subarray(0, into.length)
      into.set(some)
      return some.length
    },
    async stat() {
      return { ...(await file.stat()), sizeBytes }
    },
  }
}

/** @throws AgeDamage no content has this size encrypted */
function contentSize(path: string, { contentAt }: AgeKey, fileBytes: number): number {
  const encrypted = fileBytes - contentAt
  const rest = encrypted % (chunkBytes + tagBytes)
  if (
    encrypted < tagBytes ||
    (rest > 0 && rest < tagBytes) ||
    (rest === tagBytes && encrypted > tagBytes)
  )
    throw new AgeDamage(path, 'it is cut off')
  return encrypted - tagBytes * Math.ceil(encrypted / (chunkBytes + tagBytes))
}
