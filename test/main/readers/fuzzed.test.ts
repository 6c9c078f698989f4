import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Random } from '../../../bench/support/random'
import { appDisk } from '../../../src/main/disk/app-disk'
import type { Disk } from '../../../src/main/disk/interface/disk'
import { unpackingDisk } from '../../../src/main/disk/unpack/unpacking-disk'
import { countHistory } from '../../../src/main/library/count/count'
import { inlineCounter } from '../../../src/main/library/count/counter'
import { openHistories } from '../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../src/main/library/sources/library-transcripts'
import type { HistoryReader } from '../../../src/main/readers/common/reader'
import { historyDisk } from '../../../src/main/readers/history-disk'
import { readers } from '../../../src/main/readers/index'
import { databasesHere } from '../../../src/main/sqlite/databases'
import { openStore } from '../../../src/main/store/open-store'
import { AppError } from '../../../src/shared/model/basics/errors'
import { ConversationKey } from '../../../src/shared/model/conversation/conversation'
import type { PageFrom } from '../../../src/shared/model/conversation/transcript'
import { countingDisk } from '../../support/counting-disk'
import { mutated } from '../../support/fuzz/mutations'
import { type Given, readAnyhow } from '../../support/fuzz/read-root'
import { playRounds } from '../../support/fuzz/rounds'
import { memoryDisk } from '../../support/memory-disk'
import { hasSqlite3, writeDatabase } from '../../support/sqlite3'
import { storedZstd } from '../../support/stored-zstd'
import { memoryFolder, tempFolders } from '../../support/temp-folder'
import { zipped } from '../../support/zipped'

/** Rounds of each system. By hand: `SKEIN_SEED=random SKEIN_TRIALS=100000 npx vitest run test/main/readers/fuzzed.test.ts -t codex`. */
const usual = 1
const fixtures = path.join(__dirname, '../../fixtures/readers')
const temp = tempFolders(memoryFolder)

/** Systems whose files are read packed, too. */
const packed: ReadonlySet<string> = new Set(['codex', 'cycod', 'fluux', 'voicemode'])

/** Files of a root by their paths below it. */
type Files = ReadonlyMap<string, Buffer>

interface Opened {
  readonly disk: Disk
  readonly root: string
  /** Calls of the disk so far. */
  readonly calls: () => number
  /** Bytes of every file as they are now. */
  now(): Files
  close(): Promise<void>
}

function filesOf(folder: string): Files {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile())
  return new Map(files.map((name) => [name, fs.readFileSync(path.join(folder, name))]))
}

/** The fixture of a system; of its databases, those too whose log was written into them. */
function rootsOf({ id }: HistoryReader): readonly Files[] {
  const folder = path.join(fixtures, id)
  const input = path.join(folder, 'input')
  const files = filesOf(fs.existsSync(input) ? input : folder)
  const own = new Map(
    [...files].filter(
      ([name]) => !/^(?:expected\.jsonl|known|new-things\.json|invented\.txt)/.test(name),
    ),
  )
  const databases = [...own.keys()].filter((name) => own.has(`${name}-wal`))
  if (databases.length === 0 || !hasSqlite3) return [own]
  const merged = new Map(own)
  const place = temp()
  for (const name of databases) {
    const at = path.join(place, 'one.db')
    for (const end of ['', '-wal']) fs.writeFileSync(at + end, own.get(name + end) ?? '')
    writeDatabase(at, 'pragma wal_checkpoint(truncate); pragma journal_mode = delete;')
    merged.set(name, fs.readFileSync(at))
    merged.delete(`${name}-wal`)
  }
  return [own, merged]
}

function open(files: Files, isOnDisk: boolean): Opened {
  let calls = 0
  const count = (disk: Disk) =>
    countingDisk(disk, () => {
      calls += 1
    })
  if (!isOnDisk) {
    const memory = memoryDisk()
    for (const [name, bytes] of files) memory.put(path.posix.join('/source', name), bytes)
    const disk = historyDisk(unpackingDisk(count(memory)))
    return { disk, root: '/source', calls: () => calls, now: () => files, close: async () => {} }
  }
  const root = temp()
  for (const [name, bytes] of files) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), bytes)
    // Nobody has just changed it.
    fs.utimesSync(path.join(root, name), 1_790_000_000, 1_790_000_000)
  }
  const databases = databasesHere()
  const disk = historyDisk(count(appDisk), databases)
  return {
    disk,
    root,
    calls: () => calls,
    now: () => filesOf(root),
    async close() {
      await databases.close()
      fs.rmSync(root, { recursive: true })
    },
  }
}

/** Some files changed once to three times; now and then packed, before or behind that. */
function changed(random: Random, files: Files, reader: HistoryReader) {
  const after = new Map(files)
  const how: string[] = []
  for (let times = 1 + random.below(3); times > 0; times--) {
    const names = [...after.keys()]
    const name = names[random.below(names.length)] ?? ''
    const bytes = after.get(name) ?? Buffer.alloc(0)
    const packing = random.below(8)
    if (packing === 0 && packed.has(reader.id) && /\.jsonl$/.test(name)) {
      const [end, pack] = random.pick([
        ['.gz', gzipSync],
        ['.zst', storedZstd],
      ] as const)
      after.delete(name)
      after.set(name + end, Buffer.from(pack(bytes)))
      how.push(`${name}${end}`)
    } else if (packing === 0 && reader.isImported && /\.json$/.test(name)) {
      const isStored = random.below(2) === 0
      const content = { content: bytes, isStored, sizesBehind: random.below(3) === 0 }
      after.delete(name)
      after.set(`${name}.zip`, zipped([{ name: path.posix.basename(name), ...content }]))
      how.push(`${name}.zip`)
    } else {
      const next = mutated(random, bytes)
      after.set(name, next.bytes)
      how.push(`${name}: ${next.how}`)
    }
  }
  return { after, how: how.join('; ') }
}

const linesIn = (bytes: Buffer) => {
  const feeds = bytes.reduce((sum, byte) => sum + (byte === 0x0a ? 1 : 0), 0)
  return feeds + (bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0)
}

/** What names a conversation is a key: one that is none would end the list of the whole library. */
function checkKeys({ refs, facts }: Given): void {
  const named = facts.flatMap((fact) => (fact.type === 'conversation' ? [fact.conversation] : []))
  for (const { key } of [...refs, ...named])
    expect(ConversationKey.safeParse(key).success).toBe(true)
}

/** The ledgers of a root, against its files and against the facts. */
function checkLedgers({ refs, facts, ledgers }: Given, files: Files): void {
  for (const { file, unit, lines, entryLines, control, blank, damaged } of ledgers) {
    expect(lines, `lines of ${file}`).toBe(entryLines + control + blank + damaged.length)
    const bytes = files.get(file)
    if (unit !== 'line' || bytes === undefined || /\.(?:gz|zst)$/.test(file)) continue
    expect(lines, `lines in ${file}`).toBe(linesIn(bytes))
    const places = new Set<number>()
    for (const fact of facts) {
      const place =
        fact.type === 'entry'
          ? fact.entry
          : fact.type === 'damaged'
            ? fact.damaged
            : fact.type === 'control' || fact.type === 'blank'
              ? fact.place
              : undefined
      if (place?.file === file) places.add(place.offset)
    }
    for (const { offset } of damaged) places.add(offset)
    // Lines of no conversation are told of by the ledger alone.
    if (!refs.some((ref) => ref.files.some((one) => one.file === file))) continue
    // Of a message that is written again and again as it grows, its last line tells.
    if (!file.includes('chats/session-')) expect(places.size, `told of ${file}`).toBe(lines)
  }
}

const written = (text: string) => JSON.stringify(text).slice(1, -1)

/** What was shown of the whole root and stands in its files as it did is shown, or something is said. */
function checkShown(before: Given, after: Given, files: Files, reader: HistoryReader): void {
  if (after.told.length > 0) return
  const all = JSON.stringify(after.facts)
  // Exports lie beside other files of a person: one that does not say any more whose it is may be any of these.
  const isIn = (name: string, { refs }: Given) =>
    refs.some(({ files: own }) => own.some(({ file }) => file.startsWith(name)))
  const isNobodys = (name: string) => reader.isImported === true && !isIn(name, after)
  // Nothing tells that a row is missing where a page of a database is another one, or a log ends early: it has no sums.
  const isDatabase = (name: string) => /\.(?:db|vscdb)(?:-wal)?$/.test(name)
  const plain = (name: string) => name.replace(/\.(?:gz|zst|zip)$/, '')
  const known = [...files].filter(
    ([name]) => isIn(plain(name), before) && !isNobodys(name) && !isDatabase(name),
  )
  const bytes = Buffer.concat(known.map(([, one]) => one))
  for (const fact of before.facts) {
    if (fact.type !== 'entry' || fact.entry.content.length < 8) continue
    const text = fact.entry.content
    const forms = [text, written(text), written(written(text))]
    if (forms.some((form) => all.includes(written(form)))) continue
    const stands = forms.some((form) => bytes.includes(form))
    expect(stands, `left out in silence: ${text.slice(0, 200)}`).toBe(false)
  }
}

/** Of each file of lines that was changed: the lines before and behind the change say what they said. */
function checkLines(before: Given, after: Given, was: Files, files: Files): void {
  const unread = after.told.length - after.facts.filter(({ type }) => type === 'damaged').length
  if (unread > 0) return
  for (const { file, unit } of before.ledgers) {
    const [old, now] = [was.get(file), files.get(file)]
    if (unit !== 'line' || old === undefined || now === undefined) continue
    // Where another file has more of the same conversation, that one is read.
    if (!after.ledgers.some((one) => one.file === file)) continue
    const same = Math.min(old.length, now.length)
    let head = 0
    while (head < same && old[head] === now[head]) head++
    let tail = 0
    while (tail < same - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++
    const later = textsByOffset(after, file)
    for (const [offset, texts] of textsByOffset(before, file)) {
      const end = old.indexOf(0x0a, offset)
      const isBefore = end >= 0 && end < head
      const isBehind = offset > old.length - tail
      if (!isBefore && !isBehind) continue
      const place = isBefore ? offset : offset + now.length - old.length
      // Of a line that is in the file twice, one is shown.
      const line = old.subarray(offset, end < 0 ? old.length : end)
      if (later.get(place) === undefined && now.indexOf(line) !== now.lastIndexOf(line)) continue
      expect(later.get(place), `${file}, the line at ${offset}`).toEqual(texts)
    }
  }
}

/** Each text once: a conversation that goes on from another gives its lines too. */
function textsByOffset({ facts }: Given, file: string): ReadonlyMap<number, readonly string[]> {
  const texts = new Map<number, readonly string[]>()
  for (const fact of facts)
    if (fact.type === 'entry' && fact.entry.file === file) {
      const { offset, content } = fact.entry
      texts.set(offset, [...new Set([...(texts.get(offset) ?? []), content])].sort())
    }
  return texts
}

/** Pages from the end, and numbers, of each conversation that a library lists. */
async function readAsLibrary(reader: HistoryReader, { disk, root }: Opened): Promise<void> {
  const store = openStore({ home: root, disk })
  const histories = openHistories(disk, [{ source: reader.id, path: root }])
  const transcripts = openTranscripts({ disk, store, histories })
  for (const history of await histories.list())
    try {
      let pages = 0
      for (let from: PageFrom | undefined = 'end'; from !== undefined; pages++) {
        const page = await transcripts.page(history.key, from, 7)
        expect(page.rows.length > 0 || page.before === undefined, 'a page without rows').toBe(true)
        expect(pages, 'pages').toBeLessThan(5000)
        from = page.before === undefined ? undefined : { before: page.before }
      }
      await countHistory(inlineCounter(disk), disk, history)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
}

describe.each(readers)('$id', (reader) => {
  it('accounts for every line of files that are changed anyhow, shows what is whole in them, and changes none', async () => {
    const roots = rootsOf(reader)
    const isOnDisk = reader.databaseFormats !== undefined
    const whole: { given: Given; calls: number }[] = []
    for (const files of roots) {
      const opened = open(files, isOnDisk)
      const given = await readAnyhow(reader, opened.root, opened.disk)
      whole.push({ given, calls: opened.calls() })
      await opened.close()
    }
    await playRounds(`readers/${reader.id}`, usual, async (random) => {
      const at = random.below(roots.length)
      const [files, before] = [roots[at], whole[at]]
      if (files === undefined || before === undefined) throw new Error('no root')
      const { after, how } = changed(random, files, reader)
      const opened = open(after, isOnDisk)
      try {
        const given = await readAnyhow(reader, opened.root, opened.disk)
        checkKeys(given)
        checkLedgers(given, after)
        checkShown(before.given, given, after, reader)
        checkLines(before.given, given, files, after)
        const size = [...after.values()].reduce((sum, { length }) => sum + length, 0)
        expect(opened.calls(), 'calls of the disk').toBeLessThan(before.calls * 30 + 3000)
        expect(JSON.stringify(given.facts).length, 'characters').toBeLessThan(size * 60 + 400_000)
        await readAsLibrary(reader, opened)
        expect(opened.now()).toEqual(after)
      } catch (error) {
        if (error instanceof Error) error.message += `\n(${how})`
        throw error
      } finally {
        await opened.close()
      }
    })
  })
})
