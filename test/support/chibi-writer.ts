import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Disk } from '../../src/main/disk/interface/disk'
import { isNameTaken, readSmallText } from '../../src/main/disk/reading/read'
import { removeIfThere, replaceFile, writeAll } from '../../src/main/disk/writing/atomic'
import { contextPaths } from '../../src/main/store/core/home-paths'
import { jsonLine } from './entries'

/** Who writes to a context, tells the ids that are durable, and gives the context back. */
export interface SecondWriter {
  append(text: string): Promise<string>
  close(): Promise<void>
}

interface Scope {
  readonly disk: Disk
  readonly home: string
  readonly context: string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly maxEntries: number
}

/**
 * Writes as chibi does, which knows nothing of our files: takes `.lock` alone, by its time; appends by name to the
 * transcript, then to the window; archives by a rename that asks nobody; removes the lock whoever holds it.
 *
 * Its times are its own, so that its names of partitions are not those of another (where they are, it writes over them).
 */
export async function openAsChibi(scope: Scope): Promise<SecondWriter> {
  const { disk, home, context, now, maxEntries } = scope
  const paths = contextPaths(home, context)
  const lock = path.join(paths.folder, '.lock')
  let seconds = Math.floor(now() / 1000) + 7
  await takeLock(disk, lock, now)

  const lines = async (file: string) =>
    ((await readSmallText(disk, file)) ?? '').split('\n').filter((line) => line !== '')

  const appendTo = async (target: string, line: string) => {
    const file = await disk.open(target, 'append')
    try {
      await writeAll(file, target, Buffer.from(`${line}\n`))
      await file.sync()
    } finally {
      await file.close()
    }
  }

  const rotate = async () => {
    const written = (await lines(paths.active)).map((line) => JSON.parse(line))
    if (written.length < maxEntries) return
    const text = await readSmallText(disk, paths.manifest)
    const manifest = text === undefined ? newManifest(maxEntries) : JSON.parse(text)
    const [start, end] = [written[0].timestamp, written.at(-1).timestamp]
    const file = `partitions/${start}-${end}.jsonl`
    await disk.makeFolder(paths.partitions)
    await disk.rename(paths.active, path.join(paths.transcript, file))
    manifest.partitions.push({ file, start_ts: start, end_ts: end, entry_count: written.length })
    await replaceFile(disk, paths.manifest, Buffer.from(JSON.stringify(manifest, undefined, 2)))
  }

  return {
    async append(text) {
      seconds += 1
      const id = randomUUID()
      const line = jsonLine({ id, timestamp: seconds, content: text, to: context })
      await appendTo(paths.active, line)
      await appendTo(paths.window, line)
      await rotate()
      return id
    },
    close: () => removeIfThere(disk, lock),
  }
}

async function takeLock(disk: Disk, lock: string, now: () => number): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      const file = await disk.open(lock, 'create-new')
      try {
        await writeAll(file, lock, Buffer.from(String(Math.floor(now() / 1000))))
        await file.sync()
      } finally {
        await file.close()
      }
      return
    } catch (error) {
      if (!isNameTaken(error) || tries >= 2) throw error
    }
    const beat = Number(await readSmallText(disk, lock))
    if (Math.floor(now() / 1000) - beat <= 45) throw new Error('the context is locked')
    await removeIfThere(disk, lock)
  }
}

function newManifest(maxEntries: number) {
  return {
    version: 1,
    active_partition: 'active.jsonl',
    partitions: [] as object[],
    rotation_policy: { max_entries: maxEntries, max_age_seconds: 2592000 },
  }
}
