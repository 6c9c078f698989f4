import fs from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { countHistory } from '../../../../src/main/library/count/count'
import {
  type Counter,
  inlineCounter,
  threadCounter,
} from '../../../../src/main/library/count/counter'
import { glanceAt } from '../../../../src/main/readers/common/glance'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readers } from '../../../../src/main/readers/index'
import { voicemodeReader } from '../../../../src/main/readers/voicemode/voicemode'
import { openStore } from '../../../../src/main/store/open-store'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { libraryKeyOf } from '../../../../src/shared/model/conversation/conversation'
import { bundled } from '../../../support/bundled'
import { tempFolders } from '../../../support/temp-folder'

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures')
const signal = new AbortController().signal
const foreign = readers.filter(({ id }) => id !== 'chibi')
const workerPath = bundled('src/main/library/count/count.worker.ts')
const temp = tempFolders()
let opened: Counter | undefined

const disk = historyDisk(appDisk)

function threads(): Counter {
  opened ??= threadCounter(disk, workerPath())
  return opened
}

afterAll(() => opened?.close())

it.each(foreign)(
  'sees of $id in a thread what is seen here, also where it fails',
  async (reader) => {
    let compared = 0
    for (const folder of ['input', 'midnight', '.'])
      for await (const ref of reader.list(
        path.join(fixtures, 'readers', reader.id, folder),
        disk,
        signal,
      )) {
        // As if the listing had told nothing.
        const { glance: _, ...bare } = ref
        const gone = { ...bare, root: path.join(ref.root, 'gone') }
        for (const one of [bare, gone]) {
          const words = (error: Error) => error.message
          const here = await glanceAt(reader, one, disk, signal).catch(words)
          const wrapped = { ...reader, list: async function* () {} }
          for (const of of [reader, wrapped])
            expect(await threads().glance({ reader: of, ref: one }, signal).catch(words)).toEqual(
              here,
            )
        }
        compared += 1
      }
    expect(compared).toBeGreaterThan(0)
  },
)

it.each(foreign)(
  'counts of $id in threads what is counted here, and reads none of it here where it is read whole',
  async (reader) => {
    let compared = 0
    let isRead = false
    const watched: Disk = {
      ...disk,
      open(file, mode) {
        isRead = true
        return disk.open(file, mode)
      },
    }
    for (const folder of ['input', 'midnight', '.'])
      for await (const ref of reader.list(
        path.join(fixtures, 'readers', reader.id, folder),
        disk,
        signal,
      )) {
        const history = { key: libraryKeyOf(ref.source, ref.key), reader, ref }
        const here = await countHistory(inlineCounter(disk), disk, history, signal)
        isRead = false
        expect(await countHistory(threads(), watched, history, signal)).toEqual(here)
        if (ref.isUnordered === true && reader.accounts === undefined) expect(isRead).toBe(false)
        compared += 1
      }
    expect(compared).toBeGreaterThan(0)
  },
)

it('fails of a conversation that is gone as it does here, where a thread reads it whole', async () => {
  const reader = foreign.find(({ id }) => id === 'gemini')
  if (reader === undefined) throw new Error('there is no such reader')
  const root = path.join(fixtures, 'readers', reader.id, 'input')
  for await (const ref of reader.list(root, disk, signal)) {
    const gone = { ...ref, root: path.join(ref.root, 'gone') }
    const history = { key: libraryKeyOf(ref.source, ref.key), reader, ref: gone }
    const fault = async (counter: Counter) => {
      const told = await countHistory(counter, disk, history, signal).catch(
        (error: unknown) => error,
      )
      return told instanceof AppError ? [told.code, told.message] : told
    }
    expect(await fault(threads())).toEqual(await fault(inlineCounter(disk)))
  }
})

it('sees in a thread when contexts began and ended', async () => {
  let compared = 0
  for (const home of ['home-v05', 'home-v09']) {
    const store = openStore({ home: path.join(fixtures, 'chibi', home), disk: nodeDisk })
    for (const listing of await store.listContexts()) {
      const bare = { ...listing, createdAt: undefined }
      expect(await threads().ends(store, bare)).toEqual(await store.readEnds(bare))
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(1)
})

describe('looks into files for a list', () => {
  const megabyte = 1024 * 1024
  const dayLine = (key: string, n: number, words = 'words') =>
    `${JSON.stringify({ version: 3, timestamp: `2025-09-01T08:00:${n}Z`, conversation_id: key, type: 'stt', text: `${n} ${words}` })}\n`

  /** So many days that they are not read in the caller's own thread. */
  function daysIn(root: string, days: number): void {
    for (let day = 10; day < 10 + days; day++) {
      const long = dayLine(`b${day}`, 20, 'x'.repeat(megabyte))
      const text = `${dayLine(`a${day}`, 10)}noise\n${long}${dayLine('all', 30)}${dayLine('torn', 40).slice(0, -9)}`
      fs.writeFileSync(path.join(root, `exchanges_2025-09-${day}.jsonl`), text)
    }
  }

  /** A disk of which nothing is remembered, and what was opened on it. */
  function watchedDisk(): { readonly disk: Disk; readonly opened: string[] } {
    const seen: string[] = []
    const open: Disk['open'] = (file, mode) => {
      seen.push(file)
      return nodeDisk.open(file, mode)
    }
    return { disk: { ...nodeDisk, open }, opened: seen }
  }

  async function listed(root: string, disk: Disk, look?: Counter['look'], stop = signal) {
    const refs: unknown[] = []
    for await (const ref of voicemodeReader.list(root, disk, stop, look)) refs.push(ref)
    return refs
  }

  it('in threads, and opens none of them here', async () => {
    const root = temp()
    daysIn(root, 12)
    const { disk, opened: here } = watchedDisk()
    const refs = await listed(root, disk, threads().look)
    expect(here).toEqual([])
    expect(refs).toHaveLength(2 * 12 + 2)
    expect(refs).toEqual(await listed(root, watchedDisk().disk))
  })

  it('here where there is little to read, or no thread can be started', async () => {
    const root = temp()
    daysIn(root, 1)
    const little = watchedDisk()
    await listed(root, little.disk, threads().look)
    expect(little.opened).toHaveLength(1)
    daysIn(root, 12)
    const dead = threadCounter(nodeDisk, path.join(root, 'not-built.cjs'))
    const { disk, opened: here } = watchedDisk()
    const refs = await listed(root, disk, dead.look)
    expect(here).toHaveLength(12)
    expect(refs).toEqual(await listed(root, watchedDisk().disk))
    await dead.close()
  })

  /** Files of more than threads are asked for, which their fixture's words begin. */
  const large = 9 * megabyte
  const composed = [
    ['cline', 'tasks/1789030800000/api_conversation_history.json'],
    ['lm-studio', 'conversations/Large/1789030800001.conversation.json'],
    ['copilot', 'workspaceStorage/a/chatSessions/0a9b8c7d-6e5f-4a3b-9c2d-1e0f2a3b4c5e.json'],
    ['aider', 'terrace/.aider.chat.history.md'],
  ] as const
  const largeFiles: Readonly<Record<string, string>> = {
    cline: JSON.stringify([{ role: 'user', content: 'prune'.repeat(large / 5) }]),
    'lm-studio': JSON.stringify({
      name: 'Slugs',
      messages: [{ versions: [{ role: 'user', content: 'x'.repeat(large) }] }],
    }),
    copilot: JSON.stringify({
      version: 3,
      sessionId: 'a',
      requests: [{ requestId: 'r', message: { text: 'x'.repeat(large) } }],
    }),
    aider: `\n# aider chat started at 2026-03-10 09:00:00\n\n#### ${'prune '.repeat(large / 6)}  \n`,
  }

  it.each(composed)(
    'of %s in threads, which compose its files, and opens none of them here',
    async (id, file) => {
      const root = temp()
      const place = path.join(root, file)
      fs.mkdirSync(path.dirname(place), { recursive: true })
      fs.writeFileSync(place, largeFiles[id] ?? '')
      const reader = foreign.find((one) => one.id === id)
      const refsOn = async (disk: Disk, look?: Counter['look']) => {
        const refs: unknown[] = []
        for await (const ref of reader?.list(root, historyDisk(disk), signal, look) ?? [])
          refs.push(ref)
        return refs
      }
      const { disk, opened: here } = watchedDisk()
      const refs = await refsOn(disk, threads().look)
      expect(here).not.toContain(place)
      expect(refs).toHaveLength(1)
      expect(refs).toEqual(await refsOn(nodeDisk))
    },
  )

  it('until it is stopped, and again after that', async () => {
    const root = temp()
    daysIn(root, 24)
    const controller = new AbortController()
    const { disk, opened: here } = watchedDisk()
    const stopped = listed(
      root,
      disk,
      (source, files, stop) => {
        const found = threads().look?.(source, files, stop)
        controller.abort()
        return found ?? Promise.resolve(undefined)
      },
      controller.signal,
    )
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
    expect(here).toEqual([])
    expect(await listed(root, disk, threads().look)).toHaveLength(2 * 24 + 2)
    expect(here).toEqual([])
  })
})
