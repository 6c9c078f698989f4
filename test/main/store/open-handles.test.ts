import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../src/main/disk/interface/disk'
import { unpackingDisk } from '../../../src/main/disk/unpack/unpacking-disk'
import { readPluginContent } from '../../../src/main/plugins/content'
import { findPlugin } from '../../../src/main/plugins/find-plugins'
import { historyDisk } from '../../../src/main/readers/history-disk'
import { readers } from '../../../src/main/readers/index'
import { readRoot } from '../../../src/main/readers/read-root'
import { defaultRotationPolicy } from '../../../src/main/store/core/manifest'
import type { TranscriptWriter } from '../../../src/main/store/core/writer-types'
import { openStore } from '../../../src/main/store/open-store'
import { builtInTools } from '../../../src/main/tools/index'
import { AppError } from '../../../src/shared/model/basics/errors'
import { requireWhole } from '../../../src/shared/model/conversation/reading'
import { message } from '../../support/entries'
import { atDrawnCalls } from '../../support/every-call'
import { memoryFolder, tempFolders } from '../../support/temp-folder'
import { failingAt, watchedDisk } from '../../support/watched-disk'

const temp = tempFolders(memoryFolder)
const signal = new AbortController().signal
const fixtures = path.join(__dirname, '../../fixtures')

const storeAt = (home: string, disk: Disk) =>
  openStore({
    home,
    disk,
    storagePolicy: async () => ({ ...defaultRotationPolicy, maxEntries: 2 }),
  })

/** What is done with a disk in a folder of its own that `begin` has filled. What it throws is no matter here. */
interface Scene {
  readonly begin: (folder: string) => Promise<void>
  readonly play: (folder: string, disk: Disk) => Promise<void>
  /** It changes nothing: all may have one folder. */
  readonly onlyReads?: true
}

const written: Scene = {
  begin: async () => {},
  async play(home, disk) {
    const store = storeAt(home, disk)
    let writer: TranscriptWriter | undefined
    try {
      writer = await store.openWriter('garden', { create: true })
      for (const word of ['one', 'two', 'three']) await writer.append(message(word))
      await writer.window('notice')
    } finally {
      await writer?.close()
    }
    await store.contexts.clear('garden', { withPage: true })
  },
}

const scenes: Readonly<Record<string, Scene>> = {
  'writing, rotating and clearing': written,
  'reading a context': {
    begin: (home) => written.play(home, watchedDisk()),
    onlyReads: true,
    async play(home, disk) {
      const store = storeAt(home, disk)
      for (const listing of await store.listContexts()) await store.readEnds(listing)
      const page = await store.readPage('garden', 'end', 2)
      const [row] = page.rows
      if (row?.type === 'entry') {
        const { file = '', offset = 0, length = 0 } = row.entry
        await store.readLine('garden', file, offset, length)
      }
      for await (const _ of requireWhole((await store.readWhole('garden')).rows));
      await store.windowStart('garden')
      await store.readBeside('garden')
      await store.verify('garden')
    },
  },
  'the file tools': {
    async begin(folder) {
      fs.mkdirSync(path.join(folder, 'home'))
      fs.mkdirSync(path.join(folder, 'work'))
      fs.writeFileSync(path.join(folder, 'work', 'a.txt'), 'one\ntwo\n')
    },
    async play(folder, disk) {
      const home = path.join(folder, 'home')
      const work = path.join(folder, 'work')
      const tools = builtInTools({ disk, home, context: 'garden', allowedPaths: [work] })
      const call = async (name: string, args: object) => {
        const tool = tools.find((one) => one.name === name)
        await tool?.preview?.({ ...args }, signal)
        await tool?.run({ ...args }, signal)
      }
      await call('file_head', { path: 'a.txt' })
      await call('file_tail', { path: 'a.txt' })
      await call('file_lines', { path: 'a.txt', start: 2, end: 2 })
      await call('file_grep', { path: 'a.txt', pattern: 'two' })
      await call('grep_files', { pattern: 'two' })
      await call('write_file', { path: 'a.txt', content: 'new\n' })
    },
  },
  'a plugin’s content': {
    onlyReads: true,
    async begin(folder) {
      fs.mkdirSync(path.join(folder, 'pack'))
      for (const name of ['pack', 'more'])
        fs.writeFileSync(path.join(folder, 'pack', name), '#!/bin/sh\n', { mode: 0o755 })
    },
    async play(folder, disk) {
      const found = await findPlugin(disk, folder, 'pack')
      if (found.type === 'plugin') await readPluginContent(disk, found.place)
    },
  },
  'packed files': {
    onlyReads: true,
    async begin(folder) {
      fs.copyFileSync(
        path.join(fixtures, 'packed/conversation.jsonl.zst'),
        path.join(folder, 'a.jsonl.zst'),
      )
    },
    async play(folder, disk) {
      const file = await unpackingDisk(disk).open(path.join(folder, 'a.jsonl.zst'), 'read')
      try {
        const { sizeBytes } = await file.stat()
        const into = new Uint8Array(sizeBytes)
        for (let at = 0; at < sizeBytes; ) {
          const got = await file.read(into.subarray(at), at)
          if (got === 0) break
          at += got
        }
      } finally {
        await file.close()
      }
    },
  },
  ...Object.fromEntries(
    readers.map((reader): [string, Scene] => [
      `reading a root of ${reader.id}`,
      {
        onlyReads: true,
        async begin(folder) {
          fs.cpSync(path.join(fixtures, 'readers', reader.id, 'input'), folder, { recursive: true })
        },
        async play(folder, disk) {
          await readRoot(reader, folder, historyDisk(disk), signal)
        },
      },
    ]),
  ),
}

describe('whatever call of the disk fails, no file stays open', () => {
  it.each(Object.keys(scenes))('%s', async (name) => {
    const scene = scenes[name]
    if (scene === undefined) throw new Error(`no scene ${name}`)
    const whole = watchedDisk()
    const first = temp()
    await scene.begin(first)
    await scene.play(first, whole)
    expect(whole.openFiles()).toEqual([])
    const calls = await atDrawnCalls(async (at) => {
      const folder = scene.onlyReads ? first : temp()
      if (!scene.onlyReads) await scene.begin(folder)
      const disk = watchedDisk(failingAt(at))
      await scene.play(folder, disk).catch((error: unknown) => {
        if (!(error instanceof AppError || error instanceof DiskError)) throw error
      })
      // A packed file's content is let go a moment later.
      await expect.poll(() => disk.openFiles(), { message: `at call ${at}` }).toEqual([])
      if (!scene.onlyReads) fs.rmSync(folder, { recursive: true, force: true })
      return disk.kinds()
    }, 2)
    expect(calls).toBeGreaterThanOrEqual(4)
  })
})
