import fs from 'node:fs'
import path from 'node:path'
import type { Disk } from '../interface/disk'
import { isTemporaryName } from './atomic'

const debounceMs = 60
const probeEveryMs = 2000

/**
 * Calls `changed` when something in a folder changes: its names, or the size or time of a file in it. Folders below
 * are not watched.
 *
 * Survives a folder that is not there yet, is removed, or is replaced. Where the system cannot watch, it checks every
 * two seconds. Several changes at once are one call. Returns a disposer; keeps no process alive.
 */
export function watchFolder(disk: Disk, folder: string, changed: () => void): () => void {
  let watcher: fs.FSWatcher | undefined
  let last: FolderProbe | undefined
  let pending: NodeJS.Timeout | undefined
  let isProbing = false
  let closed = false

  const notify = () => {
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
        // A temporary name does not last: the rename that follows is reported.
        if (name === null || !isTemporaryName(String(name))) notify()
      })
      // Such as a folder that was removed: the next probe finds out.
      watcher.on('error', unwatch)
    } catch {
      watcher = undefined // Not there yet, or no watching here (limits, network folders): probing has to do.
    }
  }

  const probe = async () => {
    if (isProbing || closed) return
    isProbing = true
    try {
      const now = await probeFolder(disk, folder, watcher === undefined)
      if (closed) return
      // At the first probe, a folder that could not be watched is one that has come since.
      const isNew = last === undefined ? watcher === undefined : now.identity !== last.identity
      if (isNew) watchAgain()
      if (last === undefined ? isNew && now.identity !== undefined : isOther(last, now)) notify()
      last = now
    } catch {
      // A folder that cannot be read now is probed again in two seconds.
    } finally {
      isProbing = false
    }
  }

  // At once, so that no change after this call is missed; the first probe only sets what later ones compare with.
  watchAgain()
  void probe()
  const timer = setInterval(() => void probe(), probeEveryMs).unref()

  return () => {
    closed = true
    clearInterval(timer)
    clearTimeout(pending)
    unwatch()
  }
}

interface FolderProbe {
  /** Undefined where no folder is. */
  readonly identity: string | undefined
  readonly mtimeMs: number | undefined
  /** Of every file in it; only where the system does not watch for us. */
  readonly files: string | undefined
}

async function probeFolder(disk: Disk, folder: string, withFiles: boolean): Promise<FolderProbe> {
  const stat = await disk.stat(folder)
  if (stat?.kind !== 'directory')
    return { identity: undefined, mtimeMs: undefined, files: undefined }
  return {
    identity: stat.identity,
    mtimeMs: stat.mtimeMs,
    files: withFiles ? await filesSignature(disk, folder) : undefined,
  }
}

function isOther(before: FolderProbe, now: FolderProbe): boolean {
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
