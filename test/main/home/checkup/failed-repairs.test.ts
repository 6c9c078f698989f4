import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { type CheckupDeps, checkHome, repairHome } from '../../../../src/main/home/checkup/checkup'
import { openStore } from '../../../../src/main/store/open-store'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { breakages, homeToDamage } from '../../../support/damaged-home'
import { message } from '../../../support/entries'
import { testSettings } from '../../../support/home'
import { rotatedContext } from '../../../support/rotated-context'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const never = new AbortController().signal
const nothing = () => undefined

async function ground(disk: Disk = nodeDisk) {
  const folder = temp()
  const home = await homeToDamage(folder)
  const [cacheFolder, userFolder] = [path.join(folder, 'cache'), path.join(folder, 'user')]
  const settings = await testSettings({ home, userFolder })
  const store = openStore({ home, disk })
  const deps: CheckupDeps = { disk, store, settings, cacheFolder, userFolder, now: Date.now }
  const startMs = Date.now()
  const snapshot = { disk: nodeDisk, home, userFolder, roots: [], now: () => startMs }
  const copying = { deps: snapshot, folder }
  const window = path.join(home, 'contexts/garden/context.jsonl')
  return { home, cacheFolder, deps, copying, window }
}

const kindsOf = (found: readonly { readonly kind: string }[]) => found.map(({ kind }) => kind)

it('does not call repaired what another program keeps it from, and repairs a neighbour whose name begins alike', async () => {
  const { home, cacheFolder, deps, copying } = await ground()
  await rotatedContext(home, 'garden-2', ['a hedge'], 100)
  const state = JSON.parse(fs.readFileSync(path.join(home, 'state.json'), 'utf8'))
  const contexts = state.contexts.filter(({ name }: { name: string }) => name !== 'garden-2')
  fs.writeFileSync(path.join(home, 'state.json'), JSON.stringify({ ...state, contexts }))
  await breakages['manifest-damaged'].breaks(home, cacheFolder, '')
  const before = await checkHome(deps, nothing, never)
  expect(kindsOf(before.findings)).toEqual(['manifest-damaged', 'context-unlisted'])
  const holder = await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: false })
  fs.writeFileSync(path.join(home, 'contexts/garden/transcript/manifest.json'), '{')
  const repair = await repairHome(deps, before, copying, nothing, never)
  await holder.close()
  expect(kindsOf(repair?.repaired ?? [])).toEqual(['context-unlisted'])
  expect(repair?.failed).toMatchObject([{ place: 'contexts/garden' }])
})

it('does not call repaired what cannot be read afterwards', async () => {
  const { home, cacheFolder, deps, copying } = await ground()
  await breakages['manifest-damaged'].breaks(home, cacheFolder, '')
  const before = await checkHome(deps, nothing, never)
  const store = {
    ...deps.store,
    openWriter: async (name: string, options: { readonly create: boolean }) => {
      const writer = await deps.store.openWriter(name, options)
      return {
        ...writer,
        close: async () => {
          await writer.close()
          await breakages.unreadable.breaks(home, cacheFolder, '')
        },
      }
    },
  }
  const repair = await repairHome({ ...deps, store }, before, copying, nothing, never)
  expect(repair?.repaired).toEqual([])
  expect(repair?.failed).toMatchObject([
    { place: 'contexts/garden/transcript/manifest.json', why: expect.stringMatching(/looked at/) },
  ])
})

it('leaves a window alone that has half a message which the transcript lacks', async () => {
  const { home, deps, copying, window } = await ground()
  const lines = fs.readFileSync(window, 'utf8').split('\n')
  const alone = JSON.stringify({ ...message('a thought of the window'), id: 'alone', timestamp: 1 })
  lines.splice(1, 0, alone.slice(0, -12))
  fs.writeFileSync(window, lines.join('\n'))
  const before = await checkHome(deps, nothing, never)
  expect(before.findings).toMatchObject([
    { kind: 'window-damaged', repair: null, lost: expect.not.stringMatching(/^Nothing/) },
  ])
  expect(await repairHome(deps, before, copying, nothing, never)).toBeUndefined()
  expect(fs.readFileSync(window, 'utf8')).toBe(lines.join('\n'))
  expect(fs.readdirSync(path.join(home, 'contexts/garden')).join()).not.toMatch(/damaged/)
})

it('has the window where it was when a new one could not be built, and finds it again', async () => {
  const { cacheFolder, home, deps, copying, window } = await ground()
  await breakages['window-damaged'].breaks(home, cacheFolder, '')
  const bytes = fs.readFileSync(window)
  const before = await checkHome(deps, nothing, never)
  const openWriter = async () => {
    throw new AppError('locked', 'Another program has it.')
  }
  const store = { ...deps.store, openWriter }
  const repair = await repairHome({ ...deps, store }, before, copying, nothing, never)
  expect(repair).toMatchObject({ repaired: [], failed: [{ place: 'contexts/garden' }] })
  expect(fs.readFileSync(window)).toEqual(bytes)
  expect(fs.readFileSync(`${window}.damaged-1`)).toEqual(bytes)
  expect(kindsOf((await checkHome(deps, nothing, never)).findings)).toEqual(['window-damaged'])
  const later = { ...copying, deps: { ...copying.deps, now: () => copying.deps.now() + 5000 } }
  expect(await repairHome(deps, before, later, nothing, never)).toMatchObject({
    repaired: [{ kind: 'window-damaged' }],
    failed: [],
    stopped: null,
  })
})

it('goes on where a conversation goes away while the home is checked', async () => {
  const { home, cacheFolder, deps } = await ground()
  await breakages['manifest-damaged'].breaks(home, cacheFolder, '')
  await breakages['session-damaged'].breaks(home, cacheFolder, '')
  const progress = (done: number) => {
    if (done === 0)
      fs.renameSync(path.join(home, 'contexts/garden'), path.join(home, 'contexts/orchard'))
  }
  const { findings } = await checkHome(deps, progress, never)
  expect(kindsOf(findings)).toEqual(['session-damaged'])
})

it('makes a failed repair of a file that is another one each time it is read', async () => {
  let isMoving = false
  const disk: Disk = {
    ...nodeDisk,
    open: async (target, mode, permissions) => {
      if (isMoving && target.includes('partitions') && mode === 'read')
        throw new DiskError('not-found', target, 'no such file')
      return nodeDisk.open(target, mode, permissions)
    },
  }
  const { home, cacheFolder, deps, copying } = await ground(disk)
  const partitions = path.join(home, 'contexts/garden/transcript/partitions')
  const [name = ''] = fs.readdirSync(partitions).filter((one) => one.endsWith('.jsonl'))
  const text = fs.readFileSync(path.join(partitions, name), 'utf8')
  fs.writeFileSync(path.join(partitions, name), `\0${text}`)
  await breakages['session-damaged'].breaks(home, cacheFolder, '')
  const before = await checkHome(deps, nothing, never)
  isMoving = true
  const repair = await repairHome(deps, before, copying, nothing, never)
  expect(kindsOf(repair?.repaired ?? [])).toEqual(['session-damaged'])
  expect(repair).toMatchObject({ failed: [{ place: 'contexts/garden' }], stopped: null })
  expect(kindsOf(repair?.after.findings ?? [])).toContain('unreadable')
})

it('says what was changed, and where the copy lies, where a repair is stopped behind its first change', async () => {
  const { home, cacheFolder, deps, copying } = await ground()
  await breakages['session-damaged'].breaks(home, cacheFolder, '')
  const before = await checkHome(deps, nothing, never)
  const stop = new AbortController()
  const repair = await repairHome(deps, before, copying, () => stop.abort(), stop.signal)
  expect(fs.existsSync(repair?.copy ?? '')).toBe(true)
  expect(repair).toMatchObject({
    repaired: [],
    failed: [{ place: 'session.json', why: expect.stringMatching(/was made/) }],
    stopped: 'It was stopped.',
    after: before,
  })
})

it('makes a failed repair of a cache that cannot be written anew', async () => {
  const disk: Disk = {
    ...nodeDisk,
    rename: async (from, to) => {
      if (to.endsWith('0123456789abcdef.jsonl'))
        throw new DiskError('denied', to, 'permission denied')
      await nodeDisk.rename(from, to)
    },
  }
  const { home, cacheFolder, deps, copying } = await ground(disk)
  await breakages['cache-damaged'].breaks(home, cacheFolder, '')
  await breakages['titles-damaged'].breaks(home, cacheFolder, '')
  const before = await checkHome(deps, nothing, never)
  const repair = await repairHome(deps, before, copying, nothing, never)
  expect(kindsOf(repair?.repaired ?? [])).toEqual(['titles-damaged'])
  expect(repair).toMatchObject({ failed: [{ why: 'permission denied' }], stopped: null })
})
