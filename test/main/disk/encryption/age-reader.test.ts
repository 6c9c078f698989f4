import fs from 'node:fs'
import path from 'node:path'
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  AgeDamage,
  type AgeKey,
  decryptingDisk,
  isAgeFile,
  readAgeKey,
} from '../../../../src/main/disk/encryption/age-reader'
import { openAgeWriter } from '../../../../src/main/disk/encryption/age-writer'
import { DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { drawnOf, numbersBetween, tryEach } from '../../../support/drawn'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const passphrase = 'gärten und äpfel'
const chunk = 64 * 1024
/** As little work as the format has. */
const workFactor = 1

function content(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) % 251))
}

/** The library's own file, at once and not as a stream. */
async function byLibrary(bytes: Uint8Array, more: (encrypter: Encrypter) => void): Promise<Buffer> {
  const encrypter = new Encrypter()
  more(encrypter)
  return Buffer.from(await encrypter.encrypt(bytes))
}

function withPassphrase(encrypter: Encrypter): void {
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(workFactor)
}

async function keyOf(file: string, words = passphrase) {
  const opened = await nodeDisk.open(file, 'read')
  try {
    return await readAgeKey(opened, words)
  } finally {
    await opened.close()
  }
}

async function readThrough(file: string, key: AgeKey, at: number, length: number): Promise<Buffer> {
  const opened = await decryptingDisk(nodeDisk, file, key).open(file, 'read')
  try {
    const parts: Uint8Array[] = []
    for (let from = at; from < at + length; ) {
      const into = Buffer.alloc(at + length - from)
      const got = await opened.read(into, from)
      if (got === 0) break
      parts.push(into.subarray(0, got))
      from += got
    }
    return Buffer.concat(parts)
  } finally {
    await opened.close()
  }
}

describe('an age file', () => {
  it.each([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 200_001])(
    'of %i bytes that is written in pieces is what the library reads, and reads at any place as it was',
    async (length) => {
      const file = path.join(temp(), 'a.age')
      const bytes = content(length)
      const opened = await nodeDisk.open(file, 'create-new')
      const writer = await openAgeWriter(opened, file, passphrase, workFactor)
      for (let at = 0; at < length; at += 30_011)
        await writer.write(bytes.subarray(at, Math.min(at + 30_011, length)))
      await writer.finish()
      await opened.close()

      const decrypter = new Decrypter()
      decrypter.addPassphrase(passphrase)
      expect(bytes.equals(await decrypter.decrypt(fs.readFileSync(file)))).toBe(true)

      const key = await keyOf(file)
      if (typeof key === 'string') throw new Error(key)
      const disk = decryptingDisk(nodeDisk, file, key)
      expect((await disk.stat(file))?.sizeBytes).toBe(length)
      expect(disk.statNow(file)?.sizeBytes).toBe(length)
      for (const at of [0, length - 5, chunk - 3, 2 * chunk].filter((one) => one >= 0))
        expect(await readThrough(file, key, at, 10)).toEqual(bytes.subarray(at, at + 10))
      expect(bytes.equals(await readThrough(file, key, 0, length + 10))).toBe(true)
    },
  )

  it('is known by its first bytes, and a disk that decrypts one leaves others as they are', async () => {
    const folder = temp()
    const [file, other] = [path.join(folder, 'a'), path.join(folder, 'b.age')]
    fs.writeFileSync(file, await byLibrary(content(9), withPassphrase))
    fs.writeFileSync(other, 'age-encryption.org/v2\n')
    const known = async (target: string) => {
      const opened = await nodeDisk.open(target, 'read')
      try {
        return await isAgeFile(opened)
      } finally {
        await opened.close()
      }
    }
    expect([await known(file), await known(other)]).toEqual([true, false])
    const key = await keyOf(file)
    if (typeof key === 'string') throw new Error(key)
    const disk = decryptingDisk(nodeDisk, file, key)
    expect((await disk.stat(other))?.sizeBytes).toBe(22)
  })

  it('is not opened by another passphrase, where it is for a key, or where it asks for more than 1 GB', async () => {
    const file = path.join(temp(), 'a.age')
    const bytes = await byLibrary(content(9), withPassphrase)
    const put = (next: Uint8Array) => fs.writeFileSync(file, next)
    put(bytes)
    expect(await keyOf(file, 'gärten')).toBe('wrong-passphrase')
    put(Buffer.from(bytes.toString('latin1').replace(/(-> scrypt \S+ )1\n/, '$121\n'), 'latin1'))
    expect(await keyOf(file)).toBe('too-costly')
    put(Buffer.from(bytes.toString('latin1').replace(/\n--- .{8}/, '\n--- AAAAAAAA'), 'latin1'))
    expect(await keyOf(file)).toBe('damaged')
    put(bytes.subarray(0, bytes.indexOf('\n--- ') + 60))
    expect(await keyOf(file)).toBe('damaged')
    put(Buffer.from('age-encryption.org/v1\n'))
    expect(await keyOf(file)).toBe('damaged')
    const recipient = await identityToRecipient(await generateIdentity())
    put(await byLibrary(content(9), (encrypter) => encrypter.addRecipient(recipient)))
    expect(await keyOf(file)).toBe('no-passphrase')
  })

  describe('that was changed', () => {
    const length = 3 * chunk + 100
    let whole: Buffer
    beforeAll(async () => {
      whole = await byLibrary(content(length), withPassphrase)
    })

    async function read(bytes: Uint8Array): Promise<Buffer> {
      const file = path.join(temp(), 'a.age')
      fs.writeFileSync(file, bytes)
      const key = await keyOf(file)
      if (typeof key === 'string') throw new DiskError('io', file, key)
      return readThrough(file, key, 0, length + 10)
    }

    it('is refused wherever it is cut off', async () => {
      const ends = drawnOf(numbersBetween(0, whole.length - 1), 40)
      const seams = [1, 2, 3].map((one) => whole.length - 116 - (3 - one) * (chunk + 16))
      await tryEach([...ends, ...seams], async (end) => {
        await expect(read(whole.subarray(0, end))).rejects.toBeInstanceOf(DiskError)
      })
    })

    it('is refused wherever a bit is another', async () => {
      await tryEach(drawnOf(numbersBetween(0, whole.length - 1), 40), async (at) => {
        const bytes = Buffer.from(whole)
        bytes[at] = (bytes[at] ?? 0) ^ 4
        await expect(read(bytes)).rejects.toBeInstanceOf(DiskError)
      })
    })

    it('is refused with its chunks in another order, one twice, or anything behind', async () => {
      const from = whole.length - 116 - 3 * (chunk + 16)
      const part = (at: number) =>
        whole.subarray(from + at * (chunk + 16), from + (at + 1) * (chunk + 16))
      const head = whole.subarray(0, from)
      const orders = [
        [0, 2, 1, 3],
        [0, 0, 1, 2, 3],
        [0, 1, 3],
        [0, 1, 2, 3, 3],
      ]
      for (const order of orders)
        await expect(read(Buffer.concat([head, ...order.map(part)]))).rejects.toBeInstanceOf(
          AgeDamage,
        )
      for (const more of [1, 16, 17, chunk])
        await expect(read(Buffer.concat([whole, Buffer.alloc(more)]))).rejects.toBeInstanceOf(
          AgeDamage,
        )
      expect(
        (await read(Buffer.concat([head, ...[0, 1, 2, 3].map(part)]))).equals(content(length)),
      ).toBe(true)
    })
  })
})
