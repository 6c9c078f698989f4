import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Disk } from '../../../src/main/disk/interface/disk'
import { unpackingDisk } from '../../../src/main/disk/unpack/unpacking-disk'
import type { HistoryReader, SourceRef } from '../../../src/main/readers/common/reader'
import { historyDisk } from '../../../src/main/readers/history-disk'
import { readers } from '../../../src/main/readers/index'
import { allowGaps } from '../../../src/shared/model/conversation/reading'
import { watchedDisk } from '../../support/watched-disk'

const fixtures = path.join(__dirname, '../../fixtures/readers')

/** Every folder of fixtures that the reader reads: packed and odd ones too. */
function rootsOf({ id }: HistoryReader): readonly string[] {
  const folder = path.join(fixtures, id)
  const found = fs.readdirSync(folder, { withFileTypes: true })
  return found.filter((one) => one.isDirectory()).map(({ name }) => path.join(folder, name))
}

/** Takes so many pieces, and leaves. */
async function take(pieces: AsyncIterable<unknown>, most: number): Promise<void> {
  let taken = 0
  if (most > 0) for await (const _ of pieces) if (++taken >= most) return
}

/** What callers do with a conversation; a signal that aborts ends some of it. */
const uses: Readonly<
  Record<string, (reader: HistoryReader, ref: SourceRef, disk: Disk) => Promise<unknown>>
> = {
  ...Object.fromEntries(
    [1, 2, 3, 7, Number.POSITIVE_INFINITY].map((most) => [
      `read ${most}`,
      (reader, ref, disk) =>
        take(
          allowGaps(reader.read(ref, disk, new AbortController().signal), () => undefined),
          most,
        ),
    ]),
  ),
  async 'read until it is aborted'(reader, ref, disk) {
    const controller = new AbortController()
    const reading = reader.read(ref, disk, controller.signal)
    for await (const _ of allowGaps(reading, () => undefined)) controller.abort()
  },
  async 'read, and fail at the first piece'(reader, ref, disk) {
    const reading = reader.read(ref, disk, new AbortController().signal)
    for await (const _ of allowGaps(reading, () => undefined)) throw new Error('the caller fails')
  },
  beginning: async (reader, ref, disk) =>
    reader.beginning?.(ref, disk, new AbortController().signal),
  lastTime: async (reader, ref, disk) => reader.lastTime?.(ref, disk, new AbortController().signal),
  withBeginning: async (reader, ref, disk) =>
    reader.withBeginning?.(ref, disk, new AbortController().signal),
}

describe('no file stays open, also where the caller stops early', () => {
  it.each(readers)('$id', async (reader) => {
    let opened = 0
    let listed = 0
    const watched = watchedDisk({
      before({ name }) {
        if (name === 'open') opened += 1
      },
    })
    const disk = historyDisk(unpackingDisk(watched))
    const { signal } = new AbortController()
    const isClosed = (what: string) =>
      // The content of a packed file is let go a moment later.
      expect.poll(watched.openFiles, { message: what }).toEqual([])
    for (const root of rootsOf(reader)) {
      await take(reader.list(root, disk, signal), 1)
      await isClosed(`list 1 of ${root}`)
      const refs: SourceRef[] = []
      for await (const ref of reader.list(root, disk, signal)) refs.push(ref)
      await isClosed(`list ${root}`)
      listed += refs.length
      for (const ref of refs)
        for (const [name, use] of Object.entries(uses)) {
          await use(reader, ref, disk).catch(() => undefined)
          await isClosed(`${name} of ${ref.key}`)
        }
      for (const most of [1, 3, Number.POSITIVE_INFINITY]) {
        const accounts = reader.accounts?.(root, disk, signal)
        if (accounts !== undefined)
          await take(
            allowGaps(accounts, () => undefined),
            most,
          )
        await isClosed(`accounts ${most} of ${root}`)
      }
    }
    expect(listed).toBeGreaterThan(0)
    // Databases are opened by a room of their own, and not through this disk.
    if (reader.databaseFormats === undefined) expect(opened).toBeGreaterThan(0)
  })
})
