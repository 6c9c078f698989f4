import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect } from 'vitest'
import { isOfWrittenFiles } from './rooms'

/** Some containers give shared memory 64 MB, which tests side by side may fill. */
const roomyBytes = 1024 ** 3

/** Where a sync costs nothing, for tests that make thousands; the real disk where there is no such place, or little of it. */
export const memoryFolder = isRoomy('/dev/shm') ? '/dev/shm' : os.tmpdir()

function isRoomy(folder: string): boolean {
  if (!fs.existsSync(folder)) return false
  const { bavail, bsize } = fs.statfsSync(folder)
  return bavail * bsize >= roomyBytes
}

/**
 * Gives folders that are removed after each test. Unless told otherwise they are in memory for tests of what is written, and on
 * the real disk for all others (rooms.ts).
 */
export function tempFolders(parent?: string): (name?: string) => string {
  const made: string[] = []
  afterEach(() => {
    for (const folder of made.splice(0)) fs.rmSync(folder, { recursive: true, force: true })
  })
  return (name = 'skein') => {
    const usual = isOfWrittenFiles(expect.getState().testPath) ? memoryFolder : os.tmpdir()
    const folder = fs.mkdtempSync(path.join(parent ?? usual, `${name}-`))
    made.push(folder)
    return folder
  }
}
