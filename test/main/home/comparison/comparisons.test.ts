import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareCommand } from '../../../../src/cli/commands/compare'
import type { Home } from '../../../../src/main/home/home'
import { comparisonsHandlers } from '../../../../src/main/ipc/handlers/conversations/comparisons'
import {
  ComparedRow,
  ComparisonOverview,
} from '../../../../src/shared/model/comparison/comparison-view'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { ComparisonFormat } from '../../../../src/shared/model/export'
import { fixtures, run } from '../../../cli/run'
import { bundled } from '../../../support/bundled'
import { openTestHome } from '../../../support/home'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const folder = tempFolders(memoryFolder)
const families = bundled('src/main/library/families/families.worker.ts')
const comparison = bundled('src/main/home/comparison/comparison.worker.ts')
let base = ''
let home: Home

beforeAll(async () => {
  base = fs.mkdtempSync(path.join(memoryFolder, 'skein-comparisons-'))
  fs.cpSync(path.join(fixtures, 'chibi/home-v010'), path.join(base, 'chibi'), { recursive: true })
  const whole = path.join(base, 'chibi/contexts/ember')
  const torn = path.join(base, 'chibi/contexts/torn')
  fs.cpSync(whole, torn, { recursive: true })
  const lines = fs.readFileSync(path.join(whole, 'transcript/active.jsonl'), 'utf8').split('\n')
  lines.splice(1, 0, '{"id": "cut')
  fs.writeFileSync(path.join(torn, 'transcript/active.jsonl'), lines.join('\n'))
  const history = path.join(fixtures, 'branches/cycod-family')
  fs.cpSync(history, path.join(base, 'cycod'), { recursive: true, preserveTimestamps: true })
  home = await openTestHome(base, {
    roots: [{ source: 'cycod', path: path.join(base, 'cycod') }],
    workers: { families: families(), comparison: comparison() },
  })
})

afterAll(async () => {
  await home.close()
  fs.rmSync(base, { recursive: true, force: true })
})

const file = (digit: number) => LibraryKey.parse(`cycod:chat-history-1754437${digit}00000`)
const pairs = [
  { left: { key: file(3) }, right: { key: file(4) } },
  { left: { key: file(0) }, right: { key: file(5) } },
  { left: { key: file(2) }, right: { key: file(2), entry: EntryId.parse('L3') } },
  { left: { key: LibraryKey.parse('ember') }, right: { key: file(6) } },
]

/** The calls of the window, with this answer of the system's dialog. */
function inWindow(place = '') {
  return comparisonsHandlers(() => home, { file: async () => place, shown: (shown) => shown })
}

async function atCommandLine({ left, right }: (typeof pairs)[number], ...more: readonly string[]) {
  const roots = ['--home', path.join(base, 'chibi'), '--root', `cycod=${path.join(base, 'cycod')}`]
  const named = ({ key, entry }: { key: string; entry?: string }) =>
    `${key}${entry === undefined ? '' : `@${entry}`}`
  return run(compareCommand, [named(left), named(right), ...more, ...roots])
}

describe('a comparison in the window', () => {
  it('has the sides, the numbers and the changes of the command line', async () => {
    for (const pair of pairs) {
      const { view } = await inWindow().open(pair)
      expect(ComparisonOverview.parse(view)).toEqual(view)
      const { out } = await atCommandLine(pair, '--json')
      const told = JSON.parse(out)
      expect([view.forked, view.aligned]).toEqual([told.forked, told.aligned])
      for (const side of ['left', 'right'] as const) {
        const { entries, tokens, cost, time, tools, shared, files } = told[side]
        expect(view[side]).toMatchObject({
          ...{ entries: entries.total, cost, shared, ...time, models: entries.byModel },
          tokens: { sent: tokens.input, answered: tokens.output, total: tokens.total },
          ...tools,
          files: files.map((one: { path: string; calls: number }) => ({
            path: one.path,
            calls: one.calls,
          })),
        })
      }
      const kinds = told.changes.flatMap((one: { type: string; left: string[] }) =>
        one.type === 'same' ? one.left.map(() => 'same') : [one.type],
      )
      expect(view.runs.flatMap(({ kind, rows }) => Array(rows).fill(kind))).toEqual(kinds)
    }
  })

  it('says how many damaged lines of a side are not compared', async () => {
    const { view } = await inWindow().open({
      left: { key: LibraryKey.parse('ember') },
      right: { key: LibraryKey.parse('torn') },
    })
    expect(view.unread).toEqual(['1 damaged line of “torn” cannot be compared.'])
  })

  it('gives every row by its number, and the texts of both in it', async () => {
    for (const pair of pairs) {
      const calls = inWindow()
      const { id, view } = await calls.open(pair)
      const count = view.runs.reduce((sum, { rows }) => sum + rows, 0)
      const all = await calls.rows({ id, from: 0, limit: 100 })
      expect(all.map((row) => ComparedRow.parse(row))).toEqual(all)
      expect(all).toHaveLength(count)
      for (const [at, row] of all.entries())
        expect(await calls.rows({ id, from: at, limit: 1 })).toEqual([row])
      const entriesOf = (side: 'left' | 'right') =>
        all.flatMap((row) =>
          side in row ? [(row as Record<typeof side, { id: string }>)[side]] : [],
        )
      expect(entriesOf('left')).toHaveLength(view.left.entries)
      expect(entriesOf('right').at(-1)?.id).toBe(
        view.right.entries === 0 ? undefined : view.right.entry,
      )
    }
  })

  it.each(ComparisonFormat.options)(
    'has the same bytes as %s as the command line',
    async (format) => {
      for (const pair of pairs) {
        const place = path.join(folder(), 'window')
        const calls = inWindow(place)
        const { id } = await calls.open(pair)
        const saved = await calls.save({ id, format })
        const { out } = await atCommandLine(pair, '--format', format)
        expect(fs.readFileSync(place, 'utf8')).toBe(out)
        expect(saved).toEqual({ file: place, bytes: Buffer.byteLength(out) })
      }
    },
  )

  it('says what is not there, and what is no comparison', async () => {
    const calls = inWindow()
    const gone = LibraryKey.parse('cycod:gone')
    await expect(
      calls.open({ left: { key: file(3) }, right: { key: gone } }),
    ).rejects.toMatchObject({
      code: 'not-found',
    })
    const entry = EntryId.parse('no such entry')
    await expect(
      calls.open({ left: { key: file(3), entry }, right: { key: file(4) } }),
    ).rejects.toMatchObject({ code: 'not-found' })
    await expect(
      calls.open({ left: { key: file(3) }, right: { key: file(3) } }),
    ).rejects.toMatchObject({ code: 'bad-argument' })
  })

  it('ends when another one is opened, or when it is closed', async () => {
    const calls = inWindow(path.join(folder(), 'never'))
    const [first, second] = [
      await calls.open(pairs[0] ?? never()),
      await calls.open(pairs[1] ?? never()),
    ]
    const rows = ({ id }: typeof first) => calls.rows({ id, from: 0, limit: 1 })
    await expect(rows(first)).rejects.toMatchObject({ code: 'cancelled' })
    expect(await rows(second)).toHaveLength(1)
    await calls.close()
    await expect(rows(second)).rejects.toMatchObject({ code: 'cancelled' })
    await expect(calls.save({ id: second.id, format: 'md' })).rejects.toMatchObject({
      code: 'cancelled',
    })
  })

  it('is never written among what is read', async () => {
    const calls = inWindow(path.join(base, 'cycod/history/compared.md'))
    const { id } = await calls.open(pairs[0] ?? never())
    await expect(calls.save({ id, format: 'md' })).rejects.toMatchObject({ code: 'bad-argument' })
  })

  it('holds what was appended since its family was read', async () => {
    const calls = inWindow()
    const key = file(4)
    const before = (await calls.open({ left: { key: file(3) }, right: { key } })).view
    const target = path.join(base, 'cycod/history', `${key.slice('cycod:'.length)}.jsonl`)
    fs.appendFileSync(target, '\n{"role":"user","content":"And the smallest?"}')
    const { id, view } = await calls.open({ left: { key: file(3) }, right: { key } })
    expect(view.right.entries).toBe(before.right.entries + 1)
    const count = view.runs.reduce((sum, { rows }) => sum + rows, 0)
    const [last] = await calls.rows({ id, from: count - 1, limit: 1 })
    expect(last).toMatchObject({ right: { content: 'And the smallest?' } })
  })
})

function never(): never {
  throw new Error('there is no such pair')
}
