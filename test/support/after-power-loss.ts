import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../bench/support/random'
import { isTemporaryName } from '../../src/main/disk/writing/atomic'
import type { Entry } from '../../src/shared/model/conversation/entry'
import { requireWhole } from '../../src/shared/model/conversation/reading'
import { triesAll } from './drawn'
import { drawnSeed, trialsOf } from './drawn-alike'
import { message } from './entries'
import { atDrawnCalls } from './every-call'
import { type ForgetfulDisk, forgetfulDisk } from './forgetful-disk'
import { byteLosses, type Loss, nameLosses } from './lost-power'
import {
  entriesIn,
  garden,
  home,
  laterMs,
  nextMs,
  type Operation,
  type Place,
  startMs,
  storeOf,
  type Told,
  tell,
  user,
} from './power-lost-work'

/** So often the power goes at each call. Thousands by hand: `SKEIN_TRIALS=1000 npm run test:faults -- "power that goes"` */
const seeds = Array.from({ length: trialsOf(triesAll ? 20 : 1) }, (_, n) => n)

/** Declares the tests of operations: the power goes at each call of each, or at a drawn sample; where all are tried, says how many. */
export function describePowerLoss(operations: readonly Operation[]): void {
  let calls = 0
  describe('power that goes at any call of the disk', () => {
    it.each(operations)(
      'leaves everything that was told to be durable: $name',
      async (operation) => {
        const ground = await groundOf(operation)
        const tried = await atDrawnCalls((at) => losePowerAt(operation, ground, at), 2)
        calls += tried
        expect(tried).toBeGreaterThan(5)
      },
    )
  })
  afterAll(() => {
    if (triesAll)
      console.info(
        `${operations.length} operations, ${calls} calls, ${calls * seeds.length} losses of power`,
      )
  })
}

/** What is durable when an operation begins. */
interface Ground {
  readonly disk: ForgetfulDisk
  /** Of the garden. */
  readonly entries: readonly Entry[]
}

/** Makes what an operation begins with. */
async function groundOf({ begin }: Operation): Promise<Ground> {
  const disk = forgetfulDisk(() => startMs)
  const place = { disk, now: () => startMs }
  await disk.makeFolder(user)
  await begin?.(place)
  disk.settle()
  const hasGarden = (await disk.stat(garden)) !== undefined
  return { disk, entries: hasGarden ? await entriesIn(storeOf(place), 'garden') : [] }
}

/**
 * Runs an operation until one call of the disk, has the power go, with each seed, and looks at what is left. Resolves to
 * the kinds of the calls that it made.
 */
async function losePowerAt(
  operation: Operation,
  ground: Ground,
  at: number,
): Promise<readonly string[]> {
  const disk = ground.disk.copied()
  disk.stopAt(at)
  const told: Told = { entries: [], done: new Set() }
  const place = { disk, now: () => startMs }
  await operation.run(place, told).catch((error: unknown) => {
    if (!disk.hasStopped()) throw error
  })
  for (const seed of seeds) {
    const random = createRandom(drawnSeed + seed * 7919 + at)
    const loss: Loss = {
      names: nameLosses[random.below(nameLosses.length)] ?? 'any',
      bytes: byteLosses[random.below(byteLosses.length + 1)] ?? 'torn',
    }
    const isKilledFirst = random.below(3) === 0
    try {
      const last = isKilledFirst
        ? await nextProcess(operation, place, told, random)
        : { disk, told }
      const left = last.disk.powerLoss(random, loss, laterMs)
      await expectKept(operation, ground, { disk: left, now: () => laterMs }, last.told)
    } catch (error) {
      const how = `${operation.name}, call ${at}, seed ${seed}: ${loss.names}, ${loss.bytes}${isKilledFirst ? ', killed first' : ''}`
      if (error instanceof Error) error.message += `\n(${how})`
      throw error
    }
  }
  return disk.kinds()
}

/** The first process was killed, and the machine goes on: another does its work until it is stopped as well, or has done it. */
async function nextProcess(
  operation: Operation,
  { disk: first }: Place,
  told: Told,
  random: ReturnType<typeof createRandom>,
): Promise<{ readonly disk: ForgetfulDisk; readonly told: Told }> {
  const both = { entries: [...told.entries], done: new Set(told.done) }
  const disk = first.copied()
  if (random.below(2) === 0) disk.stopAt(1 + random.below(60))
  const place = { disk, now: () => nextMs }
  const next = operation.next ?? appendsOne
  await next(place, both).catch((error: unknown) => {
    if (!disk.hasStopped()) throw error
  })
  return { disk, told: both }
}

async function appendsOne(place: Place, told: Told): Promise<void> {
  const writer = await storeOf(place, 4).openWriter('garden', { create: false })
  try {
    tell(place, told, (await writer.append(message('of the next'))).entry)
  } finally {
    await writer.close()
  }
}

async function expectKept(
  operation: Operation,
  ground: Ground,
  place: Place,
  told: Told,
): Promise<void> {
  expectFilesKept(ground.disk.files(), place.disk.files())
  expectWholeFiles(place.disk.files())
  await operation.check?.(place, told)
  const store = storeOf(place, operation.maxEntries)
  const there = (await store.listContexts()).map(({ name }) => name)
  const wanted = (operation.contexts ?? ['garden']).filter((name) => there.includes(name))
  const before = ground.entries
  for (const name of wanted) {
    const found = await entriesIn(store, name)
    expectEntries(found, [...before, ...told.entries])
    const writer = await store.openWriter(name, { create: false, waitMs: 0 })
    const { entry } = await writer.append(
      message('after', { timestamp: Math.floor(laterMs / 1000) }),
    )
    const window = await writer.window('refuse')
    await writer.close()
    const after = await entriesIn(store, name)
    expectEntries(after, [...before, ...told.entries])
    expect(after.at(-1)?.id).toBe(entry.id)
    expect(window.at(-1)?.id).toBe(entry.id)
    expectWindow(place.disk, name, window)
    expectTidy(place.disk, name)
    const reading = await store.readWhole(name)
    for await (const _ of requireWhole(reading.rows));
    for (const { lines, entryLines, control, blank, damaged } of reading.ledgers)
      expect(lines).toBe(entryLines + control + blank + damaged.length)
    // Half a seal stays in the file of seals, where it is counted.
    const isSeals = ({ file }: { file: string }) => file.endsWith('seals.skein.jsonl')
    const verdicts = (await store.verify(name)).filter((one) => !one.ok && !isSeals(one))
    expect(verdicts).toEqual([])
  }
  if (operation.contexts === undefined && before.length + told.entries.length > 0)
    expect(wanted).toEqual(['garden'])
}

/** Each once, as it was, in their order; others may stand between. */
function expectEntries(found: readonly Entry[], wanted: readonly Entry[]): void {
  expect(found.length).toBe(new Set(found.map(({ id }) => id)).size)
  const words = ({ file: _, line: __, offset: ___, length: ____, ...entry }: Entry) => entry
  // What has no id of its own gets one when it is brought to the present layout.
  const isAnonymous = ({ id }: Entry) => /^L\d+$/.test(id)
  const named = wanted.filter((entry) => !isAnonymous(entry))
  const ids = new Set(named.map(({ id }) => id))
  expect(found.filter(({ id }) => ids.has(id)).map(words)).toEqual(named.map(words))
  const contents = found.map(({ content }) => content)
  for (const { content } of wanted.filter(isAnonymous)) expect(contents).toContain(content)
}

/** What is made anew from the transcript, or replaced as a whole. */
const replaced =
  /\.lock|\.dirty$|(?:context\.jsonl|compacting\.skein\.json|inbox[^/]*|\.bloom|summary\.md|manifest\.json|state\.json|session\.json|[^/]+\.skein\.json|context_meta\.json|todos\.md|settings\.json|keys|garden\.md|cache.*)$/

/** No file that was there is gone: its bytes stand at the beginning of a file, under whatever name. */
function expectFilesKept(
  before: ReadonlyMap<string, Buffer>,
  after: ReadonlyMap<string, Buffer>,
): void {
  const kept = [...after.values()]
  const gone = [...before]
    .filter(([file]) => !replaced.test(file))
    .filter(([, bytes]) => !kept.some((one) => one.subarray(0, bytes.length).equals(bytes)))
    .map(([file]) => file)
  expect(gone).toEqual([])
}

/** A file that is replaced as a whole is the old one or the new one, never half of either. */
function expectWholeFiles(files: ReadonlyMap<string, Buffer>): void {
  for (const [file, bytes] of files) {
    if (!file.endsWith('.json') || /\/cache\//.test(file)) continue
    if (String(bytes) === '{"damaged') continue
    try {
      JSON.parse(String(bytes))
    } catch {
      throw new Error(`${file} is half a file: ${JSON.stringify(String(bytes).slice(0, 80))}`)
    }
  }
}

function expectWindow(disk: ForgetfulDisk, name: string, window: readonly Entry[]): void {
  const text = String(disk.files().get(`${home}/contexts/${name}/context.jsonl`))
  const ids = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).id)
  const wanted = window.map(({ id }) => id)
  // The window of a new context lacks its anchor, as chibi's does; one that the transcript lacks is made up.
  const isMadeUp = ids.length === wanted.length + 1
  expect([wanted, wanted.slice(1)]).toContainEqual(isMadeUp ? ids.slice(1) : ids)
}

/** Nothing of what was only for a moment is left, but under names that every reader ignores. */
function expectTidy(disk: ForgetfulDisk, name: string): void {
  const names = [...disk.files().keys()]
    .filter((file) => file.startsWith(`${home}/contexts/${name}/`))
    .map((file) => path.posix.basename(file))
    .filter((file) => !isTemporaryName(file))
  expect(names.filter((one) => /\.lock$|moved-|compacting|\.dirty/.test(one))).toEqual([])
}
