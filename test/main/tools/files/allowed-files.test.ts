import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { listAllowedFiles, readAllowedFile } from '../../../../src/main/tools/files/allowed-files'
import { readPathRules } from '../../../../src/main/tools/files/allowed-paths'
import { folderItems } from '../../../../src/main/tools/files/walk-folders'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const signal = new AbortController().signal

/** A project with files, and things in it that are none of a message's. */
function project() {
  const root = fs.realpathSync(temp())
  const put = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), text)
  }
  put('work/a.md', 'fern')
  put('work/src/deep/b.ts', 'moss')
  put('work/node_modules/c.js', 'built')
  put('work/.env', 'KEY=1')
  put('outside/secret.md', 'secret')
  put('home/config.toml', 'api_key = "k"')
  put('home/contexts/garden/transcript/active.jsonl', '{}')
  put('home/contexts/garden/notes.md', 'mine')
  fs.symlinkSync(path.join(root, 'outside'), path.join(root, 'work/out'))
  fs.symlinkSync('.', path.join(root, 'work/circle'))
  fs.linkSync(path.join(root, 'outside/secret.md'), path.join(root, 'work/hard.md'))
  const allowed = (...folders: string[]) => ({
    disk: nodeDisk,
    home: path.join(root, 'home'),
    allowedPaths: folders.map((folder) => path.join(root, folder)),
  })
  return { root, allowed }
}

it('lists files level by level, those of built folders last; no hidden names, no links, nothing kept', async () => {
  const { root, allowed } = project()
  const { files, isCut } = await listAllowedFiles(allowed('work', 'home'), 1000, signal)
  expect(isCut).toBe(false)
  expect(files.map((file) => [path.relative(root, file.path), file.folder, file.name])).toEqual([
    ['work/a.md', '', 'a.md'],
    ['work/hard.md', '', 'hard.md'],
    ['work/src/deep/b.ts', 'src/deep', 'b.ts'],
    ['home/contexts/garden/notes.md', 'contexts/garden', 'notes.md'],
    ['work/node_modules/c.js', 'node_modules', 'c.js'],
  ])
})

it('ends a walk at its limit and says so, and at a folder that is not there finds nothing', async () => {
  const { allowed } = project()
  const { files, isCut } = await listAllowedFiles(allowed('work'), 2, signal)
  expect([files.map(({ name }) => name), isCut]).toEqual([['a.md'], true])
  expect(await listAllowedFiles(allowed('gone'), 10, signal)).toEqual({ files: [], isCut: false })
  await expect(listAllowedFiles(allowed('work'), 10, AbortSignal.abort())).rejects.toThrow()
})

it('says that not all was looked through where a folder cannot be listed', async () => {
  const { allowed } = project()
  const disk = {
    ...nodeDisk,
    async list(folder: string) {
      if (folder.endsWith('deep')) throw new DiskError('denied', folder, 'It is closed.')
      return nodeDisk.list(folder)
    },
  }
  const { files, isCut } = await listAllowedFiles({ ...allowed('work'), disk }, 1000, signal)
  expect([files.map(({ name }) => name), isCut]).toEqual([['a.md', 'hard.md', 'c.js'], true])
})

it('puts no more names of a huge folder in order than are looked at', async () => {
  const { allowed } = project()
  const names = Array.from({ length: 5000 }, (_, n) => `n${9999 - n}`)
  const disk = { ...nodeDisk, list: async () => names, realPath: async (at: string) => at }
  const rules = await readPathRules(allowed('work'))
  const items: string[] = []
  for await (const { name } of folderItems(
    { disk, rules, showHidden: false, signal, mostNames: 100 },
    '/huge',
  ))
    items.push(name)
  expect([items.length, items[0], items.at(-1)]).toEqual([100, 'n9900', 'n9999'])
  expect((await listAllowedFiles({ ...allowed('work'), disk }, 10, signal)).isCut).toBe(true)
})

it('reads a file of an allowed folder, and nothing outside, kept, with other names or too large', async () => {
  const { root, allowed } = project()
  const at = (name: string) => path.join(root, name)
  const read = (name: string, most = 100) =>
    readAllowedFile(allowed('work', 'home'), at(name), most)
  const { name, bytes } = await read('work/a.md')
  expect([name, Buffer.from(bytes).toString()]).toEqual(['a.md', 'fern'])
  for (const [file, words] of [
    ['outside/secret.md', /outside the allowed folders/],
    ['work/out/secret.md', /outside the allowed folders/],
    ['work/../outside/secret.md', /outside the allowed folders/],
    ['work/hard.md', /other names/],
    ['home/config.toml', /not available to tools/],
    ['home/contexts/garden/transcript/active.jsonl', /not available to tools/],
    ['work/src', /is a folder/],
    ['work/none.md', /is not there/],
  ] as const)
    await expect(read(file)).rejects.toMatchObject({
      code: 'bad-argument',
      message: expect.stringMatching(words),
    })
  await expect(read('work/a.md', 3)).rejects.toMatchObject({ code: 'bad-argument' })
})
