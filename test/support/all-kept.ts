import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { isTemporaryName } from '../../src/main/disk/writing/atomic'
import type { Entry } from '../../src/shared/model/conversation/entry'
import { requireWhole } from '../../src/shared/model/conversation/reading'
import { message } from './entries'
import { partitionEntries, storeOf, trashOf, type Work } from './interrupted-work'
import type { Ground } from './interruptions'

/** What a process did until it was woken and ended. */
export interface Done {
  readonly work: Work
  /** What it was told is kept. */
  readonly appended: readonly string[]
  /** How it ended; undefined is well. */
  readonly failure: string | undefined
}

/**
 * Expects that the files of transcripts have all these entries. Right when a process has ended: the next writer would take
 * from the window what is lost there.
 */
export function expectWritten({ home }: Ground, ids: readonly string[]): void {
  const contexts = [path.join(home, 'contexts'), path.dirname(trashOf(home))]
  const written = contexts
    .flatMap((folder) => (fs.existsSync(folder) ? filesUnder(folder) : []))
    .filter((file) => /\/transcript\/.*\.jsonl$/.test(file))
    .flatMap((file) => fs.readFileSync(file, 'utf8').split('\n'))
    .flatMap((line) => (line === '' ? [] : [String(JSON.parse(line).id)]))
  expect(ids.filter((id) => !written.includes(id))).toEqual([])
}

function filesUnder(folder: string): readonly string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
}

/**
 * Expects that a next writer can go on, and that everything that anybody was told is kept is there: once, in the order of
 * who wrote it, under whole seals, in a window that says the same. Nobody else writes any more, and every lock is stale.
 */
export async function expectAllKept(
  { home, now }: Ground,
  done: readonly Done[],
  others: readonly string[],
): Promise<void> {
  for (const { work, failure } of done)
    if (failure !== undefined && work !== 'as chibi')
      expect(failure).toMatch(/^(lock-lost|locked|io|not-found|exists|gone)/)
  const store = storeOf(home, nodeDisk, now, partitionEntries)
  const names = (await store.listContexts()).map(({ name }) => name)
  const removed = storeOf(path.join(home, 'trash'), nodeDisk, now, partitionEntries)
  const isRemoved = fs.existsSync(trashOf(home))
  const places = [
    ...names
      .filter((name) => name === 'garden' || name === 'allotment')
      .map((name) => ({ store, name })),
    ...(isRemoved ? [{ store: removed, name: 'garden' }] : []),
  ]
  const found: string[] = []
  for (const { store: at, name } of places) {
    // The next one writes on, wherever it is.
    const writer = await at.openWriter(name, { create: false, waitMs: 0 })
    const { entry } = await writer.append(message('after', { timestamp: Math.floor(now() / 1000) }))
    const window = await writer.window('refuse')
    await writer.close()
    const entries = await entriesIn(at, name)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
    expect(entries.at(-1)?.id).toBe(entry.id)
    expect(entries.slice(0, 3).map(({ content }) => content)).toEqual([
      'Context created',
      'one',
      'two',
    ])
    found.push(...entries.map(({ id }) => id))
    expect((await at.verify(name)).filter(({ ok, damaged }) => !ok || damaged > 0)).toEqual([])
    const folder = path.join(at.home, 'contexts', name)
    // chibi's window is what it makes of it: it looks at nobody else's entries there.
    if (done.every(({ work }) => work !== 'as chibi')) expectWindow(folder, window)
    expectTidy(folder)
  }
  const isTold = (ids: readonly string[]) => found.filter((id) => ids.includes(id))
  for (const ids of [...done.map(({ appended }) => appended), others])
    expect(isTold(ids)).toEqual(ids)
  for (const { work, failure } of done)
    if (failure === undefined) await expectDone(work, names, isRemoved, store)
}

/** What says that it is done is done. */
async function expectDone(
  work: Work,
  names: readonly string[],
  isRemoved: boolean,
  store: ReturnType<typeof storeOf>,
): Promise<void> {
  if (work === 'rename') expect(names).toEqual(['allotment'])
  if (work === 'remove') expect([names, isRemoved]).toEqual([[], true])
  if (work === 'archive') expect(await store.contexts.archived()).toEqual(['garden'])
  if (work === 'branch') {
    const copies = await entriesIn(store, names.find((name) => name !== 'garden') ?? '')
    expect(copies.map(({ content }) => content).slice(0, 3)).toEqual([
      'Context created',
      'one',
      'two',
    ])
  }
  if (work === 'clear') {
    const anchors = (await entriesIn(store, 'garden')).filter(
      (entry) => entry.entry_type === 'archival',
    )
    expect(anchors.length).toBe(1)
  }
}

async function entriesIn(store: ReturnType<typeof storeOf>, name: string): Promise<Entry[]> {
  const entries: Entry[] = []
  const reading = await store.readWhole(name)
  for await (const row of requireWhole(reading.rows))
    if (row.type === 'entry') entries.push(row.entry)
  expect(reading.notices).toEqual([])
  return entries
}

/** context.jsonl says what the transcript does. */
function expectWindow(folder: string, window: readonly Entry[]): void {
  const lines = fs.readFileSync(path.join(folder, 'context.jsonl'), 'utf8').split('\n')
  const ids = lines.filter((line) => line !== '').map((line) => JSON.parse(line).id)
  const wanted = window.map(({ id }) => id)
  // The window of a new context lacks its anchor, as chibi's does.
  expect([wanted, wanted.slice(1)]).toContainEqual(ids)
}

/** Every partition is listed, and nothing of what was only for a moment is left. */
function expectTidy(folder: string): void {
  const transcript = path.join(folder, 'transcript')
  const manifest = path.join(transcript, 'manifest.json')
  const listed = fs.existsSync(manifest)
    ? JSON.parse(fs.readFileSync(manifest, 'utf8')).partitions.map(
        ({ file }: { file: string }) => file,
      )
    : []
  const inodes = new Set(listed.map((file: string) => fs.statSync(path.join(transcript, file)).ino))
  expect(inodes.size).toBe(listed.length)
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const unlisted = names
    .filter((name) => name.startsWith('transcript/partitions/') && name.endsWith('.jsonl'))
    .filter((name) => !inodes.has(fs.statSync(path.join(folder, name)).ino))
  expect(unlisted).toEqual([])
  // What a killed process was just writing is left under a name that every reader ignores.
  const others = names.filter((name) => !isTemporaryName(name))
  expect(others.filter((name) => /\.lock|moved-|compacting|\.dirty/.test(name))).toEqual([])
}
