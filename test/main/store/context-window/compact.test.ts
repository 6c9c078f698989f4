import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { compactWindow, type NewWindow } from '../../../../src/main/store/context-window/compact'
import { readContextWindow } from '../../../../src/main/store/context-window/read-window'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import type { EntryId } from '../../../../src/shared/model/conversation/entry'
import { checkHome } from '../../../support/chibi-checker/home'
import { type FaultPlan, faultyDisk } from '../../../support/faulty-disk'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const startMs = 1_780_000_000_000

function storeAt(home: string, disk: Disk = nodeDisk, nowMs = startMs, maxEntries = 1000) {
  const policy = { ...defaultRotationPolicy, maxEntries }
  return openStore({ home, disk, now: () => nowMs, storagePolicy: async () => policy })
}

const said = (n: number) => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}` as EntryId,
  timestamp: Math.floor(startMs / 1000),
  from: n % 2 === 1 ? 'user' : 'garden',
  to: n % 2 === 1 ? 'garden' : 'user',
  content: `word ${n}`,
  entry_type: 'message',
  role: n % 2 === 1 ? ('user' as const) : ('agent' as const),
})

async function filled(home: string, count = 6, maxEntries = 1000): Promise<void> {
  const writer = await storeAt(home, nodeDisk, startMs, maxEntries).openWriter('garden', {
    create: true,
  })
  for (let n = 1; n <= count; n++) await writer.append(said(n))
  await writer.close()
}

const keeping = (...kept: readonly number[]): NewWindow => ({
  summary: 'They spoke of words.',
  replacesSummary: true,
  kept: kept.map((n) => said(n).id),
  metadata: { compaction: { mode: 'rolling' } },
})

const folder = (home: string) => path.join(home, 'contexts/garden')
const linesIn = (file: string): readonly { content: string; entry_type: string }[] =>
  fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const inWindowFile = (home: string) =>
  linesIn(path.join(folder(home), 'context.jsonl')).map(({ content }) => content)
const inWindow = async (home: string) =>
  (await readContextWindow(nodeDisk, home, 'garden', 'refuse')).map(({ content }) => content)
const summaryOf = (home: string) => {
  const file = path.join(folder(home), 'summary.md')
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined
}

async function compacted(
  home: string,
  window: NewWindow,
  disk: Disk = nodeDisk,
  maxEntries = 1000,
) {
  const writer = await storeAt(home, disk, startMs, maxEntries).openWriter('garden', {
    create: false,
  })
  try {
    return await compactWindow({ disk, home, writer, now: () => startMs }, window)
  } finally {
    await writer.close()
  }
}

describe('a new window', () => {
  it('holds the anchor, what it keeps, and what follows; the transcript says nothing twice', async () => {
    const home = temp()
    await filled(home)
    await compacted(home, keeping(3, 4, 6))
    const writer = await storeAt(home).openWriter('garden', { create: false })
    await writer.append(said(7))
    await writer.close()
    const wanted = ['Context compacted', 'word 3', 'word 4', 'word 6', 'word 7']
    expect(await inWindow(home)).toEqual(wanted)
    expect(inWindowFile(home)).toEqual(wanted)
    expect(summaryOf(home)).toBe('They spoke of words.')
    expect(linesIn(path.join(folder(home), 'transcript/active.jsonl'))).toHaveLength(9)
    expect(checkHome(home)).toEqual([])
  })

  it('begins where the store says, also in an archived partition, and names what it keeps', async () => {
    const home = temp()
    await filled(home, 6, 4)
    expect(await storeAt(home).windowStart('garden')).toMatchObject({ bytesBefore: 0, kept: [] })
    const anchor = await compacted(home, keeping(2, 6), nodeDisk, 4)
    const writer = await storeAt(home, nodeDisk, startMs, 4).openWriter('garden', { create: false })
    for (let n = 7; n <= 12; n++) await writer.append(said(n))
    await writer.close()
    const start = await storeAt(home).windowStart('garden')
    expect(start).toMatchObject({ anchor: anchor.id, kept: [said(2).id, said(6).id] })
    const page = await storeAt(home).readPage('garden', 'start', 500)
    const at = page.rows.findIndex((row) => row.type === 'entry' && row.entry.id === anchor.id)
    expect(at).toBeGreaterThan(0)
    const before = page.rows
      .slice(0, at)
      .map((row) => (row.type === 'entry' ? row.entry : row.damaged))
    expect(start?.bytesBefore).toBe(before.reduce((sum, { length }) => sum + length + 1, 0))
    await expect(storeAt(home).windowStart('shed')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('keeps through rotations and further compactions what each of them kept', async () => {
    const home = temp()
    await filled(home, 8, 3)
    await compacted(home, keeping(2, 7, 8), nodeDisk, 3)
    await compacted(home, { ...keeping(2, 8), summary: 'More.' }, nodeDisk, 3)
    expect(await inWindow(home)).toEqual(['Context compacted', 'word 2', 'word 8'])
    expect(inWindowFile(home)).toEqual(['Context compacted', 'word 2', 'word 8'])
    expect(checkHome(home)).toEqual([])
    await compacted(home, { ...keeping(), summary: 'All.' }, nodeDisk, 3)
    expect(inWindowFile(home)).toEqual(['Context compacted'])
    expect(summaryOf(home)).toBe('All.')
    expect(checkHome(home)).toEqual([])
  })

  it('leaves to transcript.md what it drops, so that every word is there once', async () => {
    const home = temp()
    const page = path.join(folder(home), 'transcript.md')
    const say = async (...numbers: readonly number[]) => {
      const writer = await storeAt(home).openWriter('garden', { create: false })
      for (const n of numbers) await writer.append(said(n))
      await writer.close()
    }
    await filled(home, 1)
    await storeAt(home).contexts.clear('garden', { withPage: true })
    await say(3, 5, 7)
    await compacted(home, keeping(5))
    await say(9)
    await compacted(home, { ...keeping(), summary: 'All.' })
    await say(11)
    await storeAt(home).contexts.clear('garden')
    expect(fs.readFileSync(page, 'utf8')).toBe(
      [1, 3, 7, 5, 9, 11].map((n) => `[USER]: word ${n}\n\n`).join(''),
    )
    expect(checkHome(home)).toEqual([])
  })

  it('makes no transcript.md where there is none', async () => {
    const home = temp()
    await filled(home, 2)
    await compacted(home, keeping())
    expect(fs.existsSync(path.join(folder(home), 'transcript.md'))).toBe(false)
  })

  it('brings its summary where another program has appended right before its anchor', async () => {
    const home = temp()
    await filled(home)
    fs.writeFileSync(path.join(folder(home), 'summary.md'), 'Of chibi.')
    const writer = await storeAt(home).openWriter('garden', { create: false })
    const line = `${JSON.stringify({ ...said(7), id: said(8).id })}\n`
    fs.appendFileSync(path.join(folder(home), 'transcript/active.jsonl'), line)
    await compactWindow({ disk: nodeDisk, home, writer, now: () => startMs }, keeping(6))
    expect(summaryOf(home)).toBe('They spoke of words.')
    expect(inWindowFile(home)).toEqual(['Context compacted', 'word 6'])
    expect(fs.existsSync(path.join(folder(home), 'compacting.skein.json'))).toBe(false)
    await writer.close()
    expect(checkHome(home)).toEqual([])
  })

  it('keeps a summary that was replaced on the anchor, and leaves summary.md where it shall', async () => {
    const home = temp()
    await filled(home)
    fs.writeFileSync(path.join(folder(home), 'summary.md'), 'Of chibi.')
    const entry = await compacted(home, keeping(6))
    expect(entry.metadata?.replaced_summary).toBe('Of chibi.')
    const next = await compacted(home, {
      ...keeping(),
      summary: '1 message.',
      replacesSummary: false,
    })
    expect(next.metadata?.replaced_summary).toBeUndefined()
    expect(summaryOf(home)).toBe('They spoke of words.')
  })

  it('is brought to its end by the next writer, also when chibi wrote in between', async () => {
    const home = temp()
    await filled(home)
    const before = fs.readFileSync(path.join(folder(home), 'context.jsonl'))
    const entry = await compacted(home, keeping(5, 6))
    // As a crash right after the anchor leaves it, and chibi appends to both files.
    fs.rmSync(path.join(folder(home), 'summary.md'))
    fs.writeFileSync(
      path.join(folder(home), 'compacting.skein.json'),
      JSON.stringify({ anchor: entry.id, summary: true }),
    )
    const line = `${JSON.stringify(said(7))}\n`
    fs.writeFileSync(
      path.join(folder(home), 'context.jsonl'),
      Buffer.concat([before, Buffer.from(line)]),
    )
    fs.appendFileSync(path.join(folder(home), 'transcript/active.jsonl'), line)
    await (await storeAt(home).openWriter('garden', { create: false })).close()
    expect(inWindowFile(home)).toEqual(['Context compacted', 'word 5', 'word 6', 'word 7'])
    expect(summaryOf(home)).toBe('They spoke of words.')
    expect(checkHome(home)).toEqual([])
  })
})

const faults: readonly FaultPlan[] = [
  { fault: 'no-space' },
  { fault: 'short-write' },
  { fault: 'done-then-io' },
  { fault: 'io', forEver: true },
  { fault: 'short-write', forEver: true },
]

describe.each(faults)('with $fault (for ever: $forEver) at any change of the disk', (plan) => {
  it('the window is the old one or the new one, and a later writer finds it whole', async () => {
    const base = temp()
    await filled(base)
    const old = ['word 1', 'word 2', 'word 3', 'word 4', 'word 5', 'word 6']
    const found = { old: 0, new: 0 }
    for (let at = 1; ; at++) {
      const home = temp()
      fs.cpSync(base, home, { recursive: true })
      const disk = faultyDisk(nodeDisk, { ...plan, at })
      const outcome = await compacted(home, keeping(4, 6), disk).then(
        () => true,
        () => false,
      )
      if (disk.calls() < at) break
      // What chibi would find: one of the two, and of the summaries the new one never without its window's end.
      const there = inWindowFile(home)
      const isNew = there[0] === 'Context compacted'
      expect(there).toEqual(isNew ? ['Context compacted', 'word 4', 'word 6'] : old)
      if (isNew) expect(summaryOf(home)).toBe('They spoke of words.')
      // What a later one of ours makes of it.
      for (const name of fs.readdirSync(home, { recursive: true, encoding: 'utf8' }))
        if (/\.skein-gate|\.state\.skein/.test(name)) fs.rmSync(path.join(home, name))
      await (
        await storeAt(home, nodeDisk, startMs + 120_000).openWriter('garden', { create: false })
      ).close()
      const after = await inWindow(home)
      const isCompacted = after[0] === 'Context compacted'
      expect(after.slice(1)).toEqual(isCompacted ? ['word 4', 'word 6'] : old)
      if (outcome) expect(isCompacted).toBe(true)
      expect(summaryOf(home)).toBe(isCompacted ? 'They spoke of words.' : undefined)
      // What was torn stays, in the active partition or in the one that it was archived as.
      const torn = (fault: string) =>
        /transcript\/.*\.jsonl(:\d+: is no JSON|: does not end in a line feed)/.test(fault)
      const left = checkHome(home, { temporaries: true }).filter((fault) => !torn(fault))
      expect(left).toEqual([])
      found[isCompacted ? 'new' : 'old']++
    }
    expect(found.old).toBeGreaterThan(3)
    expect(found.new).toBeGreaterThan(3)
  })
})
