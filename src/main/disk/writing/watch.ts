import fs from 'node:fs'
import path from 'node:path'
import type { Disk } from '../interface/disk'
import { isTemporaryName } from './atomic'

const debounceMs = 60
const lookEveryMs = 2000

/**
 * Tells when something in a folder changes: its names, or the size or time of a file in it. Not of folders below.
 *
 * Survives a folder that is not there yet, is removed, or is replaced. Where the system cannot watch, it looks every
 * two seconds. Several changes at once are told once. Returns a disposer; keeps no process alive.
 */
export function watchFolder(disk: Disk, folder: string, changed: () => void): () => void {
  let watcher: fs.FSWatcher | undefined
  let last: Look | undefined
  let pending: NodeJS.Timeout | undefined
  let looking = false
  let closed = false

  const tell = () => {
    pending ??= setTimeout(() => {
      pending = undefined
      if (!closed) changed()
    }, debounceMs).unref()
  }

  const unwatch = () => {
    watcher?.close()
    watcher = undefined
  }

  const watchAgain = () => {
    unwatch()
    try {
      watcher = fs.watch(folder, { persistent: false }, (_event, name) => {
        // A temporary name passes by: what it becomes is told by its rename.
        if (name === null || !isTemporaryName(String(name))) tell()
      })
      // Such as a folder that was removed: the next look finds out.
      watcher.on('error', unwatch)
    } catch {
      watcher = undefined // Not there yet, or no watching here (limits, network folders): looking has to do.
    }
  }

  const look = async () => {
    if (looking || closed) return
    looking = true
    try {
      const now = await lookAt(disk, folder, watcher === undefined)
      if (closed) return
      // At the first look, a folder that could not be watched is one that has come since.
      const isNew = last === undefined ? watcher === undefined : now.identity !== last.identity
      if (isNew) watchAgain()
      if (last === undefined ? isNew && now.identity !== undefined : isOther(last, now)) tell()
      last = now
    } catch {
      // A folder that cannot be looked into now is looked at again in two seconds.
    } finally {
      looking = false
    }
  }

  // At once, so that no change after this call is missed; the first look only sets what later ones compare with.
  watchAgain()
  void look()
  const timer = setInterval(() => void look(), lookEveryMs).unref()

  return () => {
    closed = true
    clearInterval(timer)
    clearTimeout(pending)
    unwatch()
  }
}

interface Look {
  /** Undefined where no folder is. */
  readonly identity: string | undefined
  readonly mtimeMs: number | undefined
  /** Of every file in it; only where the system does not watch for us. */
  readonly files: string | undefined
}

async function lookAt(disk: Disk, folder: string, withFiles: boolean): Promise<Look> {
  const stat = await disk.stat(folder)
  if (stat?.kind !== 'directory')
    return { identity: undefined, mtimeMs: undefined, files: undefined }
  return {
    identity: stat.identity,
    mtimeMs: stat.mtimeMs,
    files: withFiles ? await filesSignature(disk, folder) : undefined,
  }
}

function isOther(before: Look, now: Look): boolean {
  if (before.identity !== now.identity || before.mtimeMs !== now.mtimeMs) return true
  return before.files !== undefined && now.files !== undefined && before.files !== now.files
}

async function filesSignature(disk: Disk, folder: string): Promise<string> {
  const names = [...(await disk.list(folder))].sort()
  const stats = await Promise.all(names.map((name) => disk.stat(path.join(folder, name))))
  return names
    .map((name, i) => `${name} ${stats[i]?.sizeBytes} ${stats[i]?.mtimeMs} ${stats[i]?.identity}`)
    .join('\n')
}
