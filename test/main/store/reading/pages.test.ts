import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { TranscriptFile } from '../../../../src/main/store/core/transcript-file'
import { openStore } from '../../../../src/main/store/open-store'
import { readRowPage } from '../../../../src/main/store/reading/row-page'
import type { Store } from '../../../../src/main/store/store'
import { allowGaps, requireWhole } from '../../../../src/shared/model/conversation/reading'
import {
  type Cursor,
  rowKey,
  type TranscriptRow,
} from '../../../../src/shared/model/conversation/transcript'
import { jsonLine } from '../../../support/entries'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)

/** A context of the given files, by their names in transcript/. */
function contextOf(files: Readonly<Record<string, string | Buffer>>, disk: Disk = nodeDisk) {
  const home = temp()
  const transcript = path.join(home, 'contexts/garden/transcript')
  fs.mkdirSync(path.join(transcript, 'partitions'), { recursive: true })
  for (const [name, content] of Object.entries(files))
    fs.writeFileSync(path.join(transcript, name), content)
  return {
    home,
    transcript,
    active: path.join(transcript, 'active.jsonl'),
    store: openStore({ home, disk }),
  }
}

const lines = (...ids: readonly string[]) => ids.map((id) => `${jsonLine({ id })}\n`).join('')
const idOf = (row: TranscriptRow) =>
  row.type === 'entry' ? row.entry.id : `damaged ${row.damaged.torn ? 'torn' : ''}`.trim()

async function forwardIds(store: Store, limit: number): Promise<string[]> {
  const ids: string[] = []
  for (let from: 'start' | { after: Cursor } = 'start'; ; ) {
    const page = await store.readPage('garden', from, limit)
    ids.push(...page.rows.map(idOf))
    if (page.atEnd) return ids
    from = { after: page.after }
  }
}

async function backwardIds(store: Store, limit: number): Promise<string[]> {
  const ids: string[] = []
  for (let from: 'end' | { before: Cursor } = 'end'; ; ) {
    const page = await store.readPage('garden', from, limit)
    ids.unshift(...page.rows.map(idOf))
    if (page.before === undefined) return ids
    from = { before: page.before }
  }
}

const threeFiles = {
  'partitions/1-3.jsonl': `\n${lines('a', 'b')}  \n${lines('c')}`,
  'partitions/4-5.jsonl': `${lines('d')}rubbish\n${lines('e').trimEnd()}${lines('e2')}`,
  'active.jsonl': `${lines('f')}\n\n${lines('g')}`,
}
const threeFilesIds = ['a', 'b', 'c', 'd', 'damaged', 'damaged', 'e', 'e2', 'f', 'g']

describe('pages', () => {
  it('hold every row once, in order, forward and backward, whatever their size', async () => {
    const { store } = contextOf(threeFiles)
    for (const limit of [1, 2, 3, 7, 100]) {
      expect(await forwardIds(store, limit)).toEqual(threeFilesIds)
      expect(await backwardIds(store, limit)).toEqual(threeFilesIds)
    }
  })

  it('say where they stand', async () => {
    const { store } = contextOf({ 'active.jsonl': lines('a', 'b', 'c') })
    const size = lines('a').length
    const last = await store.readPage('garden', 'end', 2)
    expect(last).toMatchObject({ atEnd: true, totalBytes: 3 * size, bytesBefore: size })
    const first = await store.readPage('garden', { before: last.before ?? last.after }, 2)
    expect(first).toMatchObject({ atEnd: false, bytesBefore: 0 })
    expect('before' in first).toBe(false)
    expect(await store.readPage('garden', { after: last.after }, 2)).toMatchObject({
      rows: [],
      atEnd: true,
    })
    expect((await store.readPage('garden', { after: first.after }, 5)).rows.map(idOf)).toEqual([
      'b',
      'c',
    ])
  })

  it('near any byte go on to both sides without a gap, and have the row that begins there', async () => {
    const { store } = contextOf({ ...threeFiles, 'active.jsonl': `${lines('f', 'g')}{"torn` })
    const all = await forwardIds(store, 100)
    const { totalBytes } = await store.readPage('garden', 'start', 1)
    for (let bytes = 0; bytes <= totalBytes + 13; bytes += 13) {
      const page = await store.readPage('garden', { near: bytes }, 4)
      const above: string[] = []
      for (let from = page.before; from !== undefined; ) {
        const earlier = await store.readPage('garden', { before: from }, 3)
        above.unshift(...earlier.rows.map(idOf))
        from = earlier.before
      }
      const below: string[] = []
      for (let { atEnd, after } = page; !atEnd; ) {
        const later = await store.readPage('garden', { after }, 3)
        below.push(...later.rows.map(idOf))
        ;({ atEnd, after } = later)
      }
      const found = [...above, ...page.rows.map(idOf), ...below]
      expect({ bytes, found }).toEqual({ bytes, found: all })
    }
  })

  it('near a byte begin with the rows before it', async () => {
    const { store } = contextOf({ 'active.jsonl': lines('a', 'b', 'c', 'd', 'e', 'f') })
    const size = lines('a').length
    const near = async (bytes: number) =>
      (await store.readPage('garden', { near: bytes }, 2)).rows.map(idOf)
    expect(await near(0)).toEqual(['a'])
    expect(await near(3 * size)).toEqual(['c', 'd'])
    expect(await near(3 * size - 1)).toEqual(['c', 'd'])
    expect(await near(3 * size + 1)).toEqual(['d', 'e'])
    expect(await near(6 * size)).toEqual(['f'])
  })

  it('of a document count bytes, and near a byte have the message that begins there', async () => {
    const lengths = [10, 4000, 20, 30, 900, 10, 2500, 40]
    const messages = lengths.map((length, at) => ({
      role: 'user',
      content: `${at}`.repeat(length),
    }))
    const json = JSON.stringify({ messages })
    const markdown = messages.map(({ content }) => `[USER]: ${content}\n\n`).join('')
    for (const [name, text] of [
      ['context.json', json],
      ['transcript.md', markdown],
    ] as const) {
      const home = temp()
      const folder = path.join(home, 'contexts/garden')
      fs.mkdirSync(folder, { recursive: true })
      fs.writeFileSync(path.join(folder, name), text)
      const store = openStore({ home, disk: nodeDisk })
      const beginOf = (at: number) =>
        name === 'context.json'
          ? text.indexOf(JSON.stringify(messages[at]))
          : text.indexOf(`[USER]: ${messages[at]?.content}`)
      const contents = (rows: readonly TranscriptRow[]) =>
        rows.map((row) => row.type === 'entry' && row.entry.content)
      for (let at = 1; at < messages.length; at++) {
        for (const near of [beginOf(at), beginOf(at - 1) + 1]) {
          const page = await store.readPage('garden', { near }, 2)
          expect(contents(page.rows)).toEqual([messages[at - 1]?.content, messages[at]?.content])
          const before = at === 1 ? 0 : beginOf(at - 1)
          expect(page).toMatchObject({ totalBytes: text.length, bytesBefore: before })
        }
      }
      const last = await store.readPage('garden', { near: text.length }, 2)
      expect(contents(last.rows)).toEqual([messages.at(-1)?.content])
      expect(last).toMatchObject({ atEnd: true, bytesBefore: beginOf(messages.length - 1) })
      const after = await store.readPage('garden', { after: last.after }, 2)
      expect(after).toMatchObject({ rows: [], bytesBefore: text.length })
    }
  })

  it('count the bytes of a part of a file that others have too from where it begins', async () => {
    const { active, transcript } = contextOf({
      'partitions/1-3.jsonl': lines('x', 'y', 'z', 'a', 'b', 'c'),
      'active.jsonl': lines('v', 'w', 'd', 'e', 'f', 'u'),
    })
    const size = lines('a').length
    const partOf = async (target: string, before: number, to: number): Promise<TranscriptFile> => {
      const { mtimeMs = 0, identity = '' } = (await nodeDisk.stat(target)) ?? {}
      return {
        path: target,
        place: path.basename(target),
        kind: 'active',
        sizeBytes: to * size,
        mtimeMs,
        identity,
        begin: { offset: before * size, line: before + 1 },
      }
    }
    const files = [
      await partOf(path.join(transcript, 'partitions/1-3.jsonl'), 3, 6),
      await partOf(active, 2, 5),
    ]
    const source = { disk: nodeDisk, name: 'garden', files }
    const ids = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const [at, id] of ids.entries()) {
      for (const near of [at * size, at * size - size + 1]) {
        const page = await readRowPage(source, { near }, 2)
        expect(page.rows.map(idOf)).toEqual(at === 0 ? [id] : [ids[at - 1], id])
        const bytesBefore = Math.max(0, at - 1) * size
        expect(page).toMatchObject({ totalBytes: 6 * size, bytesBefore })
      }
    }
    expect(await readRowPage(source, 'start', 2)).toMatchObject({ bytesBefore: 0 })
    expect(await readRowPage(source, 'end', 2)).toMatchObject({ bytesBefore: 4 * size })
    const end = await readRowPage(source, { near: 7 * size }, 2)
    expect([end.rows.map(idOf), end.atEnd]).toEqual([['f'], true])
  })

  it('have no line before them where only blank lines are', async () => {
    const { store } = contextOf({ 'active.jsonl': `\n \n${lines('a')}` })
    expect('before' in (await store.readPage('garden', 'end', 1))).toBe(false)
  })

  it('number the lines when they were counted from the start', async () => {
    const { store } = contextOf({ 'active.jsonl': `\n${lines('a')}\n${lines('b', 'c').trimEnd()}` })
    const numbers = async (limit: number) => {
      const found: unknown[] = []
      for (let from: 'start' | { after: Cursor } = 'start'; ; ) {
        const page = await store.readPage('garden', from, limit)
        found.push(...page.rows.map((row) => row.type === 'entry' && row.entry.line))
        if (page.atEnd) return found
        from = { after: page.after }
      }
    }
    expect([await numbers(1), await numbers(10)]).toEqual([
      [2, 4, 5],
      [2, 4, 5],
    ])
  })

  it('of an empty transcript, and of none, are empty and grow', async () => {
    for (const files of [{}, { 'active.jsonl': '' }]) {
      const { store, active } = contextOf(files)
      const page = await store.readPage('garden', 'end', 10)
      expect(page).toMatchObject({ rows: [], atEnd: true, totalBytes: 0, bytesBefore: 0 })
      fs.writeFileSync(active, lines('a'))
      expect((await store.readPage('garden', { after: page.after }, 10)).rows.map(idOf)).toEqual([
        'a',
      ])
    }
  })

  it('go on after what was appended since, through torn, finished and unended lines', async () => {
    const { store, active } = contextOf({ 'active.jsonl': lines('a') })
    let { after } = await store.readPage('garden', 'end', 10)
    const next = async () => {
      const page = await store.readPage('garden', { after }, 10)
      after = page.after
      return page.rows.map(idOf)
    }
    const b = lines('b')
    fs.appendFileSync(active, b.slice(0, 20))
    expect(await next()).toEqual(['damaged torn'])
    // It is told again until it has an end: here it becomes whole.
    expect(await next()).toEqual(['damaged torn'])
    fs.appendFileSync(active, b.slice(20).trimEnd())
    expect(await next()).toEqual(['b'])
    expect(await next()).toEqual([])
    fs.appendFileSync(active, `\n${lines('c')}`)
    expect(await next()).toEqual(['c'])
    fs.appendFileSync(active, `{"torn\n${lines('d')}`)
    expect(await next()).toEqual(['damaged', 'd'])
  })

  it('hold the same cursor through a rotation', async () => {
    const { store, active, transcript } = contextOf({ 'active.jsonl': lines('a', 'b') })
    const { after, before } = await store.readPage('garden', 'end', 1)
    fs.renameSync(active, path.join(transcript, 'partitions/1-2.jsonl'))
    fs.writeFileSync(active, lines('c'))
    expect((await store.readPage('garden', { after }, 10)).rows.map(idOf)).toEqual(['c'])
    expect(
      (await store.readPage('garden', { before: before ?? after }, 10)).rows.map(idOf),
    ).toEqual(['a'])
  })

  it('refuse a cursor that is none, and one whose file was replaced by another', async () => {
    const { store, active } = contextOf({ 'active.jsonl': lines('a', 'b') })
    const { after } = await store.readPage('garden', 'end', 1)
    await expect(store.readPage('garden', { after: 'x' as Cursor }, 1)).rejects.toMatchObject({
      code: 'bad-argument',
    })
    fs.writeFileSync(`${active}.new`, lines('longer than a', 'b', 'c'))
    fs.renameSync(`${active}.new`, active)
    await expect(store.readPage('garden', { after }, 1)).rejects.toMatchObject({
      code: 'not-found',
    })
    // A copy that is the same up to there is as good.
    fs.writeFileSync(`${active}.new`, lines('a', 'b', 'c'))
    fs.renameSync(`${active}.new`, active)
    expect((await store.readPage('garden', { after }, 1)).rows.map(idOf)).toEqual(['c'])
  })

  it('of huge lines end early', async () => {
    const big = `${jsonLine({ id: 'big', content: 'x'.repeat(3 * 1024 * 1024) })}\n`
    const { store } = contextOf({ 'active.jsonl': big.repeat(5) })
    expect((await store.readPage('garden', 'end', 100)).rows.length).toBe(3)
    expect((await store.readPage('garden', 'start', 100)).rows.length).toBe(3)
    expect(await backwardIds(store, 100)).toEqual(['big', 'big', 'big', 'big', 'big'])
  })

  it('give each row a key of its own', async () => {
    const { store } = contextOf({ ...threeFiles, 'active.jsonl': lines('a', 'a') })
    const { rows } = await store.readPage('garden', 'start', 100)
    expect(new Set(rows.map(rowKey)).size).toBe(rows.length)
  })

  it('read only the end of a long transcript', async () => {
    let read = 0
    const counting: Disk = {
      ...nodeDisk,
      async open(target, mode) {
        const file = await nodeDisk.open(target, mode)
        return {
          ...file,
          async read(into, position) {
            const got = await file.read(into, position)
            read += got
            return got
          },
        }
      },
    }
    const { store } = contextOf(
      { 'active.jsonl': Array.from({ length: 200_000 }, (_, i) => lines(String(i))).join('') },
      counting,
    )
    const page = await store.readPage('garden', 'end', 100)
    expect(page.rows.map(idOf)).toEqual(Array.from({ length: 100 }, (_, i) => String(199_900 + i)))
    expect(page.totalBytes).toBeGreaterThan(18_000_000)
    expect(read).toBeLessThanOrEqual(64 * 1024)
  })
})

describe('any beginning of a transcript', () => {
  it('reads as the entries that are whole in it, and a torn line', async () => {
    const whole = lines('a', 'b')
    const last = jsonLine({ id: 'last', content: 'é "quoted" {"id":"no"} \u2028' })
    const bytes = Buffer.from(`${whole}${last}\n`)
    const { store, active } = contextOf({})
    for (let end = whole.length; end <= bytes.length; end++) {
      fs.writeFileSync(active, bytes.subarray(0, end))
      const isWhole = end >= bytes.length - 1
      const expected = [
        'a',
        'b',
        ...(isWhole ? ['last'] : end > whole.length ? ['damaged torn'] : []),
      ]
      expect(await forwardIds(store, 10)).toEqual(expected)
      expect(await backwardIds(store, 10)).toEqual(expected)
      const reading = await store.readWhole('garden')
      const ids: string[] = []
      for await (const row of requireWhole(reading.rows)) ids.push(idOf(row))
      expect(ids).toEqual(expected)
      expect(reading.ledgers).toMatchObject([
        {
          lines: expected.length,
          entryLines: isWhole ? 3 : 2,
          torn: expected.includes('damaged torn'),
        },
      ])
    }
  })
})

describe('what cannot be read', () => {
  it('is said in words', async () => {
    const { store, active, home, transcript } = contextOf({})
    await expect(store.readPage('none', 'end', 1)).rejects.toMatchObject({
      code: 'not-found',
      message: 'There is no context "none".',
    })
    await expect(store.readPage('../garden', 'end', 1)).rejects.toMatchObject({ code: 'not-found' })
    fs.mkdirSync(active)
    await expect(store.readPage('garden', 'end', 1)).rejects.toMatchObject({
      code: 'unreadable',
      message: `garden cannot be read: ${active} is a folder, not a file.`,
    })
    const reading = await store.readWhole('garden')
    const unread: string[] = []
    for await (const _ of allowGaps(reading.rows, ({ sentence }) => unread.push(sentence)));
    expect(unread).toEqual([`active.jsonl was not read: ${active} is a folder, not a file.`])
    fs.rmSync(transcript, { recursive: true })
    fs.writeFileSync(transcript, 'not a folder')
    expect(await store.readPage('garden', 'end', 1)).toMatchObject({ rows: [] })
    fs.rmSync(path.join(home, 'contexts'), { recursive: true })
    expect(await store.listContexts()).toEqual([])
    fs.writeFileSync(path.join(home, 'contexts'), '')
    await expect(store.listContexts()).resolves.toEqual([])
  })

  it('does not hide other partitions', async () => {
    const { store, transcript } = contextOf({
      'partitions/1-1.jsonl': lines('a'),
      'active.jsonl': lines('c'),
    })
    fs.mkdirSync(path.join(transcript, 'partitions/2-2.jsonl'))
    const reading = await store.readWhole('garden')
    const ids: string[] = []
    const unread: string[] = []
    for await (const row of allowGaps(reading.rows, ({ file }) => unread.push(file)))
      ids.push(idOf(row))
    expect(ids).toEqual(['a', 'c'])
    expect(unread).toEqual(['contexts/garden/transcript/partitions/2-2.jsonl'])
  })

  it('is a line only where one stands, and only in the context', async () => {
    const { store } = contextOf({ 'active.jsonl': lines('a', 'b') })
    const size = jsonLine({ id: 'a' }).length
    const file = 'contexts/garden/transcript/active.jsonl'
    expect(await store.readLine('garden', file, size + 1, size)).toMatchObject({ line: 2 })
    for (const [offset, length] of [
      [1, size - 1],
      [0, size - 1],
      [0, size + 1],
      [0, 2 * size + 1],
      [900, 1],
    ] as const)
      await expect(store.readLine('garden', file, offset, length)).rejects.toMatchObject({
        code: 'not-found',
      })
    for (const other of ['../secret', 'state.json', 'contexts/garden/context.jsonl'])
      await expect(store.readLine('garden', other, 0, 1)).rejects.toMatchObject({
        code: 'not-found',
      })
  })
})
