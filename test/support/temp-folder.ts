import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach } from 'vitest'

/** Where a sync costs nothing, for tests that make thousands; the real disk where there is no such place. */
export const memoryFolder = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir()

/** Gives folders that are removed after each test: on the real disk, unless told otherwise. */
export function tempFolders(parent: string = os.tmpdir()): (name?: string) => string {
  const made: string[] = []
  afterEach(() => {
    for (const folder of made.splice(0)) fs.rmSync(folder, { recursive: true, force: true })
  })
  return (name = 'skein') => {
    const folder = fs.mkdtempSync(path.join(parent, `${name}-`))
    made.push(folder)
    return folder
  }
}
