import fs from 'node:fs'
import path from 'node:path'
import type { Disk, DiskErrorCode, DiskFile, FileStat, PinnedFolder } from '../interface/disk'
import { DiskError } from '../interface/disk'
import { type FilePermissions, makeOneFolder, openNew } from '../interface/permissions'
import { canLocateOpenFiles, openFilePath, pinFolder } from './open-path'

const codes: Readonly<Record<string, DiskErrorCode>> = {
  ENOENT: 'not-found',
  EEXIST: 'exists',
  ENOTEMPTY: 'exists',
  ENOSPC: 'no-space',
  EDQUOT: 'no-space',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  EISDIR: 'is-directory',
  ENOTDIR: 'not-directory',
  EFBIG: 'too-large',
}

const words: Readonly<Record<DiskErrorCode, string>> = {
  'not-found': 'is not there',
  exists: 'is already there',
  'no-space': 'cannot be written: the disk is full',
  denied: 'cannot be used: permission denied',
  'is-directory': 'is a folder, not a file',
  'not-directory': 'lies under something that is not a folder',
  'too-large': 'is larger than the file system or its limits allow',
  io: 'failed',
}

/** The real disk. */
export const nodeDisk: Disk = {
  async stat(path) {
    try {
      return fileStat(await fs.promises.stat(path))
    } catch (cause) {
      return undefinedIfMissing(path, cause)
    }
  },
  statNow(path) {
    try {
      return fileStat(fs.statSync(path))
    } catch (cause) {
      return undefinedIfMissing(path, cause)
    }
  },
  list: (folder) => run(folder, () => fs.promises.readdir(folder)),
  // With '+': an appender also reads the tail, through the same handle. A new file is appended to as well: another
  // program may append to it as soon as it has its name, and is never written over.
  async open(path, mode, permissions) {
    if (mode === 'create-new')
      return openFile(path, await run(path, () => openNew(path, 'ax+', permissions)))
    const isThere = await isFileThere(path)
    const opened = () =>
      mode === 'read' ? fs.promises.open(path, 'r') : openForAppend(path, isThere, permissions)
    return openFile(path, await run(path, opened))
  },
  makeFolder: (path, permissions) => run(path, () => makeFolder(path, permissions)),
  rename: (from, to) => run(to, () => fs.promises.rename(from, to)),
  link: (from, to) => run(to, () => fs.promises.link(from, to)),
  unlink: (path) => run(path, () => fs.promises.unlink(path)),
  removeFolder: (path) => run(path, () => fs.promises.rmdir(path)),
  syncFolder,
  realPath: (path) => run(path, () => fs.promises.realpath(path)),
  clone: (from, to) => run(to, () => clone(from, to)),
  setModified: (path, mtimeMs) =>
    run(path, () => fs.promises.utimes(path, mtimeMs / 1000, mtimeMs / 1000)),
  ...(canLocateOpenFiles ? { pin } : {}),
}

async function clone(from: string, to: string): Promise<void> {
  const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE } = fs.constants
  await fs.promises.copyFile(from, to, COPYFILE_EXCL | COPYFILE_FICLONE_FORCE)
  // It comes with the permissions of the other one.
  await fs.promises.chmod(to, 0o600)
}

/**
 * A write of up to so many bytes is done at once: it goes to the system's memory in some 10 µs, where waiting for a
 * thread to do it takes five times as long. What takes long is the fsync, and nobody waits at once for that.
 */
const writtenNowBytes = 64 * 1024

function openFile(path: string, handle: fs.promises.FileHandle): DiskFile {
  return {
    read: (into, position) =>
      run(path, async () => (await handle.read(into, 0, into.length, position)).bytesRead),
    write: (bytes) =>
      run(path, async () =>
        bytes.length <= writtenNowBytes
          ? fs.writeSync(handle.fd, bytes)
          : (await handle.write(bytes, 0, bytes.length, null)).bytesWritten,
      ),
    sync: () => run(path, () => handle.sync()),
    stat: () => run(path, async () => fileStat(await handle.stat())),
    realPath: () => openFilePath(handle.fd),
    close: () => run(path, () => handle.close()),
  }
}

async function pin(folder: string): Promise<PinnedFolder> {
  const pinned = await run(folder, () => pinFolder(folder))
  return { ...pinned, close: () => run(folder, () => pinned.close()) }
}

/**
 * With the folders above it. Not by `recursive`: Node tries for ever where a file system says that nothing is there
 * though the folder above is, as /proc does.
 */
async function makeFolder(
  folder: string,
  permissions: 'umask' | undefined,
  isAgain = false,
): Promise<void> {
  try {
    await makeOneFolder(folder, permissions)
  } catch (cause) {
    const above = path.dirname(folder)
    const isThere = async (name: string) =>
      (await fs.promises.stat(name).catch(() => undefined))?.isDirectory() === true
    if (errnoOf(cause) === 'ENOENT' && above !== folder) {
      if (!(await isThere(above))) {
        await makeFolder(above, permissions)
        return makeFolder(folder, permissions)
      }
      // Another made the one above since.
      if (!isAgain) return makeFolder(folder, permissions, true)
    }
    // Also a root, or a folder on a disk that cannot be written to, for which systems give other reasons.
    if (!(await isThere(folder))) throw cause
  }
}

async function openForAppend(
  file: string,
  isThere: boolean,
  permissions: FilePermissions | undefined,
): Promise<fs.promises.FileHandle> {
  if (!isThere)
    try {
      return await openNew(file, 'ax+', permissions)
    } catch (cause) {
      // Another made it meanwhile; or it is a link to a file that is still to be made.
      if (errnoOf(cause) !== 'EEXIST') throw cause
    }
  return fs.promises.open(file, 'a+', 0o600)
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; its renames are durable with the volume's journal.
  if (process.platform === 'win32') return
  const handle = await run(path, () => fs.promises.open(path, 'r'))
  try {
    await handle.sync()
  } catch (cause) {
    // Some file systems cannot sync a folder and say EINVAL; there is nothing better to do there.
    if (errnoOf(cause) !== 'EINVAL') throw diskError(path, cause)
  } finally {
    await handle.close()
  }
}

/** Converts Node's stat to a `FileStat`. */
export function fileStat(stat: fs.Stats): FileStat {
  return {
    kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other',
    sizeBytes: stat.size,
    mtimeMs: stat.mtimeMs,
    identity: `${stat.dev}:${stat.ino}`,
    names: stat.nlink,
  }
}

async function run<T>(path: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (cause) {
    throw diskError(path, cause)
  }
}

/** A pipe, a socket or a device in the place of a file would be waited for, without end. @throws DiskError `io` */
async function isFileThere(path: string): Promise<boolean> {
  const stat = await nodeDisk.stat(path)
  if (stat?.kind === 'other') throw new DiskError('io', path, `${path} is not a file`)
  return stat !== undefined
}

/**
 * Returns undefined for a failure that means that nothing is there; throws a `DiskError` for any other.
 *
 * @throws DiskError for every other reason
 */
export function undefinedIfMissing(path: string, cause: unknown): undefined {
  // No error is made for what is no failure: that takes longer than the call, and callers ask for what mostly is not there.
  const errno = cause instanceof DiskError ? cause.code : codes[errnoOf(cause)]
  if (errno === 'not-found' || errno === 'not-directory') return undefined
  throw diskError(path, cause)
}

/** Converts a failure of Node's to a `DiskError`; one that is a `DiskError` already is returned unchanged. */
export function diskError(path: string, cause: unknown): DiskError {
  if (cause instanceof DiskError) return cause
  const errno = errnoOf(cause)
  const code = codes[errno] ?? 'io'
  const detail = code === 'io' ? ` (${errno || String(cause)})` : ''
  return new DiskError(code, path, `${path} ${words[code]}${detail}`, cause)
}

function errnoOf(cause: unknown): string {
  const code = (cause as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
