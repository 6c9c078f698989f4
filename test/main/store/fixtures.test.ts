import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { openStore } from '../../../src/main/store/open-store'
import type { Store } from '../../../src/main/store/store'
import { type Entry, isAnchor } from '../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../src/shared/model/conversation/reading'
import type { FileLedger } from '../../../src/shared/model/conversation/transcript'
import { tempFolders } from '../../support/temp-folder'

const fixtures = path.join(__dirname, '../../fixtures/chibi')
const temp = tempFolders()

interface Expected extends Record<string, unknown> {
  readonly entry_count?: number
  readonly counts_by_type?: Record<string, number>
}

function expectedIn(folder: string): Expected {
  return JSON.parse(fs.readFileSync(path.join(folder, 'expected.json'), 'utf8')) as Expected
}

/** A copy that may be written to, of a fixture that is one context. */
function homeOf(context: string): Store {
  const home = temp()
  fs.cpSync(context, path.join(home, 'contexts', 'c'), { recursive: true })
  return openStore({ home, disk: nodeDisk })
}

async function readAll(store: Store, name: string) {
  const reading = await store.readWhole(name)
  const entries: Entry[] = []
  for await (const row of requireWhole(reading.rows))
    if (row.type === 'entry') entries.push(row.entry)
  return { entries, reading }
}

/** The facts that every expected.json of a transcript tells, as we read them. */
function factsOf(entries: readonly Entry[]) {
  const counts: Record<string, number> = {}
  for (const { entry_type } of entries) counts[entry_type] = (counts[entry_type] ?? 0) + 1
  const ids = entries.map((entry) => entry.id)
  const lastAnchor = entries.map((entry) => isAnchor(entry)).lastIndexOf(true)
  return {
    entry_count: entries.length,
    counts_by_type: Object.fromEntries(Object.entries(counts).sort()),
    estimated_tokens_bpt3: entries.reduce(
      (sum, entry) => sum + Math.ceil(Buffer.byteLength(entry.content) / 3),
      0,
    ),
    last_anchor_index: lastAnchor < 0 ? null : lastAnchor,
    last_anchor_type: entries[lastAnchor]?.entry_type ?? null,
    duplicate_ids: [...new Set(ids.filter((id, i) => ids.indexOf(id) !== i))],
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
  }
}

function isAdditive(ledger: FileLedger): boolean {
  const { lines, entryLines, control, blank, damaged } = ledger
  return lines === entryLines + control + blank + damaged.length
}

/** The part of expected.json that `factsOf` speaks of. */
function sharedFacts(expected: Expected, facts: object): object {
  return Object.fromEntries(Object.keys(facts).map((key) => [key, expected[key]]))
}

describe('every context of the homes', () => {
  const contexts = ['home-v05', 'home-v09', 'home-v010'].flatMap((home) =>
    fs
      .readdirSync(path.join(fixtures, home, 'contexts'))
      .filter((name) => expectedIsOfTranscript(path.join(fixtures, home, 'contexts', name)))
      .map((name) => [home, name] as const),
  )
  it.each(contexts)('reads %s/%s as its expected.json tells', async (home, name) => {
    const store = openStore({ home: path.join(fixtures, home), disk: nodeDisk })
    const { entries, reading } = await readAll(store, name)
    const facts = factsOf(entries)
    const expected = expectedIn(path.join(fixtures, home, 'contexts', name))
    expect(facts).toEqual(sharedFacts(expected, facts))
    expect(reading.ledgers.every(isAdditive)).toBe(true)
  })

  it.each(contexts)('makes the window of %s/%s by the rule of its rebuild', async (home, name) => {
    const expected = expectedIn(path.join(fixtures, home, 'contexts', name))
    const copy = temp()
    fs.cpSync(path.join(fixtures, home), copy, { recursive: true })
    const writer = await openStore({ home: copy, disk: nodeDisk }).openWriter(name, {
      create: false,
    })
    try {
      const window = await writer.window('refuse')
      if (expected.rebuild_entry_count !== undefined)
        expect(window.length).toBe(expected.rebuild_entry_count)
      if (expected.rebuild_anchor_id !== undefined)
        expect(window[0]?.id).toBe(expected.rebuild_anchor_id)
      expect(window[0]?.entry_type).toBe(expected.last_anchor_type)
    } finally {
      await writer.close()
    }
  })

  function expectedIsOfTranscript(folder: string): boolean {
    return (
      fs.existsSync(path.join(folder, 'expected.json')) &&
      expectedIn(folder).counts_by_type !== undefined
    )
  }
})

describe('the homes themselves', () => {
  it.each(['home-v05', 'home-v09', 'home-v010'])('lists the contexts of %s', async (home) => {
    const listed = await openStore({
      home: path.join(fixtures, home),
      disk: nodeDisk,
    }).listContexts()
    expect(listed.map((context) => context.name)).toEqual(
      expectedIn(path.join(fixtures, home)).contexts,
    )
  })

  it('knows when contexts were created, from state.json or context_meta.json', async () => {
    const [v05, v09] = ['home-v05', 'home-v09'].map((home) =>
      openStore({ home: path.join(fixtures, home), disk: nodeDisk }),
    )
    expect((await v05?.findContext('garden'))?.createdAt).toBe(1769300000)
    expect((await v09?.findContext('legacy'))?.createdAt).toBe(1769991000)
  })

  it('reads the partitions of home-v09 in the order of the manifest', async () => {
    const store = openStore({ home: path.join(fixtures, 'home-v09'), disk: nodeDisk })
    const { reading } = await readAll(store, 'default')
    const expected = expectedIn(path.join(fixtures, 'home-v09/contexts/default'))
    const partitions = reading.ledgers.map(({ file }) => file).slice(0, -1)
    expect(partitions).toEqual(
      (expected.partition_files_oldest_first as string[]).map(
        (file) => `contexts/default/transcript/${file}`,
      ),
    )
    expect([reading.partitions, reading.strays, reading.notices]).toEqual([2, [], []])
  })

  it('reads a context.json of before 0.5 as messages, each at its own bytes', async () => {
    const home = path.join(fixtures, 'home-v05')
    const store = openStore({ home, disk: nodeDisk })
    const { entries, reading } = await readAll(store, 'default')
    expect(
      entries.map(({ id, role, from, to, content }) => ({ id, role, from, to, content })),
    ).toEqual([
      {
        id: 'a57619c6-8e64-489c-91db-dffee3a0aa49',
        role: 'user',
        from: 'user',
        to: 'default',
        content: 'very old',
      },
      { id: 'L2', role: 'agent', from: 'default', to: 'user', content: 'indeed' },
    ])
    expect(reading.ledgers).toMatchObject([{ unit: 'message', lines: 2, entryLines: 2 }])
    const second = entries[1]
    const raw = await store.readLine(
      'default',
      second?.file ?? '',
      second?.offset ?? 0,
      second?.length ?? 0,
    )
    expect(JSON.parse(Buffer.from(raw.bytes).toString())).toEqual({
      role: 'assistant',
      content: 'indeed',
    })
    expect(raw.line).toBe(2)
  })

  it('changes no byte and no name of a home by reading it', async () => {
    const home = temp()
    fs.cpSync(path.join(fixtures, 'home-v09'), home, { recursive: true })
    const before = snapshot(home)
    const store = openStore({ home, disk: nodeDisk })
    for (const { name } of await store.listContexts()) {
      await readAll(store, name)
      await store.readPage(name, 'end', 10)
      await store.readNotes(name)
      await store.verify(name)
    }
    expect(snapshot(home)).toEqual(before)
  })

  function snapshot(home: string): string[] {
    return fs
      .readdirSync(home, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const stat = fs.statSync(path.join(home, name))
        return `${name} ${stat.mtimeMs} ${stat.size}`
      })
  }
})

describe('tricky transcripts', () => {
  const tricky = path.join(fixtures, 'tricky')
  it.each(fs.readdirSync(tricky).filter((name) => name !== 'bad-utf8'))(
    'reads %s as its expected.json tells',
    async (name) => {
      const expected = expectedIn(path.join(tricky, name))
      const { entries, reading } = await readAll(homeOf(path.join(tricky, name)), 'c')
      const facts = factsOf(entries)
      expect(facts).toEqual(sharedFacts(expected, facts))
      const [ledger] = reading.ledgers
      if (ledger === undefined) throw new Error('no ledger')
      expect(isAdditive(ledger)).toBe(true)
      expect(ledger.torn).toBe(expected.torn_tail_bytes === true)
      if (expected.malformed_lines !== undefined)
        expect(ledger.damaged.length).toBe(expected.malformed_lines)
      if (expected.blank_lines !== undefined) expect(ledger.blank).toBe(expected.blank_lines)
      if (expected.contents_sha256 !== undefined)
        expect(entries.map(({ content }) => sha256(content))).toEqual(expected.contents_sha256)
      if (expected.huge_content_sha256 !== undefined)
        expect(entries.map(({ content }) => sha256(content))).toContain(
          expected.huge_content_sha256,
        )
      if (expected.longest_line_bytes !== undefined)
        expect(Math.max(...entries.map(({ length }) => length))).toBe(expected.longest_line_bytes)
    },
  )

  it('keeps the line with a bad byte, marked', async () => {
    const { entries, reading } = await readAll(homeOf(path.join(tricky, 'bad-utf8')), 'c')
    expect(entries.map(({ content, metadata }) => [content, metadata])).toEqual([
      ['message number 0', undefined],
      ['caf\ufffd society', { damaged: true }],
      ['message number 1', undefined],
      ['message number 2', undefined],
    ])
    expect(reading.ledgers).toMatchObject([{ lines: 4, entryLines: 4, damaged: [] }])
  })

  it('names the field that is missing', async () => {
    const { reading } = await readAll(homeOf(path.join(tricky, 'missing-required')), 'c')
    expect(reading.ledgers[0]?.damaged.map(({ line, reason }) => [line, reason])).toEqual([
      [2, '"id" is missing'],
      [3, '"timestamp" is missing'],
      [4, '"from" is missing'],
      [5, '"to" is missing'],
      [6, '"content" is missing'],
      [7, '"entry_type" is missing'],
    ])
  })

  it('says that a manifest is damaged, and reads all the same', async () => {
    const { reading } = await readAll(homeOf(path.join(tricky, 'manifest-corrupt')), 'c')
    expect(reading.notices).toEqual([
      'manifest.json is not JSON; the partitions were read by their names.',
    ])
  })

  function sha256(text: string): string {
    return createHash('sha256').update(text).digest('hex')
  }
})

describe('cases from bug reports', () => {
  const cases = path.join(__dirname, '../../fixtures/cases')

  it('reads a stray partition at its place, and tells it', async () => {
    const home = path.join(cases, '72-stray-partition/home')
    const { entries, reading } = await readAll(openStore({ home, disk: nodeDisk }), 'default')
    expect(entries.map(({ content }) => content.replace(/^\[.*?\] /, ''))).toEqual([
      'Context created',
      'first in the oldest part',
      'second in the oldest part',
      'third in the stray part',
      'fourth in the stray part',
      'fifth, still active',
      'sixth, still active',
    ])
    expect(reading.strays).toEqual([
      'contexts/default/transcript/partitions/1773130003-1773130004.jsonl',
    ])
    expect(reading.notices).toEqual([
      '1773130003-1773130004.jsonl is not in the manifest; it was read anyway.',
    ])
  })

  it('sets half an object aside and loses no record after it, on its own line or glued', async () => {
    const home = path.join(cases, '18a-torn-half-json/home')
    const store = openStore({ home, disk: nodeDisk })
    const spaced = await readAll(store, 'spaced')
    expect(spaced.entries.map(({ content }) => content)).toEqual([
      'Context created',
      'spaced: before the tear',
      'spaced: right after the tear',
      'spaced: and one more',
    ])
    expect(spaced.reading.ledgers[0]?.damaged).toMatchObject([{ line: 3 }])
    const glued = await readAll(store, 'glued')
    expect(glued.entries.map(({ content, metadata, line }) => [content, metadata, line])).toEqual([
      ['Context created', undefined, 1],
      ['glued: before the tear', undefined, 2],
      ['glued: right after the tear', { recovered: true }, 3],
      ['glued: and one more', undefined, 4],
    ])
    expect(glued.reading.ledgers[0]).toMatchObject({
      lines: 4,
      entryLines: 3,
      damaged: [{ line: 3 }],
    })
  })
})
