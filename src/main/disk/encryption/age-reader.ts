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

/** Kind of an age file: encrypted with a passphrase, or for a key alone; in the form for text; or with a header that is not whole. */
export type AgeKind = 'passphrase' | 'key' | 'armored' | 'damaged'

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
const armorStart = '-----BEGIN AGE ENCRYPTED FILE-----'
/** Of a passphrase it has some 150 bytes, and 3 KB for each of other keys. */
const mostHeaderBytes = 64 * 1024
const nonceBytes = 16
const chunkBytes = 64 * 1024
const tagBytes = 16
/** A file is read at its end, at its beginning, and then from one member to the next: two more than that. */
const mostHeldChunks = 4

/** Tells by its first 64 KB how a file is encrypted, whatever its name is; undefined for one that is no age file. @throws DiskError */
export async function readAgeKind(file: DiskFile): Promise<AgeKind | undefined> {
  const start = Buffer.from(await readExactly(file, 0, mostHeaderBytes))
  const { header, kind } = headerIn(start)
  if (header.subarray(0, magic.length).equals(Buffer.from(magic))) return kind
  const isArmored = start.subarray(0, 1024).toString('utf8').trimStart().startsWith(armorStart)
  return isArmored ? 'armored' : undefined
}

/** The header with its last line; where that is missing, all that is there. */
function headerIn(start: Buffer): { readonly header: Buffer; readonly kind: AgeKind } {
  const lastLineAt = start.indexOf('\n--- ') + 1
  const end = start.indexOf('\n', lastLineAt) + 1
  if (lastLineAt === 0 || end === 0 || end + nonceBytes > start.length)
    return { header: start, kind: 'damaged' }
  const header = start.subarray(0, end)
  return { header, kind: header.includes('\n-> scrypt ') ? 'passphrase' : 'key' }
}

/** What the library, and the base64 that it reads, say of a header that is not as it was; anything else is no fault of the file. */
const headerFault =
  /^invalid (version|stanza|scrypt stanza|header|non-ASCII byte)|^scrypt recipient is not the only one|padding|^Unknown letter/

/**
 * Makes the key of an age file from a passphrase, which takes the time and memory that the file asks for: a second and 256 MB; 8 s, 20 s on a
 * busy machine, and 1 GB at most. It blocks meanwhile. Where what was given does not open it, and other code points are written the same (NFC, NFD), those
 * are tried too, each for the same price.
 *
 * @throws DiskError; RangeError there is not enough memory
 */
export async function readAgeKey(file: DiskFile, passphrase: string): Promise<AgeKey | AgeRefusal> {
  const start = Buffer.from(await readExactly(file, 0, mostHeaderBytes))
  const { header, kind } = headerIn(start)
  if (kind === 'damaged') return 'damaged'
  if (kind === 'key') return 'no-passphrase'
  const contentAt = header.length + nonceBytes
  const { Decrypter } = await loadAge()
  const decrypter = new Decrypter()
  const forms = [passphrase, passphrase.normalize('NFC'), passphrase.normalize('NFD')]
  for (const form of new Set(forms)) decrypter.addPassphrase(form)
  try {
    const fileKey = await decrypter.decryptHeader(header)
    const nonce = start.subarray(header.length, contentAt)
    return { key: new Uint8Array(hkdfSync('sha256', fileKey, nonce, 'payload', 32)), contentAt }
  } catch (error) {
    const isLibrarys = error instanceof Error && error.name === 'Error'
    const words = isLibrarys ? error.message : ''
    if (/no identity matched/.test(words)) return 'wrong-passphrase'
    if (/work factor is too high/.test(words)) return 'too-costly'
    if (headerFault.test(words)) return 'damaged'
    throw error
  }
}

/**
 * Wraps a disk so that one age file reads as its content; all else is as it is. Nothing is handed out that was not proved to be what
 * was encrypted, in its place; a file that is cut off is not opened. Holds the last four chunks of 64 KB that were read, for all that
 * open it; its end is proved once, and again where the file was changed.
 *
 * Reads that fail for that throw AgeDamage.
 */
export function decryptingDisk(disk: Disk, target: string, key: AgeKey): Disk {
  const seen = (path: string, stat: FileStat | undefined) =>
    path === target && stat?.kind === 'file'
      ? { ...stat, sizeBytes: contentSize(path, key, stat.sizeBytes) }
      : stat
  let chunks: HeldChunks | undefined
  return {
    ...disk,
    stat: async (path) => seen(path, await disk.stat(path)),
    statNow: (path) => seen(path, disk.statNow(path)),
    async open(path, mode, permissions) {
      const file = await disk.open(path, mode, permissions)
      if (path !== target || mode !== 'read') return file
      try {
        const stat = await file.stat()
        const state = `${stat.identity} ${stat.sizeBytes} ${stat.mtimeMs}`
        if (chunks?.state !== state) chunks = { state, isEndProved: false, bytes: new Map() }
        return await decryptedFile(path, file, key, stat.sizeBytes, chunks)
      } catch (error) {
        await file.close()
        throw error
      }
    },
  }
}

/** Chunks of one state of a file that were proved and decrypted, by their number, the one that was used last at the end. */
interface HeldChunks {
  readonly state: string
  isEndProved: boolean
  readonly bytes: Map<number, Uint8Array>
}

/** The library reads from the start alone; the format is made to be read at any place, which a zip needs. */
async function decryptedFile(
  path: string,
  file: DiskFile,
  key: AgeKey,
  fileBytes: number,
  held: HeldChunks,
): Promise<DiskFile> {
  const { chacha20poly1305 } = await import('@noble/ciphers/chacha.js')
  const sizeBytes = contentSize(path, key, fileBytes)
  const last = Math.max(0, Math.ceil(sizeBytes / chunkBytes) - 1)

  const hold = (at: number, bytes: Uint8Array): Uint8Array => {
    held.bytes.delete(at)
    held.bytes.set(at, bytes)
    for (const oldest of held.bytes.keys()) {
      if (held.bytes.size <= mostHeldChunks) break
      held.bytes.delete(oldest)
    }
    return bytes
  }

  const chunk = async (at: number): Promise<Uint8Array> => {
    const before = held.bytes.get(at)
    if (before !== undefined) return hold(at, before)
    const from = key.contentAt + at * (chunkBytes + tagBytes)
    const length = Math.min(chunkBytes, sizeBytes - at * chunkBytes) + tagBytes
    const encrypted = new Uint8Array(await readExactly(file, from, length))
    const nonce = Buffer.alloc(12)
    nonce.writeBigUInt64BE(BigInt(at), 3)
    // The last one is marked: a file that was cut off has none.
    nonce[11] = at === last ? 1 : 0
    try {
      return hold(at, chacha20poly1305(key.key, nonce).decrypt(encrypted))
    } catch (error) {
      const words = at === last ? 'it is cut off or changed at its end' : `it is changed at ${from}`
      throw new AgeDamage(path, words, error)
    }
  }

  if (!held.isEndProved) await chunk(last)
  held.isEndProved = true
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
