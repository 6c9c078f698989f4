import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { backUpRoot, backupRootsFor } from '../../../../src/main/library/backups'
import { openLibrary } from '../../../../src/main/library/library'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { readers } from '../../../../src/main/readers/index'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const noSignal = new AbortController().signal
const line = (text: string, id = 'u1') =>
  `${JSON.stringify({ type: 'user', uuid: id, parentUuid: null, sessionId: 's', cwd: '/garden', timestamp: '2026-09-10T09:00:00.000Z', message: { role: 'user', content: text } })}\n`

/** Claude Code's folder with sessions by name, backed up. */
async function ground(sessions: Readonly<Record<string, string>>) {
  const folder = temp()
  const root = { source: 'claude-code' as const, path: path.join(folder, 'claude') }
  const archive = path.join(folder, 'backups')
  const fileOf = (name: string) => path.join(root.path, 'projects/-garden', `${name}.jsonl`)
  fs.mkdirSync(path.dirname(fileOf('a')), { recursive: true })
  for (const [name, text] of Object.entries(sessions)) fs.writeFileSync(fileOf(name), text)
  const rule = readers.find(({ id }) => id === 'claude-code')?.backup
  if (rule === undefined) throw new Error('there is no rule')
  const backUp = () => backUpRoot({ disk: nodeDisk, archive }, root, rule, noSignal)
  await backUp()
  const openOn = async (disk: Disk, cacheFolder?: string) => {
    const backups = await backupRootsFor(nodeDisk, archive, [root], { note: () => undefined })
    // Wherever they stand among the roots.
    const histories = openHistories(disk, [...backups, root])
    return openLibrary({
      disk,
      store: undefined,
      shownHome: '',
      histories,
      isRunning: () => false,
      changed: () => undefined,
      watched: false,
      ...(cacheFolder === undefined ? {} : { cacheFolder }),
    })
  }
  /** Keys of rows, each with its title and why it is read from a backup. */
  const rows = async (disk: Disk = nodeDisk) => {
    const library = await openOn(disk)
    try {
      const all = await library.all(false)
      return all.map(({ key, title, backup }) => [key, title, backup]).sort()
    } finally {
      await library.close()
    }
  }
  return { folder, root, fileOf, backUp, rows, openOn }
}

it('a conversation has its key and title whether its file is there or in the backup', async () => {
  const { fileOf, rows } = await ground({ a: line('Plant pears'), b: line('Prune') })
  const both = [
    ['claude-code:a', 'Plant pears', undefined],
    ['claude-code:b', 'Prune', undefined],
  ]
  expect(await rows()).toEqual(both)
  fs.rmSync(fileOf('a'))
  expect(await rows()).toEqual([['claude-code:a', 'Plant pears', 'gone'], both[1]])
})

it('one that grew since the backup is read where it comes from', async () => {
  const { fileOf, rows } = await ground({ a: line('Plant pears') })
  fs.appendFileSync(
    fileOf('a'),
    `${JSON.stringify({ type: 'custom-title', customTitle: 'Pears' })}\n`,
  )
  expect(await rows()).toEqual([['claude-code:a', 'Pears', undefined]])
})

it('one that was cut is read where it comes from, and whole under a key of its own', async () => {
  const { fileOf, rows, backUp } = await ground({ a: line('Plant pears') + line('More', 'u2') })
  fs.writeFileSync(fileOf('a'), line('Plant plums'))
  await backUp()
  expect(await rows()).toEqual([
    ['claude-code:a', 'Plant plums', undefined],
    ['claude-code:a@2', 'Plant pears', 'earlier'],
  ])
})

it('what cannot be listed is no news that it is gone', async () => {
  const { root, rows } = await ground({ a: line('Plant pears') })
  const projects = path.join(root.path, 'projects')
  const disk: Disk = {
    ...nodeDisk,
    async list(folder) {
      if (folder === projects) throw new DiskError('denied', folder, `${folder}: denied`)
      return nodeDisk.list(folder)
    },
  }
  expect(await rows(disk)).toEqual([['claude-code:a', 'Plant pears', 'unlisted']])
})

it('an open list turns to the backup when a file goes, and back when it comes again', async () => {
  const { fileOf, openOn, folder } = await ground({ a: line('Plant pears') })
  const library = await openOn(nodeDisk, path.join(folder, 'cache'))
  const key = LibraryKey.parse('claude-code:a')
  expect((await library.find(key))?.backup).toBeUndefined()
  const text = fs.readFileSync(fileOf('a'))
  fs.rmSync(fileOf('a'))
  const gone = await library.find(key)
  expect(gone).toMatchObject({ title: 'Plant pears', backup: 'gone' })
  expect(gone?.gone).toBeUndefined()
  expect((await library.details(key)).folder).toContain('backups')
  expect((await library.lost()).items).toEqual([])
  await library.close()

  // What is shown before anything was listed says so too.
  const later = await openOn(nodeDisk, path.join(folder, 'cache'))
  expect((await later.list(undefined, 10)).conversations).toMatchObject([{ key, backup: 'gone' }])
  fs.writeFileSync(fileOf('a'), text)
  await later.all(false)
  expect((await later.find(key))?.backup).toBeUndefined()
  await later.close()
})
