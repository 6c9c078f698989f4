import fs from 'node:fs'
import path from 'node:path'
import { armor, Decrypter } from 'age-encryption'
import { describe, expect, it, vi } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import {
  checkSnapshot,
  isEncryptedSnapshot,
  restoreSnapshot,
  takeSnapshot,
} from '../../../../src/main/library/snapshots'
import { drawnOf, numbersBetween, tryEach } from '../../../support/drawn'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { watchedDisk } from '../../../support/watched-disk'

const temp = tempFolders(memoryFolder)
const never = new AbortController().signal
const nothing = () => undefined
const inUse = { folders: [], roots: [] }
const encryption = { passphrase: 'gärten und äpfel', workFactor: 1 }
const name = 'skein-2026-11-30-081502.zip.age'
/** What every member of a zip begins with, and names that are in it. */
const zipMagic = 'PK\u0003\u0004'
const plain = new RegExp(`${zipMagic}|config\\.toml|SHA256SUMS`)
const byAge = path.resolve(import.meta.dirname, '../../../fixtures/snapshots/by-age-1.1.1.zip.age')

/** A home with a short file, and one of several chunks that no packer makes smaller. */
function ground() {
  const root = temp()
  const [home, folder] = [path.join(root, 'home'), path.join(root, 'kept')]
  for (const one of [home, folder]) fs.mkdirSync(one)
  fs.writeFileSync(path.join(home, 'config.toml'), 'model = "m"\n')
  let [at, next] = [0, 1]
  const noise = Buffer.alloc(150_000)
  while (at < noise.length) {
    next = (next * 48_271) % 2_147_483_647
    noise[at++] = next
  }
  fs.writeFileSync(path.join(home, 'noise'), noise)
  const now = () => Date.UTC(2026, 10, 30, 8, 15, 2)
  const deps = { disk: nodeDisk, home, userFolder: path.join(root, 'user'), roots: [], now }
  return { root, home, folder, deps, noise, file: path.join(folder, name) }
}

describe('a snapshot with a passphrase', () => {
  it('is one file for its owner alone, and is checked and restored with that passphrase', async () => {
    const { root, folder, deps, file, noise } = ground()
    const taken = await takeSnapshot(deps, folder, nothing, never, encryption)
    expect(taken).toMatchObject({ file, files: 2, packedBytes: fs.statSync(file).size })
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    expect(await isEncryptedSnapshot(nodeDisk, file)).toBe(true)
    const { passphrase } = encryption
    expect(await checkSnapshot(nodeDisk, file, nothing, never, passphrase)).toEqual({
      files: taken.files,
      bytes: taken.bytes,
    })
    const restored = path.join(root, 'restored')
    await restoreSnapshot(nodeDisk, file, restored, inUse, nothing, never, passphrase)
    expect(noise.equals(fs.readFileSync(path.join(restored, 'home/noise')))).toBe(true)
    await takeSnapshot(deps, folder, nothing, never, encryption)
    expect(fs.readdirSync(folder).sort()).toEqual([name.replace('.zip', '-2.zip'), name])
  })

  it('is never on the disk as it is, neither while it is taken nor while it is checked or restored', async () => {
    const { root, folder, deps, file } = ground()
    const written: string[] = []
    const watching: Disk = {
      ...nodeDisk,
      async open(target, mode, permissions) {
        const opened = await nodeDisk.open(target, mode, permissions)
        return {
          ...opened,
          write(bytes) {
            written.push(Buffer.from(bytes).toString('latin1'))
            return opened.write(bytes)
          },
        }
      },
    }
    await takeSnapshot({ ...deps, disk: watching }, folder, nothing, never, encryption)
    expect(written.length).toBeGreaterThan(1)
    expect(written.join('')).not.toMatch(plain)
    written.length = 0
    const { passphrase } = encryption
    await checkSnapshot(watching, file, nothing, never, passphrase)
    expect(written).toEqual([])
    await restoreSnapshot(
      ...([
        watching,
        file,
        path.join(root, 'restored'),
        inUse,
        nothing,
        never,
        passphrase,
      ] as const),
    )
    expect(written.join('')).not.toContain(zipMagic)
    expect(written.join('')).toContain('model = "m"')
  })

  it('says that it needs its passphrase, or another one; and a file that is none is not decrypted', async () => {
    const { root, folder, deps, file } = ground()
    await takeSnapshot(deps, folder, nothing, never, encryption)
    const restored = path.join(root, 'restored')
    for (const given of [undefined, '', 'Gärten und Äpfel']) {
      const why = given ? /not the passphrase of skein-/ : /needs its passphrase/
      await expect(checkSnapshot(nodeDisk, file, nothing, never, given)).rejects.toMatchObject({
        code: 'passphrase',
        message: expect.stringMatching(why),
      })
      await expect(
        restoreSnapshot(nodeDisk, file, restored, inUse, nothing, never, given),
      ).rejects.toMatchObject({ code: 'passphrase' })
    }
    fs.truncateSync(file, fs.statSync(file).size - 1)
    const { passphrase } = encryption
    await expect(
      restoreSnapshot(nodeDisk, file, restored, inUse, nothing, never, passphrase),
    ).rejects.toMatchObject({ code: 'unreadable', message: expect.stringContaining('cut off') })
    expect(fs.readdirSync(root).sort()).toEqual(['home', 'kept'])
    const key = path.join(path.dirname(byAge), 'for-a-key.zip.age')
    await expect(checkSnapshot(nodeDisk, key, nothing, never, passphrase)).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('for a key'),
    })
  })

  it('is refused where a plain one lies in its place, whatever it is called', async () => {
    const { root, folder, deps, file } = ground()
    const { file: plainFile } = await takeSnapshot(deps, folder, nothing, never)
    fs.copyFileSync(plainFile, file)
    const { passphrase } = encryption
    const restored = path.join(root, 'restored')
    for (const [target, given] of [
      [file, passphrase],
      [file, undefined],
      [plainFile, passphrase],
    ] as const) {
      const refusal = {
        code: 'unreadable',
        message: expect.stringContaining(`${path.basename(target)} is not encrypted`),
      }
      await expect(checkSnapshot(nodeDisk, target, nothing, never, given)).rejects.toMatchObject(
        refusal,
      )
      await expect(
        restoreSnapshot(nodeDisk, target, restored, inUse, nothing, never, given),
      ).rejects.toMatchObject(refusal)
    }
    expect(fs.existsSync(restored)).toBe(false)
    await expect(isEncryptedSnapshot(nodeDisk, file)).rejects.toMatchObject({ code: 'unreadable' })
    expect(await isEncryptedSnapshot(nodeDisk, plainFile)).toBe(false)
    fs.unlinkSync(file)

    const swapping: Disk = {
      ...nodeDisk,
      async open(target, mode, permissions) {
        if (mode === 'read' && path.dirname(target) === folder) fs.copyFileSync(plainFile, target)
        return nodeDisk.open(target, mode, permissions)
      },
    }
    await expect(
      takeSnapshot({ ...deps, disk: swapping }, folder, nothing, never, encryption),
    ).rejects.toMatchObject({ code: 'unreadable' })
    expect(fs.readdirSync(folder)).toEqual([path.basename(plainFile)])
  })

  it('is not taken with a passphrase that has no text, or other characters than text', async () => {
    const { folder, deps } = ground()
    for (const [passphrase, why] of [
      ['', 'empty'],
      [' \u00a0\u3000', 'blanks alone'],
      ['tulips\troses', 'control character'],
      ['tulips\0', 'control character'],
      ['t\ud800', 'no UTF-8'],
      ['g\ufffdrten', 'no UTF-8'],
    ] as const)
      await expect(
        takeSnapshot(deps, folder, nothing, never, { passphrase, workFactor: 1 }),
      ).rejects.toMatchObject({ code: 'passphrase', message: expect.stringContaining(why) })
    expect(fs.readdirSync(folder)).toEqual([])
  })

  it('says that there is not enough memory, where there is not, and names the form for text', async () => {
    const { folder } = ground()
    const failing = vi
      .spyOn(Decrypter.prototype, 'decryptHeader')
      .mockRejectedValueOnce(new RangeError('Array buffer allocation failed'))
    const { passphrase } = encryption
    await expect(checkSnapshot(nodeDisk, byAge, nothing, never, passphrase)).rejects.toMatchObject({
      code: 'io',
      message: expect.stringContaining('not enough memory'),
    })
    failing.mockRestore()
    const text = path.join(folder, 'a.zip.age')
    fs.writeFileSync(text, armor.encode(fs.readFileSync(byAge)))
    for (const given of [undefined, passphrase])
      await expect(checkSnapshot(nodeDisk, text, nothing, never, given)).rejects.toMatchObject({
        code: 'unreadable',
        message: expect.stringContaining('armored'),
      })
  })

  it('that age itself encrypted is read', async () => {
    const { passphrase } = encryption
    expect(await checkSnapshot(nodeDisk, byAge, nothing, never, passphrase)).toEqual({
      files: 2,
      bytes: 19,
    })
  })

  it('that fails, is stopped or killed at any call leaves nothing under its name', async () => {
    const { deps, file, folder } = ground()
    const take = (disk: Disk, signal = never) =>
      takeSnapshot({ ...deps, disk }, folder, nothing, signal, encryption)
    const counting = watchedDisk()
    await take(counting)
    fs.unlinkSync(file)
    await tryEach(drawnOf(numbersBetween(1, counting.calls()), 6), async (at) => {
      const stop = new AbortController()
      const stopping = watchedDisk({ before: (call) => call.at === at && stop.abort() })
      const done = await take(stopping, stop.signal).catch(() => undefined)
      expect(fs.readdirSync(folder)).toEqual(done === undefined ? [] : [name])
      expect(stopping.openFiles()).toEqual([])
      if (done !== undefined) fs.unlinkSync(file)
    })
    // As after a kill, nothing is cleared away.
    await tryEach(drawnOf(numbersBetween(1, counting.calls()), 6), async (at) => {
      const dead = watchedDisk({
        before(call) {
          if (call.at >= at) throw new DiskError('no-space', call.path, `${call.path} is dead`)
        },
      })
      await expect(take(dead)).rejects.toMatchObject({ code: 'disk-full' })
      if (fs.existsSync(file))
        await checkSnapshot(nodeDisk, file, nothing, never, encryption.passphrase)
      for (const one of fs.readdirSync(folder)) {
        expect(one).toMatch(/^skein-2026-11-30-081502\.zip(\.age|\.tmp\.\d+)$/)
        fs.unlinkSync(path.join(folder, one))
      }
    })
  })

  it('has nothing under its name where it reads otherwise than it was written', async () => {
    const { folder, deps } = ground()
    const spoiling: Disk = {
      ...nodeDisk,
      async open(target, mode, permissions) {
        if (mode === 'read' && target.startsWith(folder)) {
          const bytes = fs.readFileSync(target)
          bytes[80_000] = (bytes[80_000] ?? 0) ^ 1
          fs.writeFileSync(target, bytes)
        }
        return nodeDisk.open(target, mode, permissions)
      },
    }
    await expect(
      takeSnapshot({ ...deps, disk: spoiling }, folder, nothing, never, encryption),
    ).rejects.toMatchObject({ code: 'unreadable' })
    expect(fs.readdirSync(folder)).toEqual([])
  })
})
