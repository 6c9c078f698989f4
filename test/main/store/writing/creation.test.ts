import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import {
  defaultRotationPolicy,
  type RotationPolicy,
} from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import { openPromptRecord } from '../../../../src/main/store/texts/prompt-record'
import type { EntryDraft } from '../../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { checkHome } from '../../../support/chibi-checker/home'
import { message } from '../../../support/entries'
import { atDrawnCalls } from '../../../support/every-call'
import { type FaultPlan, faultyDisk } from '../../../support/faulty-disk'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const startMs = 1_780_000_000_000
const laterMs = startMs + 60_000

function storeAt(
  home: string,
  policy: Partial<RotationPolicy> = {},
  disk = nodeDisk,
  nowMs = startMs,
) {
  const storagePolicy = async () => ({ ...defaultRotationPolicy, ...policy })
  return openStore({ home, disk, now: () => nowMs, storagePolicy })
}

const metadata = { origin: { source: 'chibi', key: 'garden', entry: 'x', entries: 7 } }

function copies(count: number, text = (i: number) => `copy ${i}`): EntryDraft[] {
  return Array.from({ length: count }, (_, i) =>
    message(text(i), { timestamp: 1_600_000_000 + i, metadata: { tag: i } }),
  )
}

async function entriesOf(home: string, name = 'branch') {
  const reading = await storeAt(home).readWhole(name)
  const entries = []
  for await (const row of requireWhole(reading.rows))
    if (row.type === 'entry') entries.push(row.entry)
  expect(reading.notices).toEqual([])
  return entries
}

/** What a process that died holds is let go by its death; here the "dead" process is the test's own. */
function burySelf(home: string): void {
  for (const name of fs.readdirSync(home, { recursive: true, encoding: 'utf8' }))
    if (/\.skein-gate|\.state\.skein/.test(name)) fs.rmSync(path.join(home, name))
}

async function make(home: string, entries: readonly EntryDraft[], policy = {}, disk = nodeDisk) {
  const files = new Map([['system_prompt.md', 'Be terse.']])
  const writer = await storeAt(home, policy, disk).openWriter('branch', {
    create: true,
    beginning: { metadata, entries, files },
  })
  await writer.close()
}

it('a context begins with its anchor and what was given, ids, times and metadata as they are', async () => {
  const home = path.join(temp(), 'home')
  const entries = copies(3)
  await make(home, entries)
  const [anchor, ...others] = await entriesOf(home)
  expect(anchor).toMatchObject({ entry_type: 'context_created', to: 'branch', metadata })
  expect(others).toEqual(entries.map((entry) => expect.objectContaining(entry)))
  const folder = path.join(home, 'contexts/branch')
  expect(fs.readFileSync(path.join(folder, 'system_prompt.md'), 'utf8')).toBe('Be terse.')
  expect(fs.readFileSync(path.join(folder, 'context.jsonl'), 'utf8').split('\n')).toHaveLength(5)
  expect(fs.readdirSync(path.dirname(folder))).toEqual(['branch'])
  const state = JSON.parse(fs.readFileSync(path.join(home, 'state.json'), 'utf8'))
  expect(state.contexts.map((one: { name: string }) => one.name)).toEqual(['branch'])
})

it('none is made with an entry that no reader would take', async () => {
  const home = path.join(temp(), 'home')
  const many = message('many', { metadata: { many: new Array(600_000).fill(0) } })
  await expect(make(home, [...copies(2), many])).rejects.toMatchObject({
    code: 'bad-argument',
    message: expect.stringContaining('more values than can be read again'),
  })
  expect(fs.readdirSync(path.join(home, 'contexts'))).toEqual([])
})

it('three thousand entries are rotated by the limits, and verify, list and read in order', async () => {
  const home = temp()
  const entries = copies(3000)
  await make(home, entries)
  const read = await entriesOf(home)
  expect(read.slice(1).map(({ id }) => id)).toEqual(entries.map(({ id }) => id))
  const transcript = path.join(home, 'contexts/branch/transcript')
  const manifest = JSON.parse(fs.readFileSync(path.join(transcript, 'manifest.json'), 'utf8'))
  expect(manifest.partitions.map((one: { entry_count: number }) => one.entry_count)).toEqual([
    1000, 1000, 1000,
  ])
  const verdicts = await storeAt(home).verify('branch')
  expect(verdicts.filter(({ sealed }) => sealed)).toHaveLength(3)
  expect(verdicts.every(({ ok }) => ok)).toBe(true)
  const writer = await storeAt(home).openWriter('branch', { create: false })
  expect(await writer.window('refuse')).toHaveLength(3001)
  await writer.append(message('after'))
  await writer.close()
  expect((await entriesOf(home)).at(-1)?.content).toBe('after')
})

it('rotates by tokens as well', async () => {
  const home = temp()
  await make(
    home,
    copies(6, () => 'x'.repeat(300)),
    { maxTokens: 200, bytesPerToken: 3 },
  )
  const partitions = fs.readdirSync(path.join(home, 'contexts/branch/transcript/partitions'))
  expect(partitions.filter((name) => name.endsWith('.jsonl'))).toHaveLength(3)
  expect(await entriesOf(home)).toHaveLength(7)
})

it('whatever has the name already is in the way, and stays as it is', async () => {
  const home = temp()
  await make(home, copies(1))
  const before = fs.readFileSync(path.join(home, 'contexts/branch/transcript/active.jsonl'))
  await expect(make(home, copies(2))).rejects.toMatchObject({ code: 'exists' })
  expect(fs.readFileSync(path.join(home, 'contexts/branch/transcript/active.jsonl'))).toEqual(
    before,
  )
  fs.mkdirSync(path.join(home, 'contexts/empty'))
  const beginning = { metadata, entries: copies(1) }
  await expect(
    storeAt(home).openWriter('empty', { create: true, beginning }),
  ).rejects.toMatchObject({ code: 'exists' })
})

it('entries that cannot be read to their end make no context', async () => {
  const home = temp()
  async function* broken() {
    yield* copies(2)
    throw new Error('the source is gone')
  }
  const beginning = { metadata, entries: broken() }
  await expect(storeAt(home).openWriter('branch', { create: true, beginning })).rejects.toThrow(
    'the source is gone',
  )
  expect(fs.readdirSync(path.join(home, 'contexts'))).toEqual([])
})

it('what a crash left of a creation is cleared by one a day later', async () => {
  const home = temp()
  const left = path.join(home, 'contexts/.skein-new.tmp.7')
  fs.mkdirSync(path.join(left, 'transcript'), { recursive: true })
  fs.writeFileSync(path.join(left, 'transcript/active.jsonl'), '{}\n')
  fs.utimesSync(left, startMs / 1000, startMs / 1000)
  await make(home, copies(1))
  expect(fs.existsSync(left)).toBe(true)
  const store = storeAt(home, {}, nodeDisk, startMs + 25 * 3600 * 1000)
  const beginning = { metadata, entries: copies(1) }
  const writer = await store.openWriter('other', { create: true, beginning })
  await writer.close()
  expect(fs.readdirSync(path.join(home, 'contexts')).sort()).toEqual(['branch', 'other'])
})

const faults: readonly FaultPlan[] = [
  { fault: 'no-space' },
  { fault: 'io' },
  { fault: 'done-then-io' },
  { fault: 'short-write' },
  { fault: 'io', forEver: true },
]

describe.each(faults)('with $fault (for ever: $forEver) at any change of the disk', (plan) => {
  it('there is no context or the whole one', async () => {
    let made = 0
    let told = 0
    const entries = copies(4)
    const calls = await atDrawnCalls(async (at) => {
      const home = path.join(temp(), 'home')
      const disk = faultyDisk(nodeDisk, { ...plan, at })
      const isTold = await make(home, entries, { maxEntries: 3 }, disk).then(
        () => true,
        () => false,
      )
      if (disk.calls() < at) return disk.kinds()
      const names = (await storeAt(home).listContexts()).map(({ name }) => name)
      expect(names.filter((name) => name !== 'branch')).toEqual([])
      if (isTold) told += 1
      if (names.length === 0) {
        expect(isTold).toBe(false)
        // Nothing of it is in the way of another try.
        await make(home, entries, { maxEntries: 3 })
      } else {
        made += 1
        burySelf(home)
      }
      expect((await entriesOf(home)).map(({ content }) => content)).toEqual([
        'Context created',
        ...entries.map(({ content }) => content),
      ])
      const writer = await storeAt(home, { maxEntries: 3 }, nodeDisk, laterMs).openWriter(
        'branch',
        { create: false },
      )
      expect((await writer.window('refuse')).slice(1).map(({ id }) => id)).toEqual(
        entries.map(({ id }) => id),
      )
      await writer.close()
      expect((await storeAt(home).verify('branch')).every(({ ok }) => ok)).toBe(true)
      if (plan.forEver !== true)
        expect(fs.readdirSync(path.join(home, 'contexts'))).toEqual(['branch'])
      return disk.kinds()
    })
    expect(calls).toBeGreaterThan(20)
    expect(made).toBeGreaterThan(2)
    expect(told).toBeLessThanOrEqual(made)
  })
})

describe('context_meta.json of a new context', () => {
  const metaOf = (home: string, name: string) =>
    fs.readFileSync(path.join(home, 'contexts', name, 'context_meta.json'), 'utf8')

  it('says when it was made, however it begins, and is one that chibi takes', async () => {
    const home = path.join(temp(), 'home')
    await (await storeAt(home).openWriter('bare', { create: true })).close()
    expect(checkHome(home)).toEqual([])
    await make(home, copies(2))
    for (const name of ['branch', 'bare'])
      expect(metaOf(home, name)).toBe(`{\n  "created_at": ${startMs / 1000}\n}`)
  })

  it('is left as it is where one stands, and of an older context none is made', async () => {
    const home = path.join(temp(), 'home')
    const folder = path.join(home, 'contexts/bare')
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(path.join(folder, 'context_meta.json'), '{"created_at":1,"more":2}')
    await (await storeAt(home).openWriter('bare', { create: true })).close()
    expect(metaOf(home, 'bare')).toBe('{"created_at":1,"more":2}')
    fs.rmSync(path.join(folder, 'context_meta.json'))
    await (await storeAt(home).openWriter('bare', { create: false })).close()
    expect(fs.existsSync(path.join(folder, 'context_meta.json'))).toBe(false)
  })

  it('keeps the time when the prompt is taken down', async () => {
    const home = path.join(temp(), 'home')
    await make(home, copies(1))
    await (await openPromptRecord(nodeDisk, home, 'branch')).keep('Be terse.', 'Whole.')
    expect(JSON.parse(metaOf(home, 'branch'))).toEqual({
      system_prompt_md_mtime: expect.any(Number),
      last_combined_prompt: 'Whole.',
      created_at: startMs / 1000,
      skein_prompt: 'Be terse.',
    })
  })
})
