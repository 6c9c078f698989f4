import { AppError } from '../../../shared/model/basics/errors'
import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { Disk } from '../../disk/interface/disk'
import { readJson } from '../../disk/json/read-json'
import { runInSlices } from '../../disk/pacing/slices'
import { whenExclusive } from '../../disk/process/exclusive'
import { readSmallText } from '../../disk/reading/read'
import { replaceFile } from '../../disk/writing/atomic'
import { listContextNames } from '../contexts/listing'
import { contextPaths, type HomePaths, homePaths } from '../core/home-paths'
import { readContextFlags } from '../registry/context-flags'
import { readCreatedAt } from '../registry/context-meta'
import { keepDamagedFile } from '../registry/known-contexts'
import { readLabels } from '../registry/labels'
import { readTitles } from '../registry/titles'
import { type CheckupScope, type HomeFile, isBroken } from './home-files'
import { wholeItems, wholeTexts } from './whole-items'

/**
 * Replaces a broken file of a home by what can be read of it; the broken one stays under a new name, byte for byte. Does nothing
 * where it is whole by now. Durable on return.
 *
 * @throws DiskError; AppError `busy`
 */
export async function repairHomeFile(scope: CheckupScope, file: HomeFile): Promise<void> {
  const { disk, home } = scope
  // Before the others have to wait; a context that comes meanwhile is found to be unlisted the next time.
  const there = file.kind === 'state-damaged' ? await contextsThere(scope) : new Map()
  await whileStateIsFree(disk, homePaths(home), () => replaceBroken(disk, file, there))
}

/**
 * Replaces a broken list as `repairHomeFile` does. The caller makes sure that nothing else writes it meanwhile.
 *
 * @param there contexts for a file that has to list each @throws DiskError
 */
export async function replaceBroken(
  disk: Disk,
  file: HomeFile,
  there: ReadonlyMap<string, JsonObject> = new Map(),
): Promise<void> {
  if (!(await isBroken(disk, file))) return
  const text = (await readSmallText(disk, file.path, file.limit)) ?? ''
  const found = await readJson(disk, file.path, file.limit)
  const whole = found !== undefined && found !== 'damaged' ? found.value : undefined
  const after = await contentOf(there, file, text, isJsonObject(whole) ? whole : {})
  await keepDamagedFile(disk, file.path, file.limit, () => undefined)
  await replaceFile(disk, file.path, Buffer.from(`${JSON.stringify(after, undefined, 2)}\n`))
}

/** Does work while no other Skein writes the files of the home. Clears a claim that a dead one left. @throws AppError `busy` */
export async function whileStateIsFree(
  disk: Disk,
  paths: HomePaths,
  work: () => Promise<void>,
): Promise<void> {
  const done = await whenExclusive(disk, paths.stateGate, waitMs, work)
  if (done === undefined) throw new AppError('busy', 'Another Skein is writing to this home.')
}

/** How long another Skein may be in the middle of a write. */
const waitMs = 3000

async function contentOf(
  there: ReadonlyMap<string, JsonObject>,
  file: HomeFile,
  text: string,
  others: JsonObject,
): Promise<JsonObject> {
  const { kind } = file
  if (kind === 'state-damaged') return { ...others, ...(await stateFrom(there, text)) }
  if (kind === 'flags-damaged') return { ...others, ...(await flagsFrom(text)) }
  if (kind === 'session-damaged') return sessionFrom(text)
  if (kind === 'labels-damaged')
    return { ...others, labels: await itemsIn(text, (item) => 'key' in item && 'entry' in item) }
  const items = await itemsIn(text, (item) => typeof item.key === 'string')
  const rows = items.filter(isTitleRow)
  // A list that is whole beside a broken one stays as it is.
  const found = rows.length === 0 ? {} : { rows }
  return { ...found, ...others, titles: items.filter((item) => !isTitleRow(item)) }
}

/** Whether an item is a colour or that a conversation is hidden, and no title: they are two lists of one file. */
function isTitleRow(item: JsonObject): boolean {
  const isTitle = 'by' in item || 'in_folder' in item
  return !isTitle && ('color' in item || 'hidden' in item)
}

function itemsIn(
  text: string,
  accept: (item: JsonObject) => boolean,
): Promise<readonly JsonObject[]> {
  return runInSlices(wholeItems(text, accept))
}

async function flagsFrom(text: string): Promise<JsonObject> {
  const isNamed = (item: JsonObject) => typeof item.name === 'string' && 'created_at' in item
  const created = await itemsIn(text, isNamed)
  const archived = new Set([
    ...wholeTexts(text, 'archived'),
    ...created.map(({ name }) => String(name)),
  ])
  const isRenaming = ({ from, to, at }: JsonObject) =>
    typeof from === 'string' && typeof to === 'string' && typeof at === 'number'
  return {
    archived: [...archived].sort(),
    ...(created.length === 0 ? {} : { archived_created: created }),
    renamed: await itemsIn(text, isRenaming),
  }
}

function sessionFrom(text: string): JsonObject {
  const [implied, previous] = ['implied_context', 'previous_context'].map((key) =>
    nameIn(text, key),
  )
  return { implied_context: implied ?? 'default', previous_context: previous ?? null }
}

function nameIn(text: string, key: string): string | undefined {
  return new RegExp(`"${key}"\\s*:\\s*"([A-Za-z0-9_-]{1,255})"`).exec(text)?.[1]
}

/** The folders that are there, each as chibi writes a context. */
async function contextsThere(scope: CheckupScope): Promise<ReadonlyMap<string, JsonObject>> {
  const { disk, home } = scope
  const paths = homePaths(home)
  const times = await createdTimes(disk, paths)
  const there = new Map<string, JsonObject>()
  for (const name of await listContextNames(disk, paths))
    there.set(name, await contextFrom(scope, name, times.get(name)))
  return there
}

/** With each folder that is there, and what can be read of each context; in the form of its era. */
async function stateFrom(
  there: ReadonlyMap<string, JsonObject>,
  text: string,
): Promise<JsonObject> {
  const items = new Map<string, JsonObject>()
  for (const item of await itemsIn(text, ({ name }) => typeof name === 'string'))
    items.set(String(item.name), item)
  const texts = items.size === 0 ? wholeTexts(text, 'contexts') : []
  const names = new Set([...items.keys(), ...texts, ...there.keys()])
  const contexts: unknown[] = []
  for (const name of [...names].sort())
    contexts.push(texts.length > 0 ? name : (items.get(name) ?? there.get(name)))
  const [current, previous] = ['current_context', 'previous_context'].map((key) =>
    nameIn(text, key),
  )
  return {
    contexts,
    ...(current === undefined ? {} : { current_context: current }),
    ...(previous === undefined ? {} : { previous_context: previous }),
  }
}

/** A context as chibi writes one that nobody has set an end. */
async function contextFrom(
  { disk, home, now }: CheckupScope,
  name: string,
  known: number | undefined,
): Promise<JsonObject> {
  const paths = contextPaths(home, name)
  const seconds = (ms: number) => Math.floor(ms / 1000)
  const folder = await disk.stat(paths.folder)
  const active = await disk.stat(paths.active).catch(() => undefined)
  const there = seconds(folder?.mtimeMs ?? now())
  return {
    name,
    created_at: known ?? (await readCreatedAt(disk, paths).catch(() => undefined)) ?? there,
    last_activity_at: active === undefined ? there : seconds(active.mtimeMs),
    destroy_after_seconds_inactive: 0,
    destroy_at: 0,
  }
}

/** The times that titles, labels and flags are bound to: with another one they would be another context's. */
async function createdTimes(disk: Disk, paths: HomePaths): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>()
  const add = (name: string, seconds: number | undefined) => {
    if (seconds !== undefined) times.set(name, seconds)
  }
  const none = () => undefined
  for (const { name, created_at: at } of (await readContextFlags(disk, paths).catch(none))
    ?.archived_created ?? [])
    add(name, at)
  for (const { key, createdAt } of (await readLabels(disk, paths.labels).catch(none)) ?? [])
    add(key, createdAt)
  for (const [key, { createdAt }] of (await readTitles(disk, paths.titles).catch(none)) ?? [])
    add(key, createdAt)
  return times
}
