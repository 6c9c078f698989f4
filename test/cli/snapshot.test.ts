import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { listCommand } from '../../src/cli/commands/list'
import { snapshotCommand } from '../../src/cli/commands/sources/snapshot'
import { memoryFolder, tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const temp = tempFolders(memoryFolder)

it('takes, checks and restores a home, which lists the same conversations', async () => {
  const folder = temp()
  const home = path.join(folder, 'home')
  fs.cpSync(path.join(fixtures, 'chibi/home-v010'), home, { recursive: true })
  const config = path.join(folder, 'config')
  const snapshot = (...words: readonly string[]) =>
    run(snapshotCommand, [...words, '--home', home], { now: '2026-11-30T08:15:02Z', config })
  const taken = await snapshot('take', folder)
  const file = path.join(folder, 'skein-2026-11-30-081502.zip')
  expect(taken).toMatchObject({ code: 0, words: '' })
  expect(taken.out).toMatch(/^[\d,]+ files, [\d,]+ bytes, written and read back: .*081502\.zip\n$/)
  expect((await snapshot('check', file)).out).toMatch(/: each is as it was\.\n$/)
  const restored = path.join(folder, 'restored')
  expect((await snapshot('restore', file, restored)).out).toContain(`Open it with --home `)
  const list = async (at: string) =>
    (await run(listCommand, ['--json', '--home', at], { config })).out
  expect(await list(path.join(restored, 'home'))).toBe(await list(home))

  await expect(snapshot('restore', file, restored)).rejects.toMatchObject({ code: 'exists' })
  await expect(snapshot('take', home)).rejects.toMatchObject({ code: 'bad-argument' })
  fs.truncateSync(file, 1000)
  await expect(snapshot('check', file)).rejects.toMatchObject({ code: 'unreadable' })
  for (const words of [[], ['take'], ['take', 'a', 'b'], ['restore', 'a'], ['forget', 'a']])
    await expect(snapshot(...words)).rejects.toThrow('takes take FOLDER')
})

it('encrypts with a passphrase that is typed twice, or is in a file, and asks for it to check and restore', async () => {
  const folder = temp()
  const home = path.join(folder, 'home')
  fs.mkdirSync(home)
  fs.writeFileSync(path.join(home, 'config.toml'), 'model = "m"\n')
  const snapshot = (words: readonly string[], typed?: readonly string[]) =>
    run(snapshotCommand, [...words, '--home', home], {
      now: '2026-11-30T08:15:02Z',
      config: folder,
      ...(typed === undefined ? {} : { typed }),
    })
  const take = ['take', folder, '--encrypt']
  for (const [typed, code] of [
    [['tulips', 'Tulips'], 'passphrase'],
    [[''], 'passphrase'],
    [[], 'cancelled'],
  ] as const)
    await expect(snapshot(take, typed)).rejects.toMatchObject({ code })
  await expect(snapshot(take)).rejects.toThrow('--passphrase-file FILE')
  await expect(snapshot(['check', 'a', '--encrypt'])).rejects.toThrow(
    'is for "skein snapshot take"',
  )
  expect(fs.readdirSync(folder)).toEqual(['home'])

  const taken = await snapshot(take, ['tulips', 'tulips'])
  expect(taken.out).toMatch(/ bytes, encrypted and read back: .*081502\.zip\.age\n$/)
  const file = path.join(folder, 'skein-2026-11-30-081502.zip.age')
  const words = path.join(folder, 'words')
  fs.writeFileSync(words, 'tulips\r\n')
  await expect(snapshot(['take', folder, '--passphrase-file', words])).rejects.toThrow(
    'needs --encrypt',
  )
  const checked = await snapshot(['check', file, '--passphrase-file', words])
  expect(checked.out).toContain('each is as it was')
  await expect(snapshot(['check', file], ['roses'])).rejects.toMatchObject({ code: 'passphrase' })
  fs.writeFileSync(words, 'tulips\nroses\n')
  await expect(snapshot(['check', file, '--passphrase-file', words])).rejects.toMatchObject({
    code: 'passphrase',
  })
  const restored = path.join(folder, 'restored')
  await snapshot(['restore', file, restored], ['tulips'])
  expect(fs.readFileSync(path.join(restored, 'home/config.toml'), 'utf8')).toBe('model = "m"\n')
})

it('says what it left out, and ends with 1', async () => {
  const folder = temp()
  const home = path.join(folder, 'home')
  fs.mkdirSync(home)
  fs.symlinkSync('nowhere', path.join(home, 'dangling'))
  const { code, words } = await run(snapshotCommand, ['take', folder, '--home', home])
  expect([code, words]).toEqual([
    1,
    'home/dangling was left out: it is no file, or a link to nothing.\n',
  ])
})
