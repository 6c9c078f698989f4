import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../../src/main/disk/app-disk'
import type { HistoryReader, SourceRef } from '../../../../../src/main/readers/common/reader'
import { historyDisk } from '../../../../../src/main/readers/history-disk'
import { readers } from '../../../../../src/main/readers/index'
import { AppError } from '../../../../../src/shared/model/basics/errors'
import { allowGaps } from '../../../../../src/shared/model/conversation/reading'
import { folderState, hasSqlite3, writeDatabase } from '../../../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../../../support/temp-folder'

const fixtures = path.join(__dirname, '../../../../fixtures/readers')
const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const { signal } = new AbortController()

/** Systems whose fixture is one database, with its rows beside the folder. */
const systems = readers.flatMap((reader) => {
  const folder = path.join(fixtures, reader.id)
  const rows = path.join(folder, 'rows.sql')
  const names = fs.existsSync(rows) ? fs.readdirSync(path.join(folder, 'input')) : []
  const [database] = names.filter((name) => name.endsWith('.db'))
  return database !== undefined && names.every((name) => name.startsWith(database))
    ? [{ id: reader.id, reader, database, input: path.join(folder, 'input'), rows }]
    : []
})

interface Told {
  readonly refs: readonly SourceRef[]
  /** Of entries, with their conversation. */
  readonly texts: readonly string[]
  /** Of the same. */
  readonly ids: readonly string[]
  /** Why not all could be read. */
  readonly faults: readonly string[]
}

/** All that can be read under a root; only the errors that a reader may have. */
async function told(reader: HistoryReader, root: string): Promise<Told> {
  const refs: SourceRef[] = []
  const texts: string[] = []
  const ids: string[] = []
  const faults: string[] = []
  const note = (error: unknown) => {
    if (!(error instanceof AppError)) throw error
    faults.push(error.message)
  }
  try {
    for await (const ref of reader.list(root, disk, signal)) refs.push(ref)
  } catch (error) {
    note(error)
  }
  for (const ref of refs)
    try {
      const onGap = ({ sentence }: { readonly sentence: string }) => void faults.push(sentence)
      for await (const fact of allowGaps(reader.read(ref, disk, signal), onGap))
        if (fact.type === 'entry') {
          ids.push(`${ref.key} ${fact.entry.id}`)
          texts.push(`${ref.key} ${fact.entry.content}`)
        }
    } catch (error) {
      note(error)
    }
  return { refs, texts, ids, faults }
}

function copyOf(input: string): string {
  const root = path.join(temp(), 'root')
  fs.cpSync(input, root, { recursive: true })
  return root
}

it('are read of at least one system', () => {
  expect(systems.length).toBeGreaterThan(0)
})

describe.each(systems)('$id', ({ reader, database, input, rows }) => {
  it('lists each conversation with the size and state that its file has', async () => {
    const { refs } = await told(reader, input)
    expect(refs.length).toBeGreaterThan(0)
    for (const ref of refs)
      for (const { file, bytes, mtimeMs, identity } of ref.files) {
        const stat = await disk.stat(path.join(ref.root, file))
        expect(stat).toMatchObject({ sizeBytes: bytes, mtimeMs, identity })
        const opened = await disk.open(path.join(ref.root, file), 'read')
        const into = new Uint8Array(bytes + 100)
        expect(await opened.read(into, 0)).toBe(bytes)
        await opened.close()
      }
  })

  it('tells nothing that is not in it, wherever its files end, and changes none of them', async () => {
    const whole = await told(reader, input)
    const files = fs.readdirSync(input)
    for (const name of files) {
      const bytes = fs.readFileSync(path.join(input, name))
      const step = Math.ceil(bytes.length / 16)
      for (let end = 0; end < bytes.length; end += step) {
        const root = copyOf(input)
        fs.writeFileSync(path.join(root, name), bytes.subarray(0, end))
        const before = folderState(root)
        const { texts } = await told(reader, root)
        expect(whole.texts).toEqual(expect.arrayContaining([...texts]))
        expect(folderState(root)).toBe(before)
      }
    }
  })

  it.skipIf(!hasSqlite3)(
    'tells what is on the other pages where one is damaged, and says that some is missing',
    async () => {
      const root = temp()
      const file = path.join(root, database)
      writeDatabase(file, fs.readFileSync(rows, 'utf8'))
      const whole = await told(reader, root)
      expect(whole.texts.length).toBeGreaterThan(0)
      const bytes = fs.readFileSync(file)
      const pageBytes = 4096
      const isWhole = (text = '') => whole.texts.includes(text)
      let isSeenInPart = false
      for (let at = pageBytes; at < bytes.length; at += pageBytes) {
        const damaged = Buffer.from(bytes)
        damaged.fill(0xa5, at, at + pageBytes)
        fs.writeFileSync(file, damaged)
        const before = folderState(root)
        const { texts, ids, faults } = await told(reader, root)
        // What is in two places may be an earlier state of it in one of them, or have another id there.
        const strange = ids.filter((id, n) => !whole.ids.includes(id) && !isWhole(texts[n]))
        expect(strange).toEqual([])
        if (ids.length < whole.ids.length) expect(faults).not.toEqual([])
        isSeenInPart ||= ids.length > 0 && ids.length < whole.ids.length
        expect(folderState(root)).toBe(before)
      }
      expect(isSeenInPart).toBe(true)
    },
  )

  it.skipIf(!hasSqlite3)(
    'has other conversations once another database is in its place',
    async () => {
      const root = copyOf(input)
      const before = await told(reader, root)
      const other = path.join(temp(), database)
      const text = fs.readFileSync(rows, 'utf8')
      writeDatabase(
        other,
        text.replaceAll(/\b(hive|bees|Bees|thread)\b/g, (word) => [...word].reverse().join('')),
      )
      fs.rmSync(path.join(root, `${database}-wal`), { force: true })
      fs.renameSync(other, path.join(root, database))
      const after = await told(reader, root)
      expect(after.texts).not.toEqual(before.texts)
      const identities = (refs: readonly SourceRef[]) => refs.map(({ files }) => files[0]?.identity)
      for (const identity of identities(after.refs))
        expect(identities(before.refs)).not.toContain(identity)
    },
  )
})
