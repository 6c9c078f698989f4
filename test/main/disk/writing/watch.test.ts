import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { watchFolder } from '../../../../src/main/disk/writing/watch'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const disposers: (() => void)[] = []
afterEach(() => {
  for (const dispose of disposers.splice(0)) dispose()
})

/** Watches a folder; `changed` resolves at the next change that is told. */
function watched(folder: string, isRemote?: () => Promise<boolean>) {
  let told = 0
  disposers.push(watchFolder(nodeDisk, folder, () => told++, isRemote))
  const changed = async (change: () => void) => {
    const before = told
    change()
    await expect.poll(() => told).toBeGreaterThan(before)
  }
  return { changed, count: () => told }
}

describe('watching a folder', () => {
  it('tells of a new file, of growth, of a replacement and of a removal', async () => {
    const folder = temp()
    const { changed } = watched(folder)
    const file = path.join(folder, 'active.jsonl')
    await changed(() => fs.writeFileSync(file, 'a'))
    await changed(() => fs.appendFileSync(file, 'b'))
    await changed(() => {
      fs.writeFileSync(`${file}.tmp.1`, 'c')
      fs.renameSync(`${file}.tmp.1`, file)
    })
    await changed(() => fs.rmSync(file))
  })

  it('waits for a folder that is not there, and goes on when it was removed and made again', async () => {
    const folder = path.join(temp(), 'later')
    const { changed } = watched(folder)
    await changed(() => fs.mkdirSync(folder))
    await changed(() => fs.writeFileSync(path.join(folder, 'a'), ''))
    await changed(() => fs.rmSync(folder, { recursive: true }))
    await changed(() => fs.mkdirSync(folder))
    await changed(() => fs.writeFileSync(path.join(folder, 'b'), ''))
  })

  it('tells of many changes at once in one, and of none after it was disposed', async () => {
    const folder = temp()
    const { changed, count } = watched(folder)
    await changed(() => {
      for (let i = 0; i < 50; i++) fs.writeFileSync(path.join(folder, `${i}`), 'x')
    })
    expect(count()).toBeLessThan(5)
    disposers.splice(0).forEach((dispose) => {
      dispose()
    })
    const before = count()
    const other = watched(folder)
    await other.changed(() => fs.writeFileSync(path.join(folder, 'after'), 'x'))
    expect(count()).toBe(before)
  })

  it('tells of growth that the system does not tell of, in a folder of another machine', async () => {
    const folder = temp()
    const file = path.join(folder, 'active.jsonl')
    fs.writeFileSync(file, 'a')
    // What cannot be looked at hides nothing.
    fs.symlinkSync('circle', path.join(folder, 'circle'))
    // Who writes by another name of the file, elsewhere, is not told to who watches this folder: as on a network.
    const elsewhere = path.join(temp(), 'other-name')
    fs.linkSync(file, elsewhere)
    const { count } = watched(folder, () => Promise.resolve(true))
    const grown = () => {
      fs.appendFileSync(elsewhere, 'b')
      return count()
    }
    await expect.poll(grown).toBeGreaterThan(0)
    await expect.poll(grown).toBeGreaterThan(1)
  })

  it('looks at a large folder of another machine each time, and at its files less often', async () => {
    const folder = temp()
    for (let i = 0; i < 150; i++) fs.writeFileSync(path.join(folder, `${i}`), '')
    const looks: ('folder' | 'files')[] = []
    const counting: Disk = {
      ...nodeDisk,
      stat: (name) => {
        const what = name === folder ? 'folder' : 'files'
        if (what === 'folder' || looks.at(-1) !== 'files') looks.push(what)
        return nodeDisk.stat(name)
      },
    }
    const isRemote = () => Promise.resolve(true)
    disposers.push(watchFolder(counting, folder, () => undefined, isRemote))
    const first = ['folder', 'files', 'folder', 'folder', 'files']
    await expect.poll(() => looks.slice(0, first.length)).toEqual(first)
  })
})
