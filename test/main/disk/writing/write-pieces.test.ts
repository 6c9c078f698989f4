import { execFileSync } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { writePieces } from '../../../../src/main/disk/writing/write-pieces'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()

async function* pieces(...texts: readonly string[]) {
  yield* texts
}

it('replaces what a link leads to, and leaves the link', async () => {
  const [here, there] = [folder(), folder()]
  const [link, file] = [path.join(here, 'link.md'), path.join(there, 'real.md')]
  await fs.writeFile(file, 'before')
  await fs.symlink(file, link)
  await writePieces(appDisk, link, pieces('after'))

  expect(await fs.readFile(file, 'utf8')).toBe('after')
  expect(await fs.readlink(link)).toBe(file)
  expect([await fs.readdir(here), await fs.readdir(there)]).toEqual([['link.md'], ['real.md']])
})

it('refuses a link to nothing, and leaves it', async () => {
  const link = path.join(folder(), 'link.md')
  await fs.symlink('none.md', link)
  await expect(writePieces(appDisk, link, pieces('after'))).rejects.toThrow(
    `${link} is a link to something that is not there`,
  )
  expect(await fs.readlink(link)).toBe('none.md')
  expect(await fs.readdir(path.dirname(link))).toEqual(['link.md'])
})

it.skipIf(process.platform === 'win32').each([0o600, 0o640, 0o444, 0o755])(
  'keeps the permissions of what it replaces, from its first byte on (%o)',
  async (mode) => {
    const file = path.join(folder(), 'out.md')
    await fs.writeFile(file, 'before')
    await fs.chmod(file, mode)
    const during: number[] = []
    async function* watched() {
      yield 'x'.repeat(300_000)
      for (const name of await fs.readdir(path.dirname(file)))
        during.push((await fs.stat(path.join(path.dirname(file), name))).mode & 0o7777)
      yield 'end'
    }
    await writePieces(appDisk, file, watched())

    expect(during).toEqual([mode, mode])
    expect((await fs.stat(file)).mode & 0o7777).toBe(mode)
    expect((await fs.stat(file)).size).toBe(300_003)
  },
)

it.skipIf(process.platform === 'win32')('refuses a pipe, and leaves it', async () => {
  const pipe = path.join(folder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  await expect(writePieces(appDisk, pipe, pieces('x'))).rejects.toThrow('a device or a pipe')
  expect((await fs.lstat(pipe)).isFIFO()).toBe(true)
  expect(await fs.readdir(path.dirname(pipe))).toEqual(['pipe'])
})

it.skipIf(process.platform === 'win32')('refuses a device, and leaves it', async () => {
  // By a link to it: a failure of this test must not take the machine's own.
  const link = path.join(folder(), 'null')
  await fs.symlink('/dev/null', link)
  await expect(writePieces(appDisk, link, pieces('x'))).rejects.toThrow('a device or a pipe')
  expect(await fs.readlink(link)).toBe('/dev/null')
})

it('refuses a folder', async () => {
  const target = folder()
  await expect(writePieces(appDisk, target, pieces('x'))).rejects.toMatchObject({
    code: 'is-directory',
  })
  expect(await fs.readdir(target)).toEqual([])
})
