import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { inlineWorkers } from '../../../src/main/search/workers'
import { acquireBuildLease } from '../../../src/main/segments/build/build-lease'
import type { FileCoverage } from '../../../src/main/segments/coverage/coverage'
import { SegmentIndex } from '../../../src/main/segments/segment-index'
import { faultyDisk } from '../../support/faulty-disk'
import { type CorpusEntry, lineOf, searchFile, writeEntries } from '../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const folder = tempFolders(memoryFolder)
const segmentSize = 2000

const entries = (first: number, count: number, word = 'filler'): CorpusEntry[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `e${first + n}`,
    content: `entry ${first + n} ${`${word} `.repeat(20)}`,
    timestamp: 1_760_000_000 + first + n,
  }))

const linesOf = (list: readonly CorpusEntry[]) => list.map((entry) => `${lineOf(entry)}\n`).join('')

function openIndex(cache: string, disk = nodeDisk) {
  const index = new SegmentIndex(disk, searchDecoders, cache)
  const workers = inlineWorkers(disk, searchDecoders, segmentSize)
  return {
    index,
    build: (signal?: AbortSignal) =>
      index.build((files, target, abort) => workers.build(files, target, abort), {
        all: true,
        signal,
      }),
    async coverage(file: string, own?: { offset: number; line: number }): Promise<FileCoverage> {
      await index.refresh([searchFile(file, own === undefined ? {} : { own })])
      return index.files[0] as FileCoverage
    },
  }
}

/** What of a file is covered: bytes, the line after them, and whether its runs follow one another. */
function told({ runs, end, endLine, file }: FileCoverage) {
  const gaps = runs.filter((run, n) => run.from !== (runs[n - 1]?.to ?? file.own?.offset ?? 0))
  return { end, endLine, runs: runs.length > 1, gaps: gaps.length }
}

describe('the index', () => {
  it('covers a file whole, and counts its lines', async () => {
    const where = folder()
    const file = writeEntries(where, 'a.jsonl', entries(0, 50))
    const { build, coverage } = openIndex(`${where}/cache`)
    expect(told(await coverage(file))).toEqual({ end: 0, endLine: 1, runs: false, gaps: 0 })
    expect(await build()).toBe(true)
    const size = fs.statSync(file).size
    expect(told(await coverage(file))).toEqual({ end: size, endLine: 51, runs: true, gaps: 0 })
  })

  it('is there for another process, and after a restart', async () => {
    const where = folder()
    const file = writeEntries(where, 'a.jsonl', entries(0, 50))
    const first = openIndex(`${where}/cache`)
    const second = openIndex(`${where}/cache`)
    await first.coverage(file)
    await second.coverage(file)
    await first.build()
    expect((await second.coverage(file)).end).toBe(fs.statSync(file).size)
  })

  it('goes on where it ended when a file grows, under the same chain', async () => {
    const where = folder()
    const file = writeEntries(where, 'a.jsonl', entries(0, 50))
    const { build, coverage } = openIndex(`${where}/cache`)
    await coverage(file)
    await build()
    const before = await coverage(file)
    fs.appendFileSync(file, linesOf(entries(50, 30)))
    const grown = await coverage(file)
    expect([grown.end, grown.endLine, grown.chain]).toEqual([before.end, 51, before.chain])
    await build()
    const after = await coverage(file)
    expect([told(after), after.chain]).toEqual([
      { end: fs.statSync(file).size, endLine: 81, runs: true, gaps: 0 },
      before.chain,
    ])
  })

  it('takes a last line without line feed, and reads it again when it goes on', async () => {
    const where = folder()
    const file = `${where}/a.jsonl`
    const text = linesOf(entries(0, 20))
    fs.writeFileSync(file, text.slice(0, -1))
    const { build, coverage } = openIndex(`${where}/cache`)
    await coverage(file)
    await build()
    expect((await coverage(file)).end).toBe(fs.statSync(file).size)
    fs.appendFileSync(file, ` \n${linesOf(entries(20, 3))}`)
    const grown = await coverage(file)
    expect([grown.end, grown.endLine]).toEqual([text.lastIndexOf('\n', text.length - 2) + 1, 20])
  })

  it.each<[string, (file: string) => void]>([
    ['was cut', (file) => fs.truncateSync(file, 1000)],
    [
      'has the same size and other bytes',
      (file) =>
        fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('filler', 'killer')),
    ],
    [
      'grew and had a byte put in',
      (file) =>
        fs.writeFileSync(file, `x${fs.readFileSync(file, 'utf8')}${linesOf(entries(50, 3))}`),
    ],
    [
      'grew and had a line taken out in the middle',
      (file) => {
        const lines = fs.readFileSync(file, 'utf8').split('\n')
        lines.splice(20, 1)
        fs.writeFileSync(file, lines.join('\n') + linesOf(entries(50, 9)))
      },
    ],
    [
      'grew and had a word changed in the middle, as long as before',
      (file) => {
        const lines = fs.readFileSync(file, 'utf8').split('\n')
        lines[25] = lines[25]?.replace('filler', 'killer') ?? ''
        fs.writeFileSync(file, lines.join('\n') + linesOf(entries(50, 9)))
      },
    ],
    [
      'was replaced',
      (file) => {
        fs.writeFileSync(`${file}.new`, linesOf(entries(0, 60, 'other')))
        fs.renameSync(`${file}.new`, file)
      },
    ],
  ])('trusts nothing of a file that %s, until it is built again', async (_, change) => {
    const where = folder()
    const file = writeEntries(where, 'a.jsonl', entries(0, 50))
    const { build, coverage } = openIndex(`${where}/cache`)
    await coverage(file)
    await build()
    const { chain } = await coverage(file)
    change(file)
    const later = new Date(Date.now() + 5000)
    fs.utimesSync(file, later, later)
    expect((await coverage(file)).end).toBe(0)
    await build()
    const again = await coverage(file)
    expect(again.end).toBe(fs.statSync(file).size)
    expect(again.chain).not.toBe(chain)
  })

  it('begins where the own entries of a conversation begin', async () => {
    const where = folder()
    const file = writeEntries(where, 'a.jsonl', entries(0, 50))
    const offset = Buffer.byteLength(linesOf(entries(0, 20)))
    const { build, coverage } = openIndex(`${where}/cache`)
    const own = { offset, line: 21 }
    await coverage(file, own)
    await build()
    expect(told(await coverage(file, own))).toEqual({
      end: fs.statSync(file).size,
      endLine: 51,
      runs: true,
      gaps: 0,
    })
    // What begins earlier is not covered by it.
    expect((await coverage(file)).end).toBe(0)
  })

  it('joins many small parts, and drops what no file needs any more', async () => {
    const where = folder()
    const { index, build } = openIndex(`${where}/cache`)
    const files: string[] = []
    for (let n = 0; n < 24; n++) {
      files.push(writeEntries(where, `${n}.jsonl`, entries(n, 5)))
      await index.refresh(files.map((file) => searchFile(file)))
      await build()
      expect(index.progress().coveredBytes).toBe(index.progress().totalBytes)
    }
    expect(index.progress().parts).toBeLessThan(12)
    for (const file of files.splice(1)) fs.rmSync(file)
    await index.refresh(files.map((file) => searchFile(file)))
    await build()
    expect(index.progress().parts).toBe(1)
    const names = fs.readdirSync(`${where}/cache`).filter((name) => name.endsWith('.part'))
    expect(names).toHaveLength(1)
  })

  it('leaves parts alone that serve files which only another process searches', async () => {
    const where = folder()
    const [a, b] = [
      writeEntries(where, 'a.jsonl', entries(0, 20)),
      writeEntries(where, 'b.jsonl', entries(20, 20)),
    ]
    const first = openIndex(`${where}/cache`)
    await first.coverage(a)
    await first.build()
    const second = openIndex(`${where}/cache`)
    await second.coverage(b)
    await second.build()
    expect((await first.coverage(a)).end).toBe(fs.statSync(a).size)
    expect((await second.coverage(b)).end).toBe(fs.statSync(b).size)
  })

  it('is built by one process at a time', async () => {
    const where = folder()
    const file = writeEntries(where, 'a.jsonl', entries(0, 20))
    const { build, coverage } = openIndex(`${where}/cache`)
    await coverage(file)
    fs.mkdirSync(`${where}/cache`)
    const lease = await acquireBuildLease(nodeDisk, `${where}/cache/builder.json`)
    expect(await build()).toBe(false)
    await lease?.release()
    expect(await build()).toBe(true)
  })

  it('takes over from a builder that died', async () => {
    const where = folder()
    const file = writeEntries(where, 'a.jsonl', entries(0, 20))
    const { build, coverage } = openIndex(`${where}/cache`)
    await coverage(file)
    fs.mkdirSync(`${where}/cache`)
    await acquireBuildLease(nodeDisk, `${where}/cache/builder.json`)
    const held = JSON.parse(fs.readFileSync(`${where}/cache/builder.json`, 'utf8'))
    held.token = 'of another'
    held.owner.startTime = '1'
    held.beat = 0
    fs.writeFileSync(`${where}/cache/builder.json`, JSON.stringify(held))
    expect(await build()).toBe(true)
  })

  it('builds again what is damaged or of another version', async () => {
    const where = folder()
    const file = writeEntries(where, 'a.jsonl', entries(0, 50))
    const first = openIndex(`${where}/cache`)
    await first.coverage(file)
    await first.build()
    const name = fs.readdirSync(`${where}/cache`).find((each) => each.endsWith('.part')) ?? ''
    const bytes = fs.readFileSync(`${where}/cache/${name}`)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    fs.writeFileSync(`${where}/cache/${name}`, bytes)
    const second = openIndex(`${where}/cache`)
    expect((await second.coverage(file)).end).toBe(0)
    await second.build()
    expect((await second.coverage(file)).end).toBe(fs.statSync(file).size)
  })

  it('stays true whichever call of a build fails, and is built by the next one', async () => {
    for (let at = 1; ; at++) {
      const where = folder()
      const file = writeEntries(where, 'a.jsonl', entries(0, 30))
      const disk = faultyDisk(nodeDisk, { at, fault: 'no-space', forEver: true })
      const broken = openIndex(`${where}/cache`, disk)
      await broken.index.refresh([searchFile(file)])
      const failed = await broken.build().then(
        () => false,
        () => true,
      )
      const { build, coverage } = openIndex(`${where}/cache`)
      const { end } = await coverage(file)
      expect([0, fs.statSync(file).size]).toContain(end)
      // The dead builder is this process, which lives: what it held would be held for a minute.
      const names = fs.existsSync(`${where}/cache`) ? fs.readdirSync(`${where}/cache`) : []
      for (const name of names)
        if (/^builder\.json$|\.lock/.test(name)) fs.rmSync(`${where}/cache/${name}`)
      await build()
      expect((await coverage(file)).end).toBe(fs.statSync(file).size)
      if (!failed) break
    }
  })

  it('stops when it is told to', async () => {
    const where = folder()
    const file = writeEntries(where, 'a.jsonl', entries(0, 50))
    const { build, coverage } = openIndex(`${where}/cache`)
    await coverage(file)
    const controller = new AbortController()
    controller.abort()
    await build(controller.signal)
    expect((await coverage(file)).end).toBe(0)
  })

  it('does not trip over a file that cannot be read', async () => {
    const where = folder()
    const [a, b] = [
      writeEntries(where, 'a.jsonl', entries(0, 20)),
      writeEntries(where, 'b.jsonl', entries(20, 20)),
    ]
    const { index, build } = openIndex(`${where}/cache`)
    const files = [searchFile(a), searchFile(b)]
    fs.rmSync(a)
    await index.refresh(files)
    expect(await build()).toBe(true)
    expect(index.files.map(({ end }) => end)).toEqual([0, fs.statSync(b).size])
  })
})
