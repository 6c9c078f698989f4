import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { decodeFilter } from '../../../../src/main/segments/coverage/filter-file'
import {
  defaultRotationPolicy,
  type RotationPolicy,
} from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import { allowGaps, requireWhole } from '../../../../src/shared/model/conversation/reading'
import { countingDisk } from '../../../support/counting-disk'
import { message } from '../../../support/entries'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()

function contextWith(policy: Partial<RotationPolicy>, nowSeconds = () => 1_780_000_000) {
  const home = temp()
  const notices: string[] = []
  const store = openStore({
    home,
    disk: nodeDisk,
    now: () => nowSeconds() * 1000,
    storagePolicy: async () => ({ ...defaultRotationPolicy, ...policy }),
    noticed: (_, notice) => notices.push(notice),
  })
  const transcript = path.join(home, 'contexts/garden/transcript')
  const manifest = () => JSON.parse(fs.readFileSync(path.join(transcript, 'manifest.json'), 'utf8'))
  const append = async (...contents: string[]) => {
    const create = !fs.existsSync(transcript)
    const writer = await store.openWriter('garden', { create })
    for (const content of contents)
      await writer.append(message(content, { timestamp: nowSeconds() }))
    await writer.close()
  }
  const contents = async () => {
    const found: string[] = []
    for await (const row of requireWhole((await store.readWhole('garden')).rows))
      if (row.type === 'entry') found.push(row.entry.content)
    return found
  }
  return { home, store, transcript, manifest, append, contents, notices }
}

describe('a rotation', () => {
  it('comes with the entry that reaches the limit, and writes the manifest in the form of chibi', async () => {
    const { append, transcript, manifest, contents } = contextWith({ maxEntries: 3 })
    await append('one')
    expect(fs.existsSync(path.join(transcript, 'manifest.json'))).toBe(false)
    await append('two')
    expect(fs.readFileSync(path.join(transcript, 'manifest.json'), 'utf8')).toBe(`{
  "version": 1,
  "active_partition": "active.jsonl",
  "partitions": [
    {
      "file": "partitions/1780000000-1780000000.jsonl",
      "start_ts": 1780000000,
      "end_ts": 1780000000,
      "entry_count": 3,
      "token_count": 7,
      "bloom_file": "partitions/1780000000-1780000000.bloom"
    }
  ],
  "rotation_policy": {
    "max_entries": 3,
    "max_age_seconds": 2592000,
    "max_tokens": 100000
  }
}`)
    expect(fs.existsSync(path.join(transcript, 'active.jsonl'))).toBe(false)
    await append('three')
    expect(await contents()).toEqual(['Context created', 'one', 'two', 'three'])
    expect(manifest().partitions.length).toBe(1)
  })

  it('never gives one name twice, however many fall into one second', async () => {
    const { append, transcript, manifest, contents } = contextWith({ maxEntries: 1 })
    await append('a', 'b', 'c')
    expect(manifest().partitions.map(({ file }: { file: string }) => file)).toEqual([
      'partitions/1780000000-1780000000.jsonl',
      'partitions/1780000000-1780000000-2.jsonl',
      'partitions/1780000000-1780000000-3.jsonl',
      'partitions/1780000000-1780000000-4.jsonl',
    ])
    expect(fs.readdirSync(path.join(transcript, 'partitions')).length).toBe(8)
    expect(await contents()).toEqual(['Context created', 'a', 'b', 'c'])
  })

  it('counts tokens as chibi does: bytes of the content by three, rounded up for each entry', async () => {
    // "Context created" 5, then 1 and 2.
    const { append, manifest, transcript } = contextWith({ maxTokens: 8 })
    await append('é')
    expect(fs.existsSync(path.join(transcript, 'manifest.json'))).toBe(false)
    await append('éé')
    expect(manifest().partitions).toMatchObject([{ entry_count: 3, token_count: 8 }])
  })

  it('comes with age, measured from the first line', async () => {
    let now = 1_780_000_000
    const { append, manifest, transcript } = contextWith({ maxAgeSeconds: 100 }, () => now)
    await append('one')
    now += 99
    await append('two')
    expect(fs.existsSync(path.join(transcript, 'manifest.json'))).toBe(false)
    now += 1
    await append('three')
    expect(manifest().partitions).toMatchObject([
      { start_ts: 1_780_000_000, end_ts: 1_780_000_100, entry_count: 4 },
    ])
  })

  it('goes by the thresholds in force, and the manifest follows at the next rotation', async () => {
    const context = contextWith({ maxEntries: 2 })
    await context.append('one')
    const manifest = {
      ...context.manifest(),
      x_kept: [1],
      rotation_policy: { max_entries: 4, max_age_seconds: 9e9, max_tokens: 7, x: 1 },
    }
    fs.writeFileSync(path.join(context.transcript, 'manifest.json'), JSON.stringify(manifest))
    await context.append('two')
    expect(context.manifest()).toEqual(manifest)
    await context.append('three')
    expect(context.manifest()).toMatchObject({
      partitions: [{ entry_count: 2 }, { entry_count: 2 }],
      rotation_policy: { max_entries: 2, max_age_seconds: 2_592_000, max_tokens: 100_000, x: 1 },
      x_kept: [1],
    })
  })

  it('goes by thresholds that were changed after the first rotation', async () => {
    const policy = { maxEntries: 2 }
    const context = contextWith(policy)
    await context.append('one')
    policy.maxEntries = 3
    await context.append('two', 'three')
    expect(context.manifest().partitions.length).toBe(1)
    expect(context.manifest().rotation_policy.max_entries).toBe(2)
    await context.append('four')
    expect(context.manifest()).toMatchObject({
      partitions: [{ entry_count: 2 }, { entry_count: 3 }],
      rotation_policy: { max_entries: 3 },
    })
  })

  it('keeps the order in which things were written when the clock was set back', async () => {
    let now = 1_780_000_000
    const { append, contents, manifest } = contextWith({ maxEntries: 2 }, () => now)
    await append('one')
    now -= 5000
    await append('two', 'three')
    expect(await contents()).toEqual(['Context created', 'one', 'two', 'three'])
    expect(manifest().partitions).toMatchObject([
      { start_ts: 1_780_000_000 },
      { start_ts: 1_779_995_000 },
    ])
  })

  it('leaves filters away where they are switched off', async () => {
    const { append, transcript, manifest } = contextWith({ maxEntries: 2, bloomFilters: false })
    await append('one')
    expect(manifest().partitions[0].bloom_file).toBeUndefined()
    expect(fs.readdirSync(path.join(transcript, 'partitions'))).toEqual([
      '1780000000-1780000000.jsonl',
    ])
  })

  it('gives the partition a filter that holds what the search index holds of it', async () => {
    const { append, transcript } = contextWith({ maxEntries: 2 })
    await append('Spring TIDE 日本語')
    const bytes = fs.readFileSync(path.join(transcript, 'partitions/1780000000-1780000000.bloom'))
    const part = (await decodeFilter(bytes))?.part
    expect(part?.wordsBySegment().map((words) => words.map(({ word }) => word))).toEqual([
      ['context', 'created', 'mira', 'spring', 'tide'],
    ])
    const { size } = fs.statSync(path.join(transcript, 'partitions/1780000000-1780000000.jsonl'))
    expect(part?.segments).toMatchObject([{ runs: [{ from: 0, to: size, lines: 2 }] }])
  })
})

describe('a rotation that was cut off', () => {
  it('after the new name was linked is finished by the next writer', async () => {
    const { append, transcript, contents, manifest, store } = contextWith({ maxEntries: 100 })
    await append('one')
    fs.mkdirSync(path.join(transcript, 'partitions'))
    fs.linkSync(
      path.join(transcript, 'active.jsonl'),
      path.join(transcript, 'partitions/1780000000-1780000000.jsonl'),
    )
    expect(await contents()).toEqual(['Context created', 'one'])
    const page = await store.readPage('garden', 'end', 10)
    expect(page.rows.length).toBe(2)
    await append('two')
    expect(await contents()).toEqual(['Context created', 'one', 'two'])
    expect(manifest().partitions).toMatchObject([{ entry_count: 2 }])
  })

  it('before the manifest is adopted at its place in time, with filter and seal, and told', async () => {
    const { append, transcript, contents, manifest, notices, store } = contextWith({
      maxEntries: 2,
    })
    await append('one', 'two', 'three')
    const [first, second] = manifest().partitions
    const old = { ...manifest(), partitions: [second] }
    fs.writeFileSync(path.join(transcript, 'manifest.json'), JSON.stringify(old))
    fs.rmSync(path.join(transcript, first.bloom_file))
    expect(await contents()).toEqual(['Context created', 'one', 'two', 'three'])
    await append('four')
    expect(manifest().partitions).toEqual([first, second])
    expect(fs.existsSync(path.join(transcript, first.bloom_file))).toBe(true)
    expect(notices).toEqual([
      '1780000000-1780000000.jsonl is not in the manifest; it was read anyway.',
    ])
    expect((await store.verify('garden')).map(({ sealed, ok }) => [sealed, ok])).toEqual([
      [true, true],
      [true, true],
      [false, true],
    ])
  })

  it('keeps a damaged manifest aside and makes a new one from the partitions', async () => {
    const { append, transcript, contents, manifest, notices } = contextWith({ maxEntries: 2 })
    await append('one', 'two', 'three')
    const before = manifest()
    fs.writeFileSync(path.join(transcript, 'manifest.json'), '{"version": 1, "act')
    expect(await contents()).toEqual(['Context created', 'one', 'two', 'three'])
    await append('four')
    expect(manifest()).toEqual(before)
    expect(fs.readFileSync(path.join(transcript, 'manifest.json.damaged-1'), 'utf8')).toBe(
      '{"version": 1, "act',
    )
    expect(notices).toContain('manifest.json was damaged; it is kept as manifest.json.damaged-1.')
  })
})

it('puts off archiving an active partition that is a link, which keeps its words', async () => {
  const { append, transcript, contents, notices } = contextWith({ maxEntries: 3 })
  await append('one')
  fs.renameSync(path.join(transcript, 'active.jsonl'), path.join(transcript, 'real.txt'))
  fs.symlinkSync('real.txt', path.join(transcript, 'active.jsonl'))
  await append('two', 'three')
  expect(await contents()).toEqual(['Context created', 'one', 'two', 'three'])
  expect(fs.existsSync(path.join(transcript, 'partitions'))).toBe(false)
  expect(notices).toContain('Archiving was postponed: active.jsonl is a link')
})

describe('an active partition that somebody moved aside to look at', () => {
  const aside = 'partitions/moved-1780000000000-0123abcd.jsonl'

  it('and could not give back is read, and gets a name for good with the next writer', async () => {
    const { append, transcript, contents, manifest } = contextWith({ maxEntries: 100 })
    await append('one')
    fs.mkdirSync(path.join(transcript, 'partitions'))
    fs.renameSync(path.join(transcript, 'active.jsonl'), path.join(transcript, aside))
    expect(await contents()).toEqual(['Context created', 'one'])
    await append('two')
    expect(await contents()).toEqual(['Context created', 'one', 'two'])
    expect(manifest().partitions).toMatchObject([
      { file: 'partitions/1780000000-1780000000.jsonl', entry_count: 2 },
    ])
    expect(fs.existsSync(path.join(transcript, aside))).toBe(false)
  })

  it('and gave back loses the other name alone', async () => {
    const { append, transcript, contents } = contextWith({ maxEntries: 100 })
    await append('one')
    fs.mkdirSync(path.join(transcript, 'partitions'))
    fs.linkSync(path.join(transcript, 'active.jsonl'), path.join(transcript, aside))
    expect(await contents()).toEqual(['Context created', 'one'])
    await append('two')
    expect(await contents()).toEqual(['Context created', 'one', 'two'])
    expect(fs.readdirSync(path.join(transcript, 'partitions'))).toEqual([])
  })
})

describe('the manifest', () => {
  it('is not believed where it points outside, and a missing partition is told', async () => {
    const { append, transcript, manifest, store } = contextWith({ maxEntries: 2 })
    await append('one')
    const [record] = manifest().partitions
    const outside = { ...record, file: '../../../../state.json' }
    const gone = { ...record, file: 'partitions/1-2.jsonl' }
    fs.writeFileSync(
      path.join(transcript, 'manifest.json'),
      JSON.stringify({ ...manifest(), partitions: [outside, record, gone] }),
    )
    const reading = await store.readWhole('garden')
    const told: string[] = []
    const rows = allowGaps(reading.rows, ({ sentence }) => told.push(sentence))
    for await (const { type } of rows) told.push(type)
    expect(told).toEqual([
      'The manifest names "../../../../state.json", which is outside the folder; it was not read.',
      'entry',
      'entry',
      'partitions/1-2.jsonl is in the manifest but not on the disk.',
    ])
    await append('two', 'three')
    expect(manifest().partitions.map(({ file }: { file: string }) => file)).toEqual([
      outside.file,
      record.file,
      gone.file,
      'partitions/1780000000-1780000000-2.jsonl',
    ])
  })

  it('has each file looked at once, however often it names that, and a missing one told once', async () => {
    const { append, transcript, manifest, home } = contextWith({ maxEntries: 2 })
    await append('one')
    const [record] = manifest().partitions
    const gone = { ...record, file: 'partitions/1-2.jsonl' }
    const listWith = async (partitions: readonly unknown[]) => {
      const text = JSON.stringify({ ...manifest(), partitions })
      fs.writeFileSync(path.join(transcript, 'manifest.json'), text)
      let calls = 0
      const disk = countingDisk(nodeDisk, () => {
        calls += 1
      })
      const [listing] = await openStore({ home, disk }).listContexts()
      return { calls, files: listing?.files.length, missing: listing?.missing.length }
    }

    const once = await listWith([record, gone])
    expect(once).toMatchObject({ files: 1, missing: 1 })
    const often = Array.from({ length: 100 }, () => [record, gone]).flat()
    expect(await listWith(often)).toEqual(once)
  })
})

it('finds a line by the place that it had before it was archived', async () => {
  const { store, append } = contextWith({ maxEntries: 4 })
  await append('one', 'a second one')
  const { rows } = await store.readPage('garden', 'end', 1)
  const [row] = rows
  if (row?.type !== 'entry') throw new Error('no entry')
  const { file, offset, length } = row.entry
  const before = await store.readLine('garden', file, offset, length)
  await append('the third, which archives them', 'and one in a new active partition')

  expect(await store.readLine('garden', file, offset, length)).toEqual(before)
})
