import fs from 'node:fs'
import path from 'node:path'
import { armor, Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  AgeDamage,
  type AgeKey,
  decryptingDisk,
  readAgeKey,
  readAgeKind,
} from '../../../../src/main/disk/encryption/age-reader'
import { openAgeWriter } from '../../../../src/main/disk/encryption/age-writer'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
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

afterEach(() => {
  vi.restoreAllMocks()
})

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

  it('is decrypted once where it is opened for one part after the other, and its end again once it was changed', async () => {
    const file = path.join(temp(), 'a.age')
    const bytes = content(3 * chunk + 100)
    const whole = await byLibrary(bytes, withPassphrase)
    fs.writeFileSync(file, whole)
    const key = await keyOf(file)
    if (typeof key === 'string') throw new Error(key)
    let read = 0
    const counting: Disk = {
      ...nodeDisk,
      async open(target, mode, permissions) {
        const opened = await nodeDisk.open(target, mode, permissions)
        return {
          ...opened,
          async read(into, position) {
            const got = await opened.read(into, position)
            read += got
            return got
          },
        }
      },
    }
    const disk = decryptingDisk(counting, file, key)
    const part = async (at: number, length: number) => {
      const opened = await disk.open(file, 'read')
      try {
        const into = Buffer.alloc(length)
        return into.subarray(0, await opened.read(into, at))
      } finally {
        await opened.close()
      }
    }
    for (let at = 0; at < bytes.length; at += 1024) {
      const got = await part(at, 1024)
      expect(got.equals(bytes.subarray(at, at + got.length))).toBe(true)
    }
    expect(read).toBe(whole.length - key.contentAt)
    fs.truncateSync(file, whole.length - 1)
    await expect(part(0, 10)).rejects.toBeInstanceOf(AgeDamage)
  })

  it('opens by its passphrase in other code points, which is written as it was given', async () => {
    const file = path.join(temp(), 'a.age')
    for (const [written, typed] of [
      ['NFC', 'NFD'],
      ['NFD', 'NFC'],
    ] as const) {
      const opened = await nodeDisk.open(`${file}-${written}`, 'create-new')
      const words = passphrase.normalize(written)
      const writer = await openAgeWriter(opened, file, words, workFactor)
      await writer.write(content(9))
      await writer.finish()
      await opened.close()
      const decrypter = new Decrypter()
      decrypter.addPassphrase(words)
      await decrypter.decrypt(fs.readFileSync(`${file}-${written}`))
      expect(await keyOf(`${file}-${written}`, passphrase.normalize(typed))).toHaveProperty('key')
    }
  })

  it('is not called damaged for want of memory, or any other fault that is not its own', async () => {
    const file = path.join(temp(), 'a.age')
    fs.writeFileSync(file, await byLibrary(content(9), withPassphrase))
    for (const fault of [
      new RangeError('Array buffer allocation failed'),
      new TypeError('invalid header'),
      new Error('no such thing'),
    ]) {
      const failing = vi.spyOn(Decrypter.prototype, 'decryptHeader').mockRejectedValueOnce(fault)
      await expect(keyOf(file)).rejects.toBe(fault)
      failing.mockRestore()
    }
  })

  it('is known by its first bytes, and a disk that decrypts one leaves others as they are', async () => {
    const folder = temp()
    const [file, other] = [path.join(folder, 'a'), path.join(folder, 'b.age')]
    fs.writeFileSync(file, await byLibrary(content(9), withPassphrase))
    fs.writeFileSync(other, 'age-encryption.org/v2\n')
    const known = async (target: string) => {
      const opened = await nodeDisk.open(target, 'read')
      try {
        return await readAgeKind(opened)
      } finally {
        await opened.close()
      }
    }
    expect([await known(file), await known(other)]).toEqual(['passphrase', undefined])
    fs.writeFileSync(other, `\r\n${armor.encode(fs.readFileSync(file))}`)
    expect(await known(other)).toBe('armored')
    const recipient = await identityToRecipient(await generateIdentity())
    fs.writeFileSync(
      other,
      await byLibrary(content(9), (encrypter) => encrypter.addRecipient(recipient)),
    )
    expect(await known(other)).toBe('key')
    fs.writeFileSync(other, fs.readFileSync(file).subarray(0, 40))
    expect(await known(other)).toBe('damaged')
    fs.writeFileSync(other, 'age-encryption.org/v2\n')
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
