import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { DiskError } from '../../../src/main/disk/interface/disk'
import { openSettings } from '../../../src/main/settings/settings'
import { environmentVault } from '../../../src/main/settings/stored/key-vault'
import { defaultRotationPolicy } from '../../../src/main/store/core/manifest'
import {
  readLabels,
  readTitleFile,
  updateTitles,
  writeLabel,
} from '../../../src/main/store/given-titles'
import {
  inboxPaths,
  messageKey,
  readWaitingMessages,
  removeDeliveredMessages,
} from '../../../src/main/store/inbox/inbox-delivery'
import { openStore } from '../../../src/main/store/open-store'
import type { Store } from '../../../src/main/store/store'
import { AppError } from '../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../src/shared/model/conversation/entry'
import { allowGaps } from '../../../src/shared/model/conversation/reading'
import { message } from '../../support/entries'
import { type ForgetfulDisk, forgetfulDisk } from '../../support/forgetful-disk'
import { mutated } from '../../support/fuzz/mutations'
import { playRounds } from '../../support/fuzz/rounds'

/** Rounds. By hand: `SKEIN_SEED=random SKEIN_TRIALS=10000 npx vitest run test/main/store/fuzzed-home.test.ts`. */
const usual = 8
const fixture = path.join(__dirname, '../../fixtures/chibi/home-v09')
const home = '/user/.chibi'
const garden = `${home}/contexts/garden`
const startMs = 1_780_000_000_000
/** When any lock of before is stale. */
const laterMs = startMs + 600_000

const storeOn = (disk: ForgetfulDisk, nowMs: number) =>
  openStore({
    home,
    disk,
    now: () => nowMs,
    storagePolicy: async () => ({ ...defaultRotationPolicy, maxEntries: 4 }),
  })

const texts = ['titles', 'labels'].map((name) => `${home}/${name}.skein.json`)
const [titlesFile = '', labelsFile = ''] = texts

/** A home of chibi's, with a context of ours in it that has every file that a context may have. */
async function builtHome(): Promise<ForgetfulDisk> {
  const disk = forgetfulDisk(() => startMs)
  for (const name of fs.readdirSync(fixture, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(fixture, name)
    if (fs.statSync(file).isFile()) disk.put(`${home}/${name}`, fs.readFileSync(file))
  }
  const store = storeOn(disk, startMs)
  const writer = await store.openWriter('garden', { create: true })
  for (let n = 0; n < 14; n++) await writer.append(message(`entry number ${n} of the garden 🌱`))
  await writer.close()
  await store.upkeep.putInbox('garden', { id: 'm', timestamp: 1, from: 'shed', content: 'Frost.' })
  await store.upkeep.writeSummary('garden', 'Of earlier days.', null)
  await store.contexts.writeText('garden', 'todos.md', '- water', null)
  await store.contexts.setArchived('garden', true)
  const given = { title: 'A title', by: 'person', tags: ['green'], at: 1 } as const
  await updateTitles(
    disk,
    titlesFile,
    () =>
      new Map([
        ['garden', given],
        ['default', given],
      ]),
  )
  for (const id of ['a', 'b'])
    await writeLabel(
      disk,
      labelsFile,
      { key: LibraryKey.parse('garden'), entry: EntryId.parse(id), at: 1, createdAt: undefined },
      { word: 'look', color: 'red' },
      () => undefined,
    )
  disk.put(`${garden}/partial.skein.jsonl`, `${JSON.stringify(message('half an answ'))}\n`)
  disk.put(
    '/user/.skein/settings.json',
    '{"theme":"dark","baseUrl":"http://127.0.0.1:1/v1","model":"m"}',
  )
  disk.settle()
  return disk
}

const isExpected = (error: unknown) => error instanceof AppError || error instanceof DiskError

async function tried<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isExpected(error)) return undefined
    throw error
  }
}

interface Shown {
  readonly contents: readonly string[]
  readonly told: number
}

async function shownOf(store: Store, name: string): Promise<Shown | undefined> {
  return tried(async () => {
    const reading = await store.readWhole(name)
    const contents: string[] = []
    let told = 0
    for await (const row of allowGaps(reading.rows, () => {
      told += 1
    }))
      if (row.type === 'entry') contents.push(row.entry.content)
      else told += 1
    return { contents, told }
  })
}

/** Everything that a window or a command reads of a home. */
async function readAll(disk: ForgetfulDisk): Promise<void> {
  const store = storeOn(disk, laterMs)
  const listed = (await tried(() => store.listContexts())) ?? []
  await tried(() => store.countContexts())
  await tried(() => store.contexts.archived())
  await tried(() => store.contexts.session())
  for (const listing of listed) {
    const { name } = listing
    await tried(() => store.readEnds(listing))
    await shownOf(store, name)
    await tried(() => store.readPage(name, 'end', 5))
    await tried(() => store.readPage(name, 'start', 5))
    await tried(() => store.readBeside(name))
    await tried(() => store.readNotes(name))
    await tried(() => store.windowStart(name))
    await tried(() => store.lockState(name))
    await tried(() => store.verify(name))
    await tried(() => store.upkeep.partitions(name))
    await tried(() => store.upkeep.page(name))
    await tried(() => store.upkeep.readSummary(name))
    await tried(() => store.contexts.formerNames(name))
    await tried(() => readWaitingMessages(disk, inboxPaths(home, name)))
  }
  await tried(() => readTitleFile(disk, titlesFile))
  await tried(() => readLabels(disk, labelsFile))
}

async function readSettings(disk: ForgetfulDisk): Promise<void> {
  const folder = '/user/.skein'
  const settings = openSettings({ disk, home, folder, vault: environmentVault, environment: {} })
  for (const context of [undefined, 'default', 'garden']) {
    await tried(() => settings.view(context))
    await tried(() => settings.config(context))
    await tried(() => settings.storagePolicy(context))
    await tried(() => settings.toolSettings(context))
    await tried(() => settings.runSettings(context))
    await tried(() => settings.endpoint(context))
  }
  await tried(() => settings.lockHeartbeatSeconds())
  await tried(() => settings.texts.list())
}

/** Writes of every kind; each is done, or refused in words. */
async function writeAll(disk: ForgetfulDisk): Promise<boolean> {
  const store = storeOn(disk, laterMs)
  const isWritten = await tried(async () => {
    const writer = await store.openWriter('garden', { create: false })
    try {
      await writer.append(message('what came after', { timestamp: laterMs / 1000 }))
      return true
    } finally {
      await writer.close()
    }
  })
  const told = { id: 'm', timestamp: 1, from: 'shed', content: 'Frost.' }
  const keys = new Set([messageKey(told)])
  await tried(() => removeDeliveredMessages(disk, inboxPaths(home, 'garden'), keys))
  await tried(() => store.contexts.setArchived('garden', false))
  await tried(() =>
    updateTitles(
      disk,
      titlesFile,
      () => new Map([['fresh', { title: 'New', by: 'person', at: 2 }]]),
    ),
  )
  const on = {
    key: LibraryKey.parse('garden'),
    entry: EntryId.parse('c'),
    at: 1,
    createdAt: undefined,
  }
  await tried(() =>
    writeLabel(disk, labelsFile, on, { word: 'new', color: 'red' }, () => undefined),
  )
  await tried(() => store.contexts.clear('default'))
  return isWritten === true
}

/** What stood in files of transcripts stands in some file still, from its beginning to its end. */
function checkKept(before: ReadonlyMap<string, Buffer>, after: ReadonlyMap<string, Buffer>): void {
  const all = [...after.values()]
  for (const [file, bytes] of before) {
    const now = after.get(file)
    if (now?.equals(bytes) === true) continue
    const isTranscript = /\/transcript\/|\/transcript\.jsonl$|\.damaged-/.test(file)
    const isHeld = all.some((one) => one.subarray(0, bytes.length).equals(bytes))
    if (isTranscript && !/manifest|\.bloom$/.test(file)) expect(isHeld, `${file} lost`).toBe(true)
    // Kept as it is, where nobody could make anything of it.
    if (/\.json$/.test(file) && /^(?!\s*$)/.test(bytes.toString('latin1')) && !isJson(bytes))
      expect(isHeld, `${file} was damaged, and is not kept`).toBe(true)
  }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''))
    return true
  } catch {
    return false
  }
}

it('a home whose files are changed anyhow is read, and written to, without losing a line', async () => {
  const built = await builtHome()
  const whole = await shownOf(storeOn(built, laterMs), 'garden')
  expect(whole?.contents.length).toBeGreaterThan(13)
  const names = [...built.files().keys()]
  await playRounds('home', usual, async (random) => {
    const disk = built.copied()
    const how: string[] = []
    for (let times = 1 + random.below(2); times > 0; times--) {
      const name = names[random.below(names.length)] ?? ''
      const { bytes, how: change } = mutated(random, disk.files().get(name) ?? Buffer.alloc(0))
      disk.put(name, bytes)
      how.push(`${name}: ${change}`)
    }
    disk.settle()
    const before = new Map(disk.files())
    try {
      await readAll(disk)
      await readSettings(disk)
      expect(new Map(disk.files()), 'reading writes').toEqual(before)
      const shown = await shownOf(storeOn(disk, laterMs), 'garden')
      if (how.every((one) => !/garden\/(?:transcript|context\.jsonl)/.test(one)))
        expect(shown?.contents).toEqual(whole?.contents)
      if (shown?.told === 0)
        for (const text of whole?.contents ?? []) {
          const stands = [...before].some(
            ([file, bytes]) => /garden\/transcript\/.*jsonl$/.test(file) && bytes.includes(text),
          )
          if (stands)
            expect(
              shown.contents.some((one) => one.includes(text)),
              text,
            ).toBe(true)
        }
      const isWritten = await writeAll(disk)
      checkKept(before, disk.files())
      const after = await shownOf(storeOn(disk, laterMs), 'garden')
      if (isWritten)
        expect(after?.contents.filter((text) => text === 'what came after')).toHaveLength(1)
      await readAll(disk)
    } catch (error) {
      if (error instanceof Error) error.message += `\n(${how.join('; ')})`
      throw error
    }
  })
})

it('a file that is nested thousands of levels deep keeps nothing from being written, whichever it is', async () => {
  const built = await builtHome()
  const deep = '['.repeat(6000) + ']'.repeat(6000)
  const files = [...built.files()].filter(([, bytes]) => /^\s*\{/.test(bytes.toString('latin1')))
  const documents = files.filter(([file, bytes]) => file.endsWith('.json') && isJson(bytes))
  expect(documents.length).toBeGreaterThan(6)
  for (const [file, bytes] of documents) {
    const disk = built.copied()
    disk.put(file, bytes.toString('utf8').replace('{', `{"deep":${deep},`))
    disk.settle()
    const before = new Map(disk.files())
    await readAll(disk)
    await readSettings(disk)
    expect([file, await writeAll(disk)]).toEqual([file, true])
    checkKept(before, disk.files())
    // What it was is there, in it or beside it.
    const kept = [...disk.files()].filter(([name]) => name.startsWith(file))
    expect(kept.some(([, now]) => now.includes(deep.slice(0, 5000)))).toBe(true)
    expect((await readTitleFile(disk, titlesFile)).titles.get('fresh')?.title).toBe('New')
  }
})
