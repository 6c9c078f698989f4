import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exportCommand } from '../../../../src/cli/commands/export'
import { openWorkToEnd } from '../../../../src/main/compose/ending-work'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { Home } from '../../../../src/main/home/home'
import { exportHandlers } from '../../../../src/main/ipc/handlers/exports'
import { openStore } from '../../../../src/main/store/open-store'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { run } from '../../../cli/run'
import { message } from '../../../support/entries'
import { openTestHome, placesIn } from '../../../support/home'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const garden = LibraryKey.parse('garden')
const tulips = LibraryKey.parse('cycod:chat-history-1754437000000')
let root = ''
let home: Home
/** Where the conversations lie. */
let files: ReadonlyMap<LibraryKey, string>
/** Bytes that were read of each file. */
const read = new Map<string, number>()

/** A disk that counts what is read of each file. */
function readingDisk(): Disk {
  return {
    ...nodeDisk,
    async open(file, mode, permissions) {
      const opened = await nodeDisk.open(file, mode, permissions)
      return {
        read: async (into, position) => {
          const bytes = await opened.read(into, position)
          read.set(file, (read.get(file) ?? 0) + bytes)
          return bytes
        },
        write: (bytes) => opened.write(bytes),
        sync: () => opened.sync(),
        stat: () => opened.stat(),
        close: () => opened.close(),
      }
    },
  }
}

/** How often the work reads the whole file of a conversation: a beginning or an end that is read besides is less than one. */
async function timesRead(key: LibraryKey, work: () => Promise<unknown>): Promise<number> {
  read.clear()
  await work()
  const file = files.get(key) ?? ''
  return Math.floor((read.get(file) ?? 0) / fs.statSync(file).size)
}

beforeEach(async () => {
  root = temp()
  const long = 'and more '.repeat(10_000)
  const store = openStore({ home: placesIn(root).home, disk: nodeDisk })
  const writer = await store.openWriter('garden', { create: true })
  for (let n = 0; n < 40; n++) await writer.append(message(`words ${n} ${long}`))
  await writer.close()
  const [transcript] = (await store.listFiles('garden')).files
  fs.mkdirSync(path.join(root, 'cycod'))
  const history = path.join(root, 'cycod/chat-history-1754437000000.jsonl')
  const lines = [...Array(40).keys()].map((n) =>
    JSON.stringify({ role: 'user', content: `${n} ${long}` }),
  )
  fs.writeFileSync(history, `${lines.join('\n')}\n`)
  files = new Map([
    [garden, transcript?.path ?? ''],
    [tulips, history],
  ])
  home = await openTestHome(root, {
    disk: readingDisk(),
    roots: [{ source: 'cycod', path: path.join(root, 'cycod') }],
  })
})

afterEach(() => home.close())

/** The window's calls, with this answer of the system's dialogs. */
function inWindow(target: string) {
  return exportHandlers(
    () => home,
    { file: async () => target, folder: async () => target, shown: (file) => file },
    { progress: () => undefined },
    openWorkToEnd(),
    async () => [],
  )
}

function atCommandLine(...argv: readonly string[]) {
  const roots = ['--home', placesIn(root).home, '--root', `cycod=${path.join(root, 'cycod')}`]
  return run(exportCommand, [...argv, ...roots], { disk: readingDisk() })
}

describe.each(['md', 'csv', 'original'] as const)('an export as %s', (format) => {
  it.each([garden, tulips])(
    'reads %s once to count its losses, and once to write it',
    async (key) => {
      const target = path.join(temp(), 'out')
      const window = inWindow(target)
      expect(await timesRead(key, () => window.losses({ key, format }))).toBe(1)
      // Of bytes that are copied, a reading tells first whether they are all there.
      const isCopy = format === 'original'
      expect(await timesRead(key, () => window.save({ key, format }))).toBe(isCopy ? 2 : 1)
      const all = () => inWindow(temp()).saveAll({ keys: [key], format, into: 'folder' })
      expect(await timesRead(key, all)).toBe(2)
      const name = key === garden ? 'chibi:garden' : key
      const line = () => atCommandLine(name, '--format', format, '-o', target)
      expect(await timesRead(key, line)).toBe(2)
    },
  )
})

it('a conversation that grew after its losses were counted is read for what it is now', async () => {
  const file = path.join(temp(), 'out.json')
  const window = inWindow(file)
  await window.losses({ key: garden, format: 'json' })
  const writer = await openStore({ home: placesIn(root).home, disk: nodeDisk }).openWriter(
    'garden',
    { create: false },
  )
  await writer.append({ ...message('later'), metadata: { model: 'rose-2' } })
  await writer.close()
  await window.save({ key: garden, format: 'json' })
  const [conversation] = JSON.parse(fs.readFileSync(file, 'utf8')).conversations
  expect(conversation.models).toEqual(['rose-2'])
  expect(conversation.entries.at(-1).content).toBe('later')
})
