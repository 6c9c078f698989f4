import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../src/main/disk/app-disk'
import { type Disk, DiskError } from '../../../src/main/disk/interface/disk'
import type { HistoryReader, SourceRef } from '../../../src/main/readers/common/reader'
import { historyDisk } from '../../../src/main/readers/history-disk'
import { readers } from '../../../src/main/readers/index'
import { parseRecordPath, realFileOf } from '../../../src/main/records/interface/record-format'
import { AppError } from '../../../src/shared/model/basics/errors'
import { allowGaps } from '../../../src/shared/model/conversation/reading'

const fixtures = path.join(__dirname, '../../fixtures/readers')
const { signal } = new AbortController()

interface Listed {
  readonly refs: readonly SourceRef[]
  readonly failed: boolean
}

async function listed(reader: HistoryReader, root: string, disk: Disk): Promise<Listed> {
  const refs: SourceRef[] = []
  try {
    for await (const ref of reader.list(root, disk, signal)) refs.push(ref)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unreadable') throw error
    return { refs, failed: true }
  }
  return { refs, failed: false }
}

/** A disk of which one place cannot be used in one way. */
function denying(denied: string, how: 'list' | 'stat' | 'open'): Disk {
  const refuse = (place: string) => {
    if (place === denied) throw new DiskError('denied', place, `${place} cannot be used`)
  }
  const faulty: Disk = {
    ...appDisk,
    list: async (place) => {
      if (how === 'list') refuse(place)
      return appDisk.list(place)
    },
    stat: async (place) => {
      if (how === 'stat') refuse(place)
      return appDisk.stat(place)
    },
    open: async (place, mode) => {
      if (how === 'open') refuse(place)
      return appDisk.open(place, mode)
    },
  }
  return historyDisk(faulty)
}

/** The files of a conversation, absolute. */
function filesOf({ root, files }: SourceRef): readonly string[] {
  return files.map(({ file }) => {
    const place = path.join(root, ...file.split('/'))
    return parseRecordPath(place) === undefined ? place : realFileOf(place)
  })
}

/** Whether the ledgers of shared files have the reason. */
async function accountsTell(reader: HistoryReader, root: string, disk: Disk): Promise<boolean> {
  let isTold = false
  const accounts = reader.accounts?.(root, disk, signal)
  if (accounts !== undefined)
    for await (const _ of allowGaps(accounts, () => {
      isTold = true
    }))
      void _
  return isTold
}

function foldersBelow(root: string): readonly string[] {
  return fs
    .readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((one) => one.isDirectory())
    .map((one) => path.join(one.parentPath ?? one.path, one.name))
}

describe.each(readers.map((reader) => [reader.id, reader] as const))('%s', (id, reader) => {
  const input = path.join(fixtures, id, 'input')
  const root = fs.existsSync(input) ? input : path.join(fixtures, id)

  it('lists all others where one folder or file cannot be read, and says that there is more', async () => {
    const all = (await listed(reader, root, historyDisk(appDisk))).refs
    expect(all.length).toBeGreaterThan(0)
    const files = [...new Set(all.flatMap(filesOf))]
    const silent: string[] = []
    const hidden: string[] = []
    const check = async (denied: string, how: 'list' | 'stat' | 'open') => {
      const disk = denying(denied, how)
      const isIn = (place: string) => place === denied || place.startsWith(`${denied}${path.sep}`)
      const { refs, failed } = await listed(reader, root, disk)
      const there = new Set(refs.flatMap(filesOf))
      const isThere = (file: string) => there.has(file)
      const words = `${how} ${path.relative(root, denied)}`
      for (const ref of all)
        if (!filesOf(ref).some(isIn) && !filesOf(ref).every(isThere))
          hidden.push(`${words}: ${ref.key}`)
      // Of a file that is listed as it is, reading it reports why it cannot be read.
      const lost = all.filter((ref) => filesOf(ref).some(isIn) && !filesOf(ref).every(isThere))
      if (lost.length > 0 && !failed && !(await accountsTell(reader, root, disk)))
        silent.push(...lost.map(({ key }) => `${words}: ${key}`))
    }
    for (const folder of foldersBelow(root)) {
      await check(folder, 'list')
      await check(folder, 'stat')
    }
    for (const file of files) {
      await check(file, 'open')
      await check(file, 'stat')
    }
    expect({ hidden, silent }).toEqual({ hidden: [], silent: [] })
  })
})
