import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Disk } from '../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { contextPaths } from '../../../src/main/store/core/home-paths'
import { mustLieInside } from '../../../src/main/store/core/inside-home'
import { openStore } from '../../../src/main/store/open-store'
import { requireWhole } from '../../../src/shared/model/conversation/reading'
import { message } from '../../support/entries'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)
let home: string
let elsewhere: string
let garden: string
beforeEach(async () => {
  home = temp()
  elsewhere = temp('elsewhere')
  garden = path.join(home, 'contexts/garden')
  await say(home, 'first', true)
  fs.mkdirSync(path.join(garden, 'transcript/partitions'), { recursive: true })
})

const storeAt = (folder: string) => openStore({ home: folder, disk: nodeDisk })

async function say(folder: string, text: string, create = false): Promise<void> {
  const writer = await storeAt(folder).openWriter('garden', { create })
  await writer.append(message(text))
  await writer.close()
}

async function textsOf(folder: string): Promise<string[]> {
  const texts: string[] = []
  for await (const row of requireWhole((await storeAt(folder).readWhole('garden')).rows))
    if (row.type === 'entry') texts.push(row.entry.content)
  return texts
}

/** Moves something away, and leaves a link to it in its place. */
function linkOut(target: string, to = path.join(elsewhere, 'moved')): void {
  if (fs.existsSync(target)) {
    fs.cpSync(target, to, { recursive: true })
    fs.rmSync(target, { recursive: true })
  }
  fs.symlinkSync(to, target)
}

/** Every path below a folder, with what its files hold. */
const allIn = (folder: string) =>
  fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const file = path.join(folder, name)
    return [name, fs.statSync(file).isFile() ? fs.readFileSync(file, 'utf8') : '']
  })

describe('a link that leads out of the home', () => {
  it.each([
    'transcript',
    'transcript/active.jsonl',
    'transcript/partitions',
    'context.jsonl',
    'inbox.jsonl',
    'seals.skein.jsonl',
    'partial.skein.jsonl',
    'transcript.md',
    '.dirty',
    'tool_cache',
  ])('in the place of %s is read, and never written through', async (name) => {
    linkOut(path.join(garden, name))
    const before = allIn(elsewhere)
    await expect(say(home, 'second')).rejects.toMatchObject({
      code: 'read-only',
      message: `"garden" can be read, but not written to: ${name} is a link out of the home.`,
    })
    expect(allIn(elsewhere)).toEqual(before)
    expect(fs.existsSync(path.join(garden, '.lock'))).toBe(false)
    expect((await textsOf(home)).at(-1)).toBe('first')
  })

  it('in the place of a context is read, and nothing of it is changed, no lock made', async () => {
    linkOut(garden)
    const before = allIn(elsewhere)
    const { contexts } = storeAt(home)
    const refused = { code: 'read-only', message: expect.stringContaining('its folder is a link') }
    await expect(say(home, 'second')).rejects.toMatchObject(refused)
    await expect(contexts.rename('garden', 'bed')).rejects.toMatchObject(refused)
    await expect(contexts.clear('garden')).rejects.toMatchObject(refused)
    await expect(contexts.writeText('garden', 'todos.md', 'x', null)).rejects.toMatchObject(refused)
    expect(allIn(elsewhere)).toEqual(before)
    expect((await textsOf(home)).at(-1)).toBe('first')
  })
})

describe('a file that goes while links are looked for', () => {
  it.each([
    ['gone', 1],
    ['gone, though the next one is there already', 2],
  ])('is %s: no link', async (name, looks) => {
    let asked = 0
    const disk: Disk = {
      ...nodeDisk,
      // As another process does that rotates, and appends to the next file.
      async realPath(target) {
        if (!target.endsWith('active.jsonl')) return nodeDisk.realPath(target)
        asked += 1
        fs.rmSync(target)
        try {
          return await nodeDisk.realPath(target)
        } finally {
          if (name !== 'gone' && asked === 1) fs.writeFileSync(target, '')
        }
      },
    }
    await mustLieInside(disk, home, contextPaths(home, 'garden'))
    expect(asked).toBe(looks)
  })
})

describe('a link that stays in the home', () => {
  it.each(['', 'contexts'])('or is the home itself (%s) is written to', async (name) => {
    const link = path.join(temp(), 'home')
    if (name === '') fs.symlinkSync(home, link)
    else linkOut(path.join(home, name))
    const target = name === '' ? link : home
    await say(target, 'second')
    expect((await textsOf(target)).slice(-2)).toEqual(['first', 'second'])
  })

  it('in the place of a context or a file of it is written to', async () => {
    linkOut(path.join(garden, 'transcript/active.jsonl'), path.join(garden, 'transcript/real.txt'))
    await say(home, 'second')
    linkOut(garden, path.join(home, 'kept'))
    await say(home, 'third')
    expect((await textsOf(home)).slice(-3)).toEqual(['first', 'second', 'third'])
  })
})
