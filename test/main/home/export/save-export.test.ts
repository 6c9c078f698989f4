import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openWorkToEnd } from '../../../../src/main/compose/ending-work'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { saveExport } from '../../../../src/main/home/export/save-export'
import { exportHandlers } from '../../../../src/main/ipc/handlers/exports'
import { protectedHistories } from '../../../../src/main/library/sources/protected-histories'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { openTestHome } from '../../../support/home'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()

async function* pieces(...texts: readonly (string | Uint8Array)[]) {
  yield* texts
}

it('writes all pieces, in order, as UTF-8', async () => {
  const file = path.join(folder(), 'out.md')
  const many = Array.from({ length: 3000 }, (_, n) => `line ${n} 日本語 🧵\n`.repeat(20))
  const bytes = await saveExport(nodeDisk, file, pieces(...many))

  expect(await fs.readFile(file, 'utf8')).toBe(many.join(''))
  expect((await fs.stat(file)).size).toBe(bytes)
})

it('writes bytes as they are, between texts and in their order', async () => {
  const file = path.join(folder(), 'out.jsonl')
  const noise = Uint8Array.of(0xff, 0x00, 0x0a, 0xc3)
  const written = await saveExport(
    nodeDisk,
    file,
    pieces('é', noise, new Uint8Array(0), 'end', noise),
  )

  const whole = Buffer.concat([Buffer.from('é'), noise, Buffer.from('end'), noise])
  expect((await fs.readFile(file)).equals(whole)).toBe(true)
  expect(written).toBe(whole.length)
})

it('leaves what stood there, and nothing else, when a piece fails', async () => {
  const file = path.join(folder(), 'out.md')
  await fs.writeFile(file, 'before')
  async function* failing() {
    yield 'half'
    throw new Error('the conversation vanished')
  }
  await expect(saveExport(nodeDisk, file, failing())).rejects.toThrow('the conversation vanished')

  expect(await fs.readFile(file, 'utf8')).toBe('before')
  expect(await fs.readdir(path.dirname(file))).toEqual(['out.md'])
})

it('says in words when it cannot be written there', async () => {
  const file = path.join(folder(), 'none', 'out.md')
  await expect(saveExport(nodeDisk, file, pieces('x'))).rejects.toMatchObject({ code: 'io' })
})

/** A folder with a history of cycod and a home of chibi with one context. */
async function readPlaces() {
  const base = folder()
  await fs.mkdir(path.join(base, 'cycod/history'), { recursive: true })
  await fs.mkdir(path.join(base, 'home/contexts/soup/transcript'), { recursive: true })
  await fs.mkdir(path.join(base, 'elsewhere/transcript'), { recursive: true })
  await fs.mkdir(path.join(base, 'cycod-exports'))
  await fs.writeFile(path.join(base, 'cycod/history/a.jsonl'), 'original')
  await fs.writeFile(path.join(base, 'own.jsonl'), 'original')
  await fs.symlink('../../elsewhere', path.join(base, 'home/contexts/linked'))
  await fs.symlink('cycod', path.join(base, 'way'))
  await fs.symlink('cycod/history/a.jsonl', path.join(base, 'link.md'))
  const kept = {
    roots: [
      { source: 'chibi', path: path.join(base, 'home') },
      { source: 'cycod', path: path.join(base, 'cycod') },
    ],
    files: [path.join(base, 'own.jsonl')],
  }
  return { base, kept }
}

it.each([
  ['the place of a history', 'cycod/history/a.jsonl'],
  ['a new file beside a history', 'cycod/history/new.jsonl'],
  ['the folder of the tool', 'cycod/new.md'],
  ['the same by a linked folder', 'way/new.md'],
  ['a link to a history', 'link.md'],
  ['a transcript of a home', 'home/contexts/soup/transcript/active.jsonl'],
  ['a context that lies elsewhere by a link', 'elsewhere/transcript/new.jsonl'],
  ['a file of the conversation', 'own.jsonl'],
])('writes nothing into %s', async (_, target) => {
  const { base, kept } = await readPlaces()
  const before = (await fs.readdir(base, { recursive: true })).sort()
  const saving = saveExport(nodeDisk, path.join(base, target), pieces('export'), kept)
  await expect(saving).rejects.toMatchObject({ code: 'bad-argument' })

  expect((await fs.readdir(base, { recursive: true })).sort()).toEqual(before)
  expect(await fs.readFile(path.join(base, 'cycod/history/a.jsonl'), 'utf8')).toBe('original')
  expect(await fs.readFile(path.join(base, 'own.jsonl'), 'utf8')).toBe('original')
})

it.each([
  ['a link of a context to its file', 'home/contexts/soup/transcript/active.jsonl'],
  ['a link of a root that nothing reads', 'cycod/damaged.zip'],
])('writes over nothing that is read by %s, also where that came meanwhile', async (_, link) => {
  const { base, kept } = await readPlaces()
  const { linked } = protectedHistories(nodeDisk, [
    { source: 'chibi', path: path.join(base, 'home') },
    { source: 'cycod', path: path.join(base, 'cycod') },
  ])
  const places = { ...kept, ...(linked === undefined ? {} : { linked }) }
  const target = path.join(base, 'only.zip')
  await fs.writeFile(target, 'original')
  async function* linking() {
    await fs.symlink(target, path.join(base, link))
    yield 'export'
  }
  for (const content of [linking(), pieces('export')])
    await expect(saveExport(nodeDisk, target, content, places)).rejects.toMatchObject({
      code: 'bad-argument',
    })
  expect(await fs.readFile(target, 'utf8')).toBe('original')
  expect((await fs.readdir(base)).filter((name) => name.includes('.tmp.'))).toEqual([])
})

it.each(['out.md', 'cycod-exports/out.md', 'home/out.md'])(
  'writes beside what is read: %s',
  async (target) => {
    const { base, kept } = await readPlaces()
    await saveExport(nodeDisk, path.join(base, target), pieces('export'), kept)
    expect(await fs.readFile(path.join(base, target), 'utf8')).toBe('export')
  },
)

it('keeps the window from saving among what it reads', async () => {
  const base = folder()
  const file = path.join(base, 'cycod/history/chat-history-1754437000000.jsonl')
  await fs.mkdir(path.dirname(file), { recursive: true })
  await fs.writeFile(file, '{"role":"user","content":"Soup?"}\n')
  const roots = [{ source: 'cycod' as const, path: path.join(base, 'cycod') }]
  const home = await openTestHome(folder(), { roots })
  const saveAt = (target: string) =>
    exportHandlers(
      () => home,
      {
        file: async () => target,
        shown: (place) => place,
        folder: async () => undefined,
      },
      { progress: () => {} },
      openWorkToEnd(),
      async () => [],
    ).save({ key: LibraryKey.parse('cycod:chat-history-1754437000000'), format: 'md' })
  try {
    for (const target of [file, path.join(base, 'cycod/new.md')])
      await expect(saveAt(target)).rejects.toMatchObject({ code: 'bad-argument' })
    expect(await fs.readFile(file, 'utf8')).toBe('{"role":"user","content":"Soup?"}\n')
    expect(await fs.readdir(path.join(base, 'cycod'))).toEqual(['history'])
    expect(await saveAt(path.join(base, 'out.md'))).toMatchObject({ entries: 1 })
  } finally {
    await home.close()
  }
})
