import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openSources } from '../../../../src/main/compose/sources/sources'
import type { SourcesSession } from '../../../../src/main/compose/sources/sources-session'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openHistories } from '../../../../src/main/library/sources/histories'
import type { LibraryRoot } from '../../../../src/main/library/sources/roots'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readers } from '../../../../src/main/readers/index'
import { openSettingsFile } from '../../../../src/main/settings/stored/settings-file'
import { AppError } from '../../../../src/shared/model/basics/errors'
import type { RootsFrom } from '../../../../src/shared/model/settings/source-roots'
import { nothingOpened } from '../../../support/nothing-opened'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
let own: string
beforeEach(() => {
  own = folder('person')
  vi.stubEnv('HOME', own)
})
const opened: SourcesSession[] = []
afterEach(() => {
  for (const session of opened.splice(0)) session.close()
  vi.unstubAllEnvs()
})

const root = () => ({ source: 'cycod' as const, path: path.join(own, '.cycod') })
const fileOf = (name: string) => path.join(own, '.cycod/history', `chat-history-${name}.jsonl`)

function writeChat(name: string): void {
  fs.mkdirSync(path.dirname(fileOf(name)), { recursive: true })
  fs.writeFileSync(fileOf(name), '{"role":"user","content":"How deep do tulips go?"}\n')
}

/** The sources of a window, and what is read because of them. */
async function window(
  options: {
    readonly from?: RootsFrom
    readonly plain?: Disk
    readonly refusal?: AppError
    /** Whether a home is open. */
    readonly isRead?: boolean
  } = {},
) {
  const asked: object[] = []
  let read: readonly LibraryRoot[] = []
  let reopened = 0
  const settings = path.join(own, 'settings')
  const session = openSources({
    disk: nodeDisk,
    readers,
    settings: openSettingsFile(nodeDisk, settings),
    given: [],
    ask: async () => undefined,
    imports: {
      folder: path.join(own, 'imports'),
      plain: options.plain ?? nodeDisk,
      userFolder: own,
    },
    askForExport: async () => undefined,
    allowImport: async () => undefined,
    backups: path.join(own, 'backups'),
    async allowDelete({ path: place }, { files }) {
      asked.push({ place, files })
      if (options.refusal !== undefined) throw options.refusal
    },
    opened: nothingOpened,
    note: (words) => expect.unreachable(words),
    changed: () => undefined,
  })
  opened.push(session)
  const enter = async (isRead: boolean) => {
    read = await session.enter(options.from ?? 'settings', isRead, (now) => {
      read = now
      reopened += 1
    })
  }
  await enter(options.isRead ?? true)
  return {
    session,
    enter,
    asked,
    reopened: () => reopened,
    backup: async () =>
      (await session.view()).roots.find(({ path: place }) => place === root().path)?.backup,
    kept: () => JSON.parse(fs.readFileSync(path.join(settings, 'settings.json'), 'utf8')).sources,
    /** Keys of the conversations that are read, each with why from a backup. */
    keys: async () => {
      const histories = openHistories(historyDisk(appDisk), read)
      return (await histories.list()).map(({ key, backup }) => [key, backup])
    },
  }
}

it('copies nothing until a person turns it on, then at once, and reads what goes from the copies', async () => {
  writeChat('1')
  const { session, backup, kept, keys, reopened } = await window()
  await session.look(true)
  expect(await backup()).toMatchObject({ isOn: false, files: 0, deletesAfterDays: null })
  expect(fs.existsSync(path.join(own, 'backups'))).toBe(false)

  await session.backUp(root(), true)
  expect(await backup()).toMatchObject({ isOn: true, isRunning: false, files: 1, problem: null })
  expect(kept()).toEqual({ backedUp: [root()] })
  expect(reopened()).toBe(1)
  expect(await keys()).toEqual([['cycod:chat-history-1', undefined]])
  fs.rmSync(fileOf('1'))
  expect(await keys()).toEqual([['cycod:chat-history-1', 'gone']])
})

it('that is turned on before a home is open copies nothing until one is, and its first scan', async () => {
  writeChat('1')
  const { session, enter, backup } = await window({ isRead: false })
  await session.look(true)
  await session.backUp(root(), true)
  expect(await backup()).toMatchObject({ isOn: true, files: 0, isRunning: false })
  expect(fs.existsSync(path.join(own, 'backups'))).toBe(false)
  await enter(true)
  await session.look(true)
  await expect.poll(backup).toMatchObject({ isOn: true, files: 1, isRunning: false })
})

it('is known at the next start, and goes on at each scan', async () => {
  writeChat('1')
  const first = await window()
  await first.session.backUp(root(), true)
  first.session.close()
  fs.rmSync(fileOf('1'))
  writeChat('2')
  const { session, backup, keys } = await window()
  expect(await backup()).toMatchObject({ isOn: true, files: 1, gone: null })
  expect(await keys()).toContainEqual(['cycod:chat-history-1', 'gone'])
  await session.look(true)
  await expect.poll(backup).toMatchObject({ files: 2, gone: 1, isRunning: false })
})

it('keeps what it has when it is turned off, and reads it', async () => {
  writeChat('1')
  const { session, backup, keys, reopened } = await window()
  await session.backUp(root(), true)
  await session.backUp(root(), false)
  expect(await backup()).toMatchObject({ isOn: false, files: 1 })
  // Neither turning it off nor copying the same again reads anything else.
  expect(reopened()).toBe(1)
  fs.rmSync(fileOf('1'))
  expect(await keys()).toEqual([['cycod:chat-history-1', 'gone']])
  // A root that is not read has no copies to read.
  await session.turn(root(), false)
  expect(await keys()).toEqual([])
})

it('is deleted where a person allows it, and not otherwise', async () => {
  writeChat('1')
  const refused = await window({ refusal: new AppError('denied', 'The backup was not deleted.') })
  await refused.session.backUp(root(), true)
  await expect(refused.session.deleteBackup(root())).rejects.toMatchObject({ code: 'denied' })
  expect(await refused.backup()).toMatchObject({ isOn: true, files: 1 })
  refused.session.close()

  const { session, backup, asked, keys } = await window()
  await session.deleteBackup(root())
  expect(asked).toEqual([{ place: root().path, files: 1 }])
  expect(await backup()).toMatchObject({ isOn: false, files: 0 })
  expect(fs.readdirSync(path.join(own, 'backups'))).toEqual([])
  expect(await keys()).toEqual([['cycod:chat-history-1', undefined]])
  await expect(session.deleteBackup(root())).rejects.toMatchObject({ code: 'not-found' })
})

it('says that the disk is full, and that it is not whole', async () => {
  writeChat('1')
  const plain: Disk = {
    ...nodeDisk,
    async open(target, mode, permissions) {
      if (mode === 'create-new' && target.endsWith('.part'))
        throw new DiskError('no-space', target, `${target}: full`)
      return nodeDisk.open(target, mode, permissions)
    },
    clone: (_, to) => Promise.reject(new DiskError('io', to, 'no clones')),
  }
  const { session, backup } = await window({ plain })
  await session.backUp(root(), true)
  expect(await backup()).toMatchObject({
    isOn: true,
    files: 0,
    problem: 'The disk is full: not everything is backed up.',
  })
})

it('is refused for systems without files of their own, and where Settings change nothing', async () => {
  const { session } = await window()
  await session.look(true)
  const { roots } = await session.view()
  const opencode = roots.find(({ source }) => source === 'opencode')
  if (opencode === undefined) throw new Error('OpenCode has no root')
  expect(opencode.backup).toBeNull()
  const { source, path: place } = opencode
  await expect(session.backUp({ source, path: place }, true)).rejects.toMatchObject({
    code: 'bad-argument',
  })
  await expect(session.backUp({ ...root(), path: '/elsewhere' }, true)).rejects.toMatchObject({
    code: 'not-found',
  })
  const fixed = await window({ from: 'home-option' })
  await expect(fixed.session.backUp(root(), true)).rejects.toMatchObject({ code: 'read-only' })
  await expect(fixed.session.deleteBackup(root())).rejects.toMatchObject({ code: 'read-only' })
})
