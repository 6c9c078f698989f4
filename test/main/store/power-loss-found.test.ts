import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/support/random'
import { type Disk, DiskError } from '../../../src/main/disk/interface/disk'
import { makeDurableFolder } from '../../../src/main/disk/writing/durable-folder'
import { moveAside } from '../../../src/main/disk/writing/move-aside'
import { moveToTrash } from '../../../src/main/disk/writing/trash'
import { compactWindow } from '../../../src/main/store/context-window'
import { markDirty } from '../../../src/main/store/context-window/clear'
import { contextPaths } from '../../../src/main/store/core/home-paths'
import {
  inboxPaths,
  messageKey,
  readWaitingMessages,
  removeDeliveredMessages,
} from '../../../src/main/store/inbox/inbox-delivery'
import { keepDamagedBytes } from '../../../src/main/store/registry/known-contexts'
import { keepImages } from '../../../src/main/store/texts/attachments'
import { message } from '../../support/entries'
import { type ForgetfulDisk, forgetfulDisk } from '../../support/forgetful-disk'
import type { NameLoss } from '../../support/lost-power'
import {
  entriesIn,
  garden,
  home,
  laterMs,
  nextMs,
  type Place,
  startMs,
  storeOf,
  user,
  withGarden,
} from '../../support/power-lost-work'

/** What `test/main/store/power-loss.test.ts` found, each at the place where it was found. */

const first = (disk: ForgetfulDisk): Place => ({ disk, now: () => startMs })
const next = (disk: ForgetfulDisk): Place => ({ disk: disk.copied(), now: () => nextMs })

async function userDisk(): Promise<ForgetfulDisk> {
  const disk = forgetfulDisk(() => startMs)
  await disk.makeFolder(user)
  disk.settle()
  return disk
}

async function gardenDisk(): Promise<ForgetfulDisk> {
  const disk = await userDisk()
  await withGarden(first(disk))
  disk.settle()
  return disk
}

/** The power goes, and nothing outlives it that was not made durable. */
function powerGoes({ disk }: { readonly disk: ForgetfulDisk }, names: NameLoss = 'none', seed = 1) {
  return disk.powerLoss(createRandom(seed), { names, bytes: 'none' }, laterMs)
}

const contentsIn = async (disk: ForgetfulDisk) =>
  (await entriesIn(storeOf({ disk, now: () => laterMs }), 'garden')).map(({ content }) => content)

async function appendAs(place: Place, text: string, maxEntries?: number): Promise<void> {
  const writer = await storeOf(place, maxEntries).openWriter('garden', { create: false })
  try {
    await writer.append(message(text))
  } finally {
    await writer.close()
  }
}

/** Kills a process right before its last call of this kind; gives the disk as the next one finds it. */
async function killedBeforeLast(
  kind: string,
  disk: ForgetfulDisk,
  work: (place: Place) => Promise<void>,
): Promise<Place> {
  const rehearsal = disk.copied()
  rehearsal.stopAt(Number.POSITIVE_INFINITY)
  await work(first(rehearsal))
  const killed = disk.copied()
  killed.stopAt(rehearsal.kinds().lastIndexOf(kind) + 1)
  await work(first(killed)).catch(() => undefined)
  expect(killed.hasStopped()).toBe(true)
  return next(killed)
}

describe('what a killed process made, and did not live to sync', () => {
  it('is durable with the first entry of the next one: the folders of a home', async () => {
    const disk = await userDisk()
    await disk.makeFolder(`${garden}/transcript`)
    const place = next(disk)
    const writer = await storeOf(place).openWriter('garden', { create: true })
    await writer.append(message('kept'))
    await writer.close()
    expect(await contentsIn(powerGoes(place))).toEqual(['Context created', 'kept'])
  })

  it('is durable with the first entry of the next one: the file of entries', async () => {
    const disk = await gardenDisk()
    // As behind a rotation: there is none.
    await disk.unlink(`${garden}/transcript/active.jsonl`)
    await disk.unlink(`${garden}/context.jsonl`)
    disk.settle()
    const made = await disk.open(`${garden}/transcript/active.jsonl`, 'append')
    await made.write(Buffer.from(`${JSON.stringify(message('unsynced'))}\n`))
    await made.sync()
    const place = next(disk)
    await appendAs(place, 'kept')
    expect(await contentsIn(powerGoes(place))).toEqual(['unsynced', 'kept'])
  })

  it('is durable before a rotation that it began is finished: the name among the partitions', async () => {
    const disk = await gardenDisk()
    await disk.makeFolder(`${garden}/transcript/partitions`)
    await disk.link(
      `${garden}/transcript/active.jsonl`,
      `${garden}/transcript/partitions/1750000000-1750000000.jsonl`,
    )
    // Wherever the next one is stopped.
    for (let at = 1, isWhole = false; !isWhole; at++) {
      const place = next(disk)
      place.disk.stopAt(at)
      isWhole = await appendAs(place, 'more').then(
        () => true,
        () => false,
      )
      for (let seed = 0; seed < 4; seed++)
        expect((await contentsIn(powerGoes(place, 'any', seed))).slice(0, 3)).toEqual([
          'Context created',
          'one',
          'two',
        ])
    }
  })

  it('is durable before what it was copied from gets another name: a transcript of an older chibi', async () => {
    const disk = await userDisk()
    const bytes = ['one', 'two'].map((text) => `${JSON.stringify(message(text))}\n`).join('')
    disk.put(`${garden}/transcript.jsonl`, bytes)
    await disk.makeFolder(`${garden}/transcript`)
    const copy = await disk.open(`${garden}/transcript/active.jsonl`, 'create-new')
    await copy.write(Buffer.from(bytes))
    await copy.sync()
    // Wherever the next one is stopped.
    for (let at = 1, isWhole = false; !isWhole; at++) {
      const place = next(disk)
      place.disk.stopAt(at)
      isWhole = await appendAs(place, 'more').then(
        () => true,
        () => false,
      )
      expect((await contentsIn(powerGoes(place))).slice(0, 2)).toEqual(['one', 'two'])
    }
  })

  it('is durable before a window is made of it: the anchor of a compaction', async () => {
    const disk = await gardenDisk()
    const place = await killedBeforeLast('sync .jsonl', disk, async ({ disk: on, now }) => {
      const writer = await storeOf({ disk: on, now }).openWriter('garden', { create: false })
      const kept = (await writer.window('refuse')).slice(-1).map(({ id }) => id)
      const wish = { summary: 'All.', replacesSummary: true, kept, metadata: {} }
      await compactWindow({ disk: on, home, writer, now }, wish)
      await writer.close()
    })
    await (await storeOf(place).openWriter('garden', { create: false })).close()
    const left = powerGoes(place)
    const afterwards = { disk: left, now: () => laterMs }
    await (await storeOf(afterwards).openWriter('garden', { create: false })).close()
    const have = [...left.files()]
      .filter(([, bytes]) => bytes.includes('Context compacted'))
      .map(([file]) => (file.includes('/transcript/') ? 'transcript' : 'window'))
    expect([[], ['transcript', 'window']]).toContainEqual(have.sort())
  })
})

describe('what the next writer goes by', () => {
  it('is durable: the mark that the window has to be built again', async () => {
    const disk = await gardenDisk()
    await markDirty(disk, contextPaths(home, 'garden'))
    expect(powerGoes({ disk }).files().has(`${garden}/.dirty`)).toBe(true)
  })

  it('is durable: a window that was built again', async () => {
    const disk = await gardenDisk()
    const window = `${garden}/context.jsonl`
    const before = String(disk.files().get(window))
    disk.put(window, 'rubbish')
    await (await storeOf(next(disk)).openWriter('garden', { create: false })).close()
    const place = next(disk)
    await (await storeOf(place).openWriter('garden', { create: false })).close()
    const left = String(powerGoes(place).files().get(window))
    expect(left).toContain(before.trim())
  })

  it('has its name for good: a partition that was moved aside', async () => {
    const disk = await gardenDisk()
    const partitions = `${garden}/transcript/partitions`
    await disk.makeFolder(partitions)
    const aside = `${partitions}/moved-1750000000000-0badcafe.jsonl`
    await disk.rename(`${garden}/transcript/active.jsonl`, aside)
    disk.settle()
    for (let at = 1, isWhole = false; !isWhole; at++) {
      const place = next(disk)
      place.disk.stopAt(at)
      isWhole = await appendAs(place, 'more').then(
        () => true,
        () => false,
      )
      for (let seed = 0; seed < 6; seed++)
        expect((await contentsIn(powerGoes(place, 'any', seed))).slice(0, 3)).toEqual([
          'Context created',
          'one',
          'two',
        ])
    }
  })
})

describe('a file that is put aside', () => {
  it('has its new name for good before the old one goes', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const disk = await userDisk()
      disk.put(`${user}/settings.json`, 'half')
      await moveAside(disk, `${user}/settings.json`)
      const left = [...powerGoes({ disk }, 'any', seed).files().values()]
      expect(left.map(String)).toContain('half')
    }
  })

  it('is durable as a copy before what was damaged is replaced', async () => {
    const disk = await userDisk()
    await keepDamagedBytes(disk, `${user}/state.json`, 'half')
    expect(String(powerGoes({ disk }).files().get(`${user}/state.json.damaged-1`))).toBe('half')
  })
})

it('a line that begins a file is durable with the name of the file', async () => {
  const disk = await gardenDisk()
  const lost = { id: 'm', timestamp: 1, from: 'shed', content: 'Frost.' }
  await storeOf(first(disk)).upkeep.putInbox('garden', lost)
  const left = powerGoes({ disk })
  const { messages } = await readWaitingMessages(left, inboxPaths(home, 'garden'))
  expect(messages.map(({ content }) => content)).toEqual(['Frost.'])
})

it('a message that the progress of an inbox calls done does not wait again', async () => {
  let hasProgress = false
  for (let seed = 0; seed < 40; seed++) {
    const disk = await gardenDisk()
    const paths = inboxPaths(home, 'garden')
    const told = { id: 'm', timestamp: 1, from: 'shed', content: 'Frost.' }
    await storeOf(first(disk)).upkeep.putInbox('garden', told)
    disk.settle()
    const rehearsal = disk.copied()
    rehearsal.stopAt(Number.POSITIVE_INFINITY)
    await removeDeliveredMessages(rehearsal, paths, new Set([messageKey(told)]))
    const killed = disk.copied()
    // Right before the last sync: the progress has its name, which the disk may keep or not.
    killed.stopAt(rehearsal.calls())
    await removeDeliveredMessages(killed, paths, new Set([messageKey(told)])).catch(() => undefined)
    expect(killed.hasStopped()).toBe(true)
    const left = powerGoes({ disk: killed.copied() }, 'any', seed)
    if (!left.files().has(paths.sorted)) continue
    hasProgress = true
    expect((await readWaitingMessages(left, paths)).messages).toEqual([])
  }
  expect(hasProgress).toBe(true)
})

it('a text of a context that was taken away does not come back', async () => {
  const disk = await gardenDisk()
  const { contexts } = storeOf(first(disk))
  await contexts.writeText('garden', 'todos.md', '- water', null)
  await contexts.writeText('garden', 'todos.md', null, '- water')
  expect(powerGoes({ disk }).files().has(`${garden}/todos.md`)).toBe(false)
})

it('a picture that another process had kept, and had not lived to sync, is there', async () => {
  const disk = await gardenDisk()
  const owner = { disk, home, context: 'garden' }
  const picture = { name: 'a.png', bytes: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') }
  const [kept] = await keepImages({ ...owner, disk: disk.copied() }, [picture])
  const file = `${garden}/${kept?.file}`
  await disk.makeFolder(path.posix.dirname(file))
  disk.settle()
  const made = await disk.open(file, 'create-new')
  await made.write(picture.bytes)
  await made.sync()
  await keepImages(owner, [picture])
  expect(powerGoes({ disk }).files().get(file)).toEqual(picture.bytes)
})

it('a conversation that goes to the trash is not lost with the folders of the trash', async () => {
  for (let seed = 0; seed < 20; seed++) {
    const disk = await gardenDisk()
    await moveToTrash(disk, garden, { platform: 'linux', user, now: new Date(startMs) })
    const files = [...powerGoes({ disk }, 'any', seed).files().keys()]
    expect(files.filter((file) => file.endsWith('/transcript/active.jsonl'))).toHaveLength(1)
  }
})

it('a conversation that went to the trash is there, whatever its folder says then', async () => {
  const disk = await gardenDisk()
  const deaf: Disk = {
    ...disk,
    syncFolder: (folder) =>
      folder.endsWith('/Trash/files') || folder === path.posix.dirname(garden)
        ? Promise.reject(new DiskError('denied', folder, 'not for this program'))
        : disk.syncFolder(folder),
  }
  const kept = await moveToTrash(deaf, garden, { platform: 'linux', user, now: new Date(startMs) })
  const files = [...disk.files().keys()]
  expect(files).toContain(`${kept}/transcript/active.jsonl`)
  expect(files.filter((file) => file.endsWith('.trashinfo'))).toHaveLength(1)
})

it('a new folder is durable with all names on its way', async () => {
  const disk = await userDisk()
  await makeDurableFolder(disk, `${user}/a/b/c`)
  expect((await powerGoes({ disk }).stat(`${user}/a/b/c`))?.kind).toBe('directory')
  // Another process made it, and was killed.
  await disk.makeFolder(`${user}/d/e`)
  await makeDurableFolder(disk, `${user}/d/e`)
  expect((await powerGoes({ disk }).stat(`${user}/d/e`))?.kind).toBe('directory')
})

it('a context window that was torn in the middle is not taken for whole', async () => {
  const disk = await gardenDisk()
  const writer = await storeOf(first(disk)).openWriter('garden', { create: false })
  for (const text of ['a'.repeat(3000), 'b'.repeat(3000), 'c']) await writer.append(message(text))
  await writer.close()
  const ids = (bytes: unknown) =>
    String(bytes)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).id)
  const wanted = ids(disk.files().get(`${garden}/context.jsonl`))
  for (let seed = 0; seed < 40; seed++) {
    const left = disk.powerLoss(createRandom(seed), { names: 'none', bytes: 'torn' }, laterMs)
    await (
      await storeOf({ disk: left, now: () => laterMs }).openWriter('garden', { create: false })
    ).close()
    const found = ids(left.files().get(`${garden}/context.jsonl`))
    expect(found.slice(-5)).toEqual(wanted)
  }
})
