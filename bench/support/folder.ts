import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** Gives the work a folder of its own, which is removed at the end. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'skein-bench-'))
  try {
    return await work(folder)
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}
