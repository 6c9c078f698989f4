import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import { allowGaps } from '../../../../src/shared/model/conversation/reading'
import { jsonLine, message } from '../../../support/entries'
import { atEveryCall } from '../../../support/every-call'
import type { FaultPlan } from '../../../support/faulty-disk'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const startMs = 1_780_000_000_000
/** A minute later any lock that was not given back is stale. */
const laterMs = startMs + 60_000

const line = (id: string, content: string, more: Readonly<Record<string, unknown>> = {}) =>
  jsonLine({ id, content, timestamp: 1_779_999_000, ...more })
const lines = (...all: readonly string[]) => all.map((one) => `${one}\n`).join('')
const anchor = line('anchor', 'Context created', { entry_type: 'context_created' })
const one = line('1', 'one', { unknown: 'key' })
const [two, three, four] = [line('2', 'two'), line('3', 'three'), line('4', 'four')]

/** A home with a context of these files. */
function homeWith(files: Readonly<Record<string, string>>): string {
  const home = temp()
  for (const [name, content] of Object.entries(files)) {
    const target = path.join(home, 'contexts/garden', name)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, content)
  }
  return home
}

const inGarden = (home: string, name: string) => path.join(home, 'contexts/garden', name)
const textOf = (home: string, name: string) => fs.readFileSync(inGarden(home, name), 'utf8')

function storeAt(home: string, disk: Disk = nodeDisk, nowMs = startMs, noticed: string[] = []) {
  return openStore({
    home,
    disk,
    now: () => nowMs,
    storagePolicy: async () => ({ ...defaultRotationPolicy, maxEntries: 100 }),
    noticed: (_, notice) => noticed.push(notice),
  })
}

async function contentsIn(home: string) {
  const reading = await storeAt(home).readWhole('garden')
  const contents: (string | undefined)[] = []
  for await (const row of allowGaps(reading.rows, () => undefined))
    contents.push(row.type === 'entry' ? row.entry.content : undefined)
  for (const { lines: all, entryLines, blank, damaged, control } of reading.ledgers)
    expect(all).toBe(entryLines + blank + damaged.length + control)
  return { contents, notices: reading.notices }
}

const pageIn = async (home: string) =>
  (await storeAt(home).readPage('garden', 'end', 50)).rows.map((row) =>
    row.type === 'entry' ? row.entry.content : undefined,
  )

async function appendTo(home: string, text: string, disk: Disk = nodeDisk, nowMs = startMs) {
  const noticed: string[] = []
  const writer = await storeAt(home, disk, nowMs, noticed).openWriter('garden', { create: false })
  try {
    await writer.append(message(text))
  } finally {
    await writer.close()
  }
  return noticed
}

function bytesBelow(folder: string): Readonly<Record<string, string>> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile())
  return Object.fromEntries(
    files.map((name) => [name, fs.readFileSync(path.join(folder, name), 'latin1')]),
  )
}

/** What a process that died holds is let go by its death; here the "dead" process is the test's own. */
function burySelf(home: string): void {
  for (const name of fs.readdirSync(home, { recursive: true, encoding: 'utf8' }))
    if (/\.skein-gate|\.state\.skein/.test(name)) fs.rmSync(path.join(home, name))
}

describe('a context of which context.jsonl alone is there', () => {
  const window = lines(anchor, one, two)

  it('is read and listed, and said to be the context window alone; reading changes nothing', async () => {
    const home = homeWith({ 'context.jsonl': window })
    const before = bytesBelow(home)
    const { contents, notices } = await contentsIn(home)
    expect(contents).toEqual(['Context created', 'one', 'two'])
    expect(notices).toEqual([
      'The transcript is missing. Only the current context window is left, and is read from context.jsonl.',
    ])
    expect(await pageIn(home)).toEqual(contents)
    const store = storeAt(home)
    expect((await store.listContexts())[0]).toMatchObject({ bytes: window.length, notices })
    expect((await store.listFiles('garden')).files.map(({ kind, place }) => [kind, place])).toEqual(
      [['window', 'contexts/garden/context.jsonl']],
    )
    expect(await store.windowStart('garden')).toMatchObject({ anchor: 'anchor' })
    expect((await store.verify('garden')).map(({ file, lines: n }) => [file, n])).toEqual([
      ['contexts/garden/context.jsonl', 3],
    ])
    await expect(store.openWriter('garden', { create: true })).rejects.toMatchObject({
      code: 'exists',
    })
    expect(bytesBelow(home)).toEqual(before)
  })

  it('and a context.json beside it, which is not shown: that is said, in the list and over the conversation', async () => {
    const home = homeWith({ 'context.jsonl': window, 'context.json': '{"messages": []}' })
    const { notices } = await contentsIn(home)
    expect(notices).toEqual([
      'The transcript is missing. Only the current context window is left, and is read from context.jsonl. context.json also holds messages, from a very old chibi. They are not shown.',
    ])
    expect((await storeAt(home).listContexts())[0]).toMatchObject({ notices })
    expect((await storeAt(home).readPage('garden', 'end', 9)).notice).toBe(notices[0])
    await appendTo(home, 'three')
    expect((await contentsIn(home)).notices).toEqual([
      'context.json also holds messages, from a very old chibi. They are not shown.',
    ])
    expect(textOf(home, 'context.json')).toBe('{"messages": []}')
  })

  it('begins its transcript with these bytes when somebody writes to it', async () => {
    const home = homeWith({ 'context.jsonl': window })
    expect(await appendTo(home, 'three')).toEqual([
      'The transcript was missing: it now begins with the lines of context.jsonl.',
    ])
    expect(textOf(home, 'transcript/active.jsonl').startsWith(window)).toBe(true)
    expect(await contentsIn(home)).toEqual({
      contents: ['Context created', 'one', 'two', 'three'],
      notices: [],
    })
    expect(textOf(home, 'context.jsonl').startsWith(window)).toBe(true)
    expect(await appendTo(home, 'four')).toEqual([])
  })

  it.each([
    ['.dirty', { '.dirty': '' }],
    ['a compaction that was cut off', { 'compacting.skein.json': 'torn' }],
    ['a transcript without bytes', { 'transcript/active.jsonl': '' }],
    ['a transcript.md of older messages', { 'transcript.md': '[USER]: long ago\n\n' }],
  ])('keeps its words beside %s, when its window is cleared', async (_, more) => {
    const home = homeWith({ 'context.jsonl': window, ...more })
    await appendTo(home, 'three')
    await storeAt(home).contexts.clear('garden')
    const { contents } = await contentsIn(home)
    expect(contents.filter((text) => text !== 'Context created')).toEqual([
      'one',
      'two',
      'three',
      'Context archived/cleared',
    ])
    // Where the transcript goes again, this is what is left; what was said before stands in the file that took it in.
    expect(textOf(home, 'context.jsonl')).not.toContain('one')
    expect(textOf(home, 'transcript/active.jsonl')).toContain(`${one}\n`)
  })

  const faults: readonly FaultPlan[] = [
    { fault: 'no-space' },
    { fault: 'io' },
    { fault: 'done-then-io' },
    { fault: 'short-write', forEver: true },
  ]
  it.each(faults)(
    'loses and doubles none of its words, whichever call fails ($fault, for ever: $forEver)',
    async (plan) => {
      const tried = await atEveryCall(plan, async (disk) => {
        const home = homeWith({ 'context.jsonl': window, '.dirty': '' })
        await storeAt(home, disk)
          .contexts.clear('garden')
          .catch(() => {})
        burySelf(home)
        expect((await contentsIn(home)).contents.slice(0, 3)).toEqual([
          'Context created',
          'one',
          'two',
        ])
        await appendTo(home, 'after', nodeDisk, laterMs)
        const { contents } = await contentsIn(home)
        const words = contents.filter((text) => text !== undefined)
        expect(words.slice(0, 3)).toEqual(['Context created', 'one', 'two'])
        expect(words.at(-1)).toBe('after')
        expect(words.length).toBe(new Set(words).size)
      })
      expect(tried).toBeGreaterThan(25)
    },
  )
})

describe('a context.jsonl that has what the transcript lacks', () => {
  it('shows its end behind the transcript, and says how much that is and why', async () => {
    const home = homeWith({
      'transcript/active.jsonl': lines(anchor, one),
      'context.jsonl': lines(one, two, three),
    })
    const { contents, notices } = await contentsIn(home)
    expect(contents).toEqual(['Context created', 'one', 'two', 'three'])
    expect(notices).toEqual([
      'The last 2 lines are only in context.jsonl: the transcript ends earlier, as after a power failure or in a partial copy.',
    ])
    expect(await pageIn(home)).toEqual(contents)
    expect((await storeAt(home).readPage('garden', 'end', 1)).notice).toBe(notices[0])
    const first = await storeAt(home).readPage('garden', 'end', 1)
    expect(first.rows).toMatchObject([
      { entry: { content: 'three', file: 'contexts/garden/context.jsonl' } },
    ])
    expect((await storeAt(home).listContexts())[0]?.notices).toEqual(notices)
  })

  it('gives it to the transcript before anything is written', async () => {
    const home = homeWith({
      'transcript/active.jsonl': lines(anchor, one).slice(0, -1),
      'context.jsonl': lines(one, two, three),
    })
    expect(await appendTo(home, 'four')).toEqual([
      '2 lines found only in context.jsonl, as after a power failure or in a partial copy, went into the transcript.',
    ])
    expect(textOf(home, 'transcript/active.jsonl')).toContain(lines(anchor, one, two, three))
    expect(await contentsIn(home)).toEqual({
      contents: ['Context created', 'one', 'two', 'three', 'four'],
      notices: [],
    })
  })

  it('also behind partitions of which the last is gone', async () => {
    const home = homeWith({
      'transcript/partitions/1-2.jsonl': lines(anchor, one),
      'transcript/manifest.json': JSON.stringify({
        partitions: [
          { file: 'partitions/1-2.jsonl', start_ts: 1, end_ts: 2, entry_count: 2 },
          { file: 'partitions/3-4.jsonl', start_ts: 3, end_ts: 4, entry_count: 1 },
        ],
      }),
      'context.jsonl': lines(anchor, one, two),
    })
    expect((await contentsIn(home)).contents).toEqual(['Context created', 'one', 'two'])
    await appendTo(home, 'three')
    expect((await contentsIn(home)).contents).toEqual(['Context created', 'one', 'two', 'three'])
  })

  it.each([
    ['a compaction that went with it', { content: 'Context compacted', entry_type: 'compaction' }],
    ['a clearing that went with it', { content: 'Context archived', entry_type: 'archival' }],
  ])('with %s, so that the window stays what it was', async (_, fields) => {
    const cut = line('cut', fields.content, fields)
    const home = homeWith({
      'transcript/active.jsonl': lines(anchor, one),
      'context.jsonl': lines(cut, two),
    })
    await appendTo(home, 'three')
    expect((await contentsIn(home)).contents).toEqual([
      'Context created',
      'one',
      fields.content,
      'two',
      'three',
    ])
    expect(textOf(home, 'context.jsonl').startsWith(lines(cut, two))).toBe(true)
  })

  it('in its middle, where the transcript is damaged: it is a partition before the window goes', async () => {
    const home = homeWith({
      'transcript/active.jsonl': `${lines(anchor, one)}${two.slice(0, 30)}\n${lines(three)}`,
      'context.jsonl': lines(one, two, three),
    })
    expect(await appendTo(home, 'four')).toEqual([])
    await storeAt(home).contexts.clear('garden')
    expect((await contentsIn(home)).contents).toContain('two')
    await appendTo(home, 'five')
    const { contents } = await contentsIn(home)
    expect([...contents].sort()).toEqual(
      [
        'Context archived/cleared',
        'Context created',
        'five',
        'four',
        'one',
        'three',
        'two',
        undefined,
      ].sort(),
    )
    expect((await storeAt(home).verify('garden')).every(({ ok }) => ok)).toBe(true)
    expect((await storeAt(home).listContexts())[0]?.strays).toEqual([])
  })

  it('as a damaged line with words: the line is kept as it is', async () => {
    const torn = '{"id":"9","timestamp":1,"from":"mira","to":"garden","content":"half a sen'
    const home = homeWith({
      'transcript/active.jsonl': lines(anchor, one),
      'context.jsonl': `${lines(one, two)}${torn}`,
    })
    await appendTo(home, 'three')
    expect(textOf(home, 'transcript/active.jsonl')).toContain(lines(two, torn))
  })
})

describe('metadata that context.jsonl alone has', () => {
  const active = lines(
    anchor,
    one,
    line('2', 'two', { metadata: { model: 'm', usage: { a: 1, b: 2 } } }),
  )
  const metadataIn = async (home: string) => {
    const found: unknown[] = []
    for await (const row of allowGaps(
      (await storeAt(home).readWhole('garden')).rows,
      () => undefined,
    ))
      if (row.type === 'entry' && row.entry.content === 'two') found.push(row.entry.metadata)
    return found
  }

  it.each([
    ['under another id', line('x', 'two', { metadata: { model: 'n' } })],
    ['under the same id', line('2', 'two', { metadata: { model: 'n' } })],
    [
      'beside one that has less',
      lines(line('2', 'two'), line('x', 'two', { metadata: { model: 'n' } })).trim(),
    ],
  ])('%s, is in the transcript before the window is made anew', async (_, own) => {
    const home = homeWith({
      'transcript/active.jsonl': active,
      'context.jsonl': lines(one, own),
      '.dirty': '',
    })
    await appendTo(home, 'three')
    expect(textOf(home, 'transcript/active.jsonl').startsWith(active)).toBe(true)
    expect(await metadataIn(home)).toEqual(
      expect.arrayContaining([{ model: 'm', usage: { a: 1, b: 2 } }, { model: 'n' }]),
    )
    expect(await metadataIn(home)).toHaveLength(2)
  })

  it.each([
    [
      'in another order of its keys',
      line('x', 'two', { metadata: { usage: { b: 2, a: 1 }, model: 'm' } }),
    ],
    ['none, as chibi writes it anew', line('x', 'two')],
    ["but chibi's own", line('x', 'two', { metadata: { transcript_anchor_id: 'anchor' } })],
  ])('is no loss: %s', async (_, same) => {
    const home = homeWith({
      'transcript/active.jsonl': active,
      'context.jsonl': lines(one, same),
      '.dirty': '',
    })
    await appendTo(home, 'three')
    expect(await metadataIn(home)).toHaveLength(1)
  })

  it('is no loss where halves of characters were replaced in the window', async () => {
    const metadata = { 'model\ud800': 'm\udfff', list: ['\ud83d'] }
    const whole = { 'model\ufffd': 'm\ufffd', list: ['\ufffd'] }
    const home = homeWith({
      'transcript/active.jsonl': lines(anchor, line('2', 'two', { metadata })),
      'context.jsonl': lines(line('2', 'two', { metadata: whole })),
      '.dirty': '',
    })
    await appendTo(home, 'three')
    expect(await metadataIn(home)).toHaveLength(1)
  })
})

describe('what looks alike in context.jsonl and is not', () => {
  const summary = 'They spoke of roses, at some length.'
  const compacted = line('c', 'Context compacted', {
    entry_type: 'compaction',
    metadata: { summary },
  })
  const begins = 'X'.repeat(9000)

  it.each([
    ['another text under one id', one, line('1', 'one, changed by hand')],
    ['words around a summary', compacted, line('n', `${summary} And tulips, said she.`)],
    ['damaged lines of one beginning', `${begins} roses`, `${begins} tulips`],
  ])('%s: the transcript has both before the window is made anew', async (_, told, other) => {
    const home = homeWith({
      'transcript/active.jsonl': lines(anchor, told),
      'context.jsonl': lines(anchor, other),
      '.dirty': '',
    })
    await appendTo(home, 'new')
    const active = textOf(home, 'transcript/active.jsonl')
    expect(active.startsWith(lines(anchor, told, other))).toBe(true)
  })
})

describe('a context.jsonl that has nothing of its own', () => {
  it.each([
    ['a line that was cut off, whole in the transcript', `${lines(one, two)}${three.slice(0, 80)}`],
    ['a line that was cut off before its words', `${lines(one, two, three)}{"id":"4","times`],
    ['zeros', `${lines(one, two, three)}\0\0\0\0`],
    [
      'other ids, as chibi writes it',
      lines(line('x', 'one'), line('y', 'two'), line('z', 'three')),
    ],
    ['what was cleared', lines(anchor, one)],
    ['no line', ''],
  ])('with %s, leaves the transcript as it is', async (_, window) => {
    const active = lines(anchor, one, two, three)
    const home = homeWith({ 'transcript/active.jsonl': active, 'context.jsonl': window })
    expect(await pageIn(home)).toEqual(['Context created', 'one', 'two', 'three'])
    expect(await appendTo(home, 'four')).toEqual([])
    expect(textOf(home, 'transcript/active.jsonl').startsWith(active)).toBe(true)
    expect((await contentsIn(home)).contents).toEqual([
      'Context created',
      'one',
      'two',
      'three',
      'four',
    ])
  })

  it("with chibi's message that repeats a summary, which the anchor has", async () => {
    const summary = 'They spoke of roses, at some length.'
    const compacted = line('c', 'Context compacted', {
      entry_type: 'compaction',
      metadata: { summary },
    })
    const active = lines(anchor, one, two, compacted)
    const home = homeWith({
      'transcript/active.jsonl': active,
      'context.jsonl': lines(compacted, line('n', `Go on.\n\n--- SUMMARY ---\n${summary}`)),
    })
    expect((await contentsIn(home)).contents).toHaveLength(4)
    expect(await appendTo(home, 'three')).toEqual([])
  })

  it('with the same words three times, of which the transcript has two: the third is its own', async () => {
    const yes = ['a', 'b'].map((id) => line(id, 'yes'))
    const home = homeWith({
      'transcript/active.jsonl': lines(anchor, ...yes),
      'context.jsonl': lines(line('x', 'yes'), line('y', 'yes'), line('z', 'yes')),
    })
    await appendTo(home, 'four')
    const { contents } = await contentsIn(home)
    expect(contents.filter((text) => text === 'yes')).toHaveLength(3)
  })

  it.each(['home-v05', 'home-v09', 'home-v010'])('in any context of %s', async (name) => {
    const home = path.join(temp(), 'home')
    fs.cpSync(path.join(__dirname, '../../../fixtures/chibi', name), home, { recursive: true })
    const noticed: string[] = []
    const store = storeAt(home, nodeDisk, startMs, noticed)
    for (const { name: context } of await store.listContexts())
      await store
        .openWriter(context, { create: false, waitMs: 0 })
        .then((writer) => writer.close())
        .catch(() => {})
    expect(noticed.filter((notice) => notice.includes('context.jsonl'))).toEqual([])
  })
})

describe("a transcript/context.jsonl, as chibi's first partitions had it", () => {
  const [file, active] = ['transcript/context.jsonl', 'transcript/active.jsonl']

  it('is the active partition where there is no manifest', async () => {
    const home = homeWith({ [file]: lines(anchor, one) })
    expect(await contentsIn(home)).toEqual({ contents: ['Context created', 'one'], notices: [] })
    await appendTo(home, 'two')
    expect(textOf(home, file).startsWith(lines(anchor, one))).toBe(true)
    expect((await contentsIn(home)).contents).toEqual(['Context created', 'one', 'two'])
    expect(fs.existsSync(inGarden(home, active))).toBe(false)
  })

  it('is archived like any other, and nothing beside it is hidden', async () => {
    const home = homeWith({ [file]: lines(anchor, one), [active]: lines(four) })
    const { contents, notices } = await contentsIn(home)
    expect([...contents].sort()).toEqual(['Context created', 'four', 'one'])
    expect(notices).toEqual(['active.jsonl is not the active partition here; it was read anyway.'])
    const policy = { ...defaultRotationPolicy, maxEntries: 3 }
    const store = openStore({ home, disk: nodeDisk, storagePolicy: async () => policy })
    const writer = await store.openWriter('garden', { create: false })
    await writer.append(message('two'))
    await writer.append(message('three'))
    await writer.close()
    const after = await contentsIn(home)
    expect([...after.contents].sort()).toEqual(['Context created', 'four', 'one', 'three', 'two'])
    expect(after.notices).toEqual([])
  })
})
