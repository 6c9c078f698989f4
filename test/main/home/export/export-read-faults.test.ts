import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { openWorkToEnd } from '../../../../src/main/compose/ending-work'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { unpackingDisk } from '../../../../src/main/disk/unpack/unpacking-disk'
import { openConversations } from '../../../../src/main/home/conversations'
import { exportHandlers } from '../../../../src/main/ipc/handlers/exports'
import { openLabels } from '../../../../src/main/library/families/labels'
import { openTitles } from '../../../../src/main/library/families/titles'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { ExportFormat } from '../../../../src/shared/model/export'
import { message } from '../../../support/entries'
import { equalFormats } from '../../../support/exported'
import { atEveryReading, readFaults } from '../../../support/read-faults'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const [EIO] = readFaults
const garden = LibraryKey.parse('garden')
const packed = LibraryKey.parse('cycod:chat-history-1754437000000')
let base = ''

/** A context in three partitions, and a packed history. */
beforeAll(async () => {
  base = fs.mkdtempSync(path.join(memoryFolder, 'skein-exports-'))
  const policy = { ...defaultRotationPolicy, maxEntries: 3 }
  const store = openStore({
    home: path.join(base, 'home'),
    disk: nodeDisk,
    storagePolicy: async () => policy,
  })
  const writer = await store.openWriter('garden', { create: true })
  for (let n = 0; n < 7; n++) await writer.append(message(`words ${n}`))
  await writer.close()
  const lines = [0, 1, 2].map((n) => `${JSON.stringify({ role: 'user', content: `cy ${n}` })}\n`)
  fs.mkdirSync(path.join(base, 'cycod'))
  fs.writeFileSync(
    path.join(base, 'cycod/chat-history-1754437000000.jsonl.gz'),
    zlib.gzipSync(lines.join('')),
  )
  const given = (key: string) =>
    JSON.stringify({ titles: [{ key, title: 'A given title', by: 'person', at: 1 }] })
  fs.writeFileSync(path.join(base, 'home/titles.skein.json'), given('garden'))
  fs.mkdirSync(path.join(base, 'user'))
  fs.writeFileSync(path.join(base, 'user/titles.json'), given(packed))
  return () => fs.rmSync(base, { recursive: true, force: true })
})

/** Saves as the window does, over a file that was there, and tells what that holds then. */
async function saved(disk: Disk, key: LibraryKey, format: ExportFormat, target: string) {
  const home = openConversations({
    disk,
    store: openStore({ home: path.join(base, 'home'), disk }),
    roots: [{ source: 'cycod', path: path.join(base, 'cycod') }],
    cacheFolder: path.join(temp(), 'cache'),
    titles: openTitles({
      disk,
      home: path.join(base, 'home'),
      userFolder: path.join(base, 'user'),
    }),
    labels: openLabels({
      disk,
      home: path.join(base, 'home'),
      userFolder: path.join(base, 'user'),
    }),
    isFollowed: false,
    note: () => undefined,
  })
  const handlers = exportHandlers(
    () => home,
    {
      file: async () => target,
      shown: (file) => path.basename(file),
      folder: async () => undefined,
    },
    { progress: () => {} },
    openWorkToEnd(),
    async () => [],
  )
  try {
    return await handlers.save({ key, format })
  } finally {
    await home.close()
  }
}

describe.each(readFaults)('with $errno at any reading of an export from the window', (plan) => {
  const formats = plan === EIO ? equalFormats : (['md', 'json', 'original'] as const)
  it.each(formats)(
    '%s is whole, or refused in words with what stood there as it was, or says what it is without',
    async (format) => {
      for (const key of [garden, packed]) {
        const soundFile = path.join(temp(), 'sound')
        const sound = await saved(unpackingDisk(nodeDisk), key, format, soundFile)
        expect(sound).toMatchObject({ damaged: 0, unread: [] })
        const whole = comparable(soundFile)
        let without = 0
        let refused = 0
        const { calls } = await atEveryReading(
          plan,
          async (disk) => {
            const target = path.join(temp(), 'out')
            fs.writeFileSync(target, 'what stood there')
            const made = await saved(unpackingDisk(disk), key, format, target).catch(
              (error: unknown) => ({ error }),
            )
            expect(fs.readdirSync(path.dirname(target))).toEqual(['out'])
            return { made, text: comparable(target) }
          },
          (outcome) => {
            if ('refused' in outcome) throw outcome.refused
            const { made, text } = outcome.made
            if (made !== null && 'error' in made) {
              refused += 1
              expect(text).toBe('what stood there')
              expect(made.error).toBeInstanceOf(AppError)
              expect((made.error as Error).message).toMatch(/injected|cannot be read/)
            } else if (made?.unread.length === 0) {
              expect(made).toMatchObject({ entries: sound?.entries, damaged: 0 })
              expect(text).toBe(whole)
            } else {
              without += 1
              // Its bytes are all there, or it is refused.
              expect(format).not.toBe('original')
              expect(made?.unread.join(' ')).toMatch(/injected|cannot be read/)
            }
          },
        )
        expect(calls).toBeGreaterThan(3)
        expect(refused + without).toBeGreaterThan(0)
      }
    },
  )
})

/** What an export says, without when it was made. */
function comparable(file: string): string {
  return fs
    .readFileSync(file, 'utf8')
    .replace(/\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}[.\dZ]*/g, 'then')
}
