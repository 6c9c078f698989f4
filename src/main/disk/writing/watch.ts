import fs from 'node:fs'
import path from 'node:path'
import type { Disk } from '../interface/disk'
import { isTemporaryName } from './atomic'
import { isOfOtherMachine } from './other-machines'

const debounceMs = 60
const probeEveryMs = 2000
/** Of a folder with more files than this, they are compared less often: a network takes its time for each. */
const filesAtEveryProbe = 100

/**
 * Calls `changed` when something in a folder changes: its names, or the size or time of a file in it. Folders below
 * are not watched.
 *
 * Survives a folder that is not there yet, is removed, or is replaced. Where the system cannot watch, or another machine
 * writes without its knowledge (`isRemote`, asked whenever the folder is watched anew), it checks every two seconds; the
 * files of a folder of more than a hundred less often. Several changes at once are one call. Returns a disposer; keeps no process alive.
 */
export function watchFolder(
  disk: Disk,
  folder: string,
  changed: () => void,
  isRemote: (folder: string) => Promise<boolean> = isOfOtherMachine,
): () => void {
  let watcher: fs.FSWatcher | undefined
  /** Whether the system tells of every change; undefined until it was asked. */
  let isTold: boolean | undefined
  let last: FolderProbe | undefined
  let pending: NodeJS.Timeout | undefined
  let isProbing = false
  let probesWithout = 0
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
    isTold = undefined
    try {
      watcher = fs.watch(folder, { persistent: false }, (_event, name) => {
        // A temporary name does not last: the rename that follows is reported.
        if (name === null || !isTemporaryName(String(name))) notify()
      })
      // Such as a folder that was removed: the next probe finds out.
      watcher.on('error', unwatch)
    } catch {
      watcher = undefined // Not there yet, or no watching here (limits): probing has to do.
    }
  }

  const probe = async () => {
    if (isProbing || closed) return
    isProbing = true
    try {
      if (watcher !== undefined) isTold ??= !(await isRemote(folder))
      const withFiles = (watcher === undefined || isTold === false) && --probesWithout < 0
      const now = await probeFolder(disk, folder, withFiles)
      if (closed) return
      // At the first probe, a folder that could not be watched is one that has come since.
      const isNew = last === undefined ? watcher === undefined : now.identity !== last.identity
      if (isNew) watchAgain()
      if (last === undefined ? isNew && now.identity !== undefined : isOther(last, now)) notify()
      if (withFiles) probesWithout = Math.floor((now.files?.count ?? 0) / filesAtEveryProbe)
      // What was known of the files stays what later ones are compared with.
      last = now.files === undefined ? { ...now, files: last?.files } : now
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
  /** Of every file in it; only where the system does not tell all changes. */
  readonly files: { readonly count: number; readonly signature: string } | undefined
}

async function probeFolder(disk: Disk, folder: string, withFiles: boolean): Promise<FolderProbe> {
  const stat = await disk.stat(folder)
  if (stat?.kind !== 'directory')
    return { identity: undefined, mtimeMs: undefined, files: undefined }
  return {
    identity: stat.identity,
    mtimeMs: stat.mtimeMs,
    files: withFiles ? await filesOf(disk, folder) : undefined,
  }
}

function isOther(before: FolderProbe, now: FolderProbe): boolean {
  if (before.identity !== now.identity || before.mtimeMs !== now.mtimeMs) return true
  if (before.files === undefined || now.files === undefined) return false
  return before.files.signature !== now.files.signature
}

async function filesOf(disk: Disk, folder: string): Promise<NonNullable<FolderProbe['files']>> {
  const names = [...(await disk.list(folder))].sort()
  // One that cannot be looked at, such as a link in a circle, hides no change of the others.
  const stats = await Promise.all(
    names.map((name) => disk.stat(path.join(folder, name)).catch(() => undefined)),
  )
  const lines = names.map(
    (name, i) => `${name} ${stats[i]?.sizeBytes} ${stats[i]?.mtimeMs} ${stats[i]?.identity}`,
  )
  return { count: names.length, signature: lines.join('\n') }
}
