import type { FilePermissions } from './permissions'

/** Reasons why a file operation failed; callers switch on them. */
export type DiskErrorCode =
  | 'not-found'
  | 'exists'
  | 'no-space'
  | 'denied'
  | 'is-directory'
  | 'not-directory'
  | 'too-large'
  | 'io'

/** The failure of a file operation. The message names the path. */
export class DiskError extends Error {
  readonly code: DiskErrorCode
  readonly path: string

  constructor(code: DiskErrorCode, path: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'DiskError'
    this.code = code
    this.path = path
  }
}

/** Kind, size, time and identity of a file or folder; links are followed. */
export interface FileStat {
  readonly kind: 'file' | 'directory' | 'other'
  readonly sizeBytes: number
  readonly mtimeMs: number
  /** Device and inode: the same for one file whatever its name, another after a replacement. */
  readonly identity: string
  /** Number of its names by hard links; absent where unknown. */
  readonly names?: number
}

/** An open file; the code that opens it closes it. */
export interface DiskFile {
  /** Reads into `into` from byte `position`; returns the bytes read, 0 at the end. May read fewer than asked. */
  read(into: Uint8Array, position: number): Promise<number>
  /** Writes at the end, wherever other processes moved it; returns the bytes written, which may be fewer than given. */
  write(bytes: Uint8Array): Promise<number>
  sync(): Promise<void>
  stat(): Promise<FileStat>
  /** Its present path, with every link followed; absent, or undefined, where the system cannot tell. */
  realPath?(): Promise<string | undefined>
  /**
   * Why its content is not complete, as a sentence without its full stop ("the archive ends early: ..."); undefined for a
   * complete one, and before what is missing was met.
   */
  readonly fault?: string | undefined
  close(): Promise<void>
}

/** An open folder; the code that opens it closes it. */
export interface PinnedFolder {
  /** A prefix for names in it: they are looked up in this folder, even if another takes its place meanwhile. */
  readonly path: string
  close(): Promise<void>
}

/**
 * The file operations that everything above uses, few enough to be faked with faults.
 *
 * Every method throws DiskError and nothing else. Paths are absolute.
 */
export interface Disk {
  /** Follows links. Undefined where nothing is there. */
  stat(path: string): Promise<FileStat | undefined>
  /**
   * Like `stat`, but it blocks: some 5 µs on a local disk, where `stat` takes some 50 µs. For the check right before an
   * append, which must be close to the write; the append waits for that disk anyhow.
   */
  statNow(path: string): FileStat | undefined
  /** Names in a folder, unsorted. */
  list(folder: string): Promise<readonly string[]>
  /**
   * `append` creates the file where it is missing; `create-new` is that with O_EXCL, and throws `exists`.
   *
   * @param permissions of a file that it creates; never of one that is there
   */
  open(
    path: string,
    mode: 'read' | 'append' | 'create-new',
    permissions?: FilePermissions,
  ): Promise<DiskFile>
  /** Makes the folders above it too. @param permissions of those that it creates: the owner alone, except with `umask` */
  makeFolder(path: string, permissions?: 'umask'): Promise<void>
  /** Replaces what is at `to`. */
  rename(from: string, to: string): Promise<void>
  /** A hard link: throws `exists` where something is at `to`, so it moves a file without ever replacing one. */
  link(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  /** Removes an empty folder; throws `exists` where something is in it. */
  removeFolder(path: string): Promise<void>
  /** Makes a create or a rename in this folder durable. */
  syncFolder(path: string): Promise<void>
  /** The path with every symbolic link followed. */
  realPath(path: string): Promise<string>
  /**
   * Opens a folder at a path that no link is on. Absent where the system has no such thing.
   *
   * @throws DiskError `not-directory` where a link is on the way by now
   */
  pin?(folder: string): Promise<PinnedFolder>
  /**
   * Makes a new file for its owner alone that shares another's blocks until one of them is written to; the folder is not synced.
   * Absent where no file system can.
   *
   * @throws DiskError `exists`; `io` where this file system cannot
   */
  clone?(from: string, to: string): Promise<void>
  /** Sets when a file changed last, in Unix milliseconds. Absent where the disk cannot. */
  setModified?(path: string, mtimeMs: number): Promise<void>
}
