import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { DiskError } from '../../disk/interface/disk'
import { isNotFound } from '../../disk/reading/read'
import type { BackupRule } from '../../readers/known/backup-rule'
import type { LibraryRoot } from '../sources/roots'
import { backUpFile, type FileBackup } from './back-up-file'
import { backupFolderOf, makePlace, nowName } from './backup-places'
import { inOpenPlace, type OpenPlace } from './open-place'
import { readBackupSeals, type SealBook } from './seals'
import { wantedFiles } from './wanted-files'

/** The content of a root's backup, by its seals. */
export interface BackupSize {
  readonly files: number
  readonly bytes: number
  /** Of these bytes, those whose blocks were shared with the originals' when they were copied. */
  readonly sharedBytes: number
  /** Files that are earlier versions. */
  readonly earlier: number
}

/** Result of a backup, and what it has now. */
export interface BackupDone extends BackupSize {
  /** Files that were copied for the first time. */
  readonly copied: number
  /** Files whose copies became longer, or others. */
  readonly changed: number
  /** Copies whose originals are not there any more. */
  readonly gone: number
  /** Failures to copy a file, a sentence each; at most twenty. */
  readonly failed: readonly string[]
}

const mostFailures = 20

/**
 * Backs up the files of a root that its reader reads: copies what is new, continues what grew, and keeps what is gone. Nothing
 * is written at the root. What is copied when it is stopped or fails stays, and the next backup goes on.
 *
 * @param disk on which a packed file is what it is
 *
 * @param archive the folder of all backups
 *
 * @throws AppError `busy`, `disk-full`, `io`; the signal's reason
 */
export async function backUpRoot(
  { disk, archive }: { readonly disk: Disk; readonly archive: string },
  root: LibraryRoot,
  rule: BackupRule,
  signal: AbortSignal,
): Promise<BackupDone> {
  try {
    const stat = await disk.stat(root.path)
    if (stat === undefined) return { ...(await backupSize(disk, archive, root)), ...nothingDone }
    const { folder } = await makePlace(disk, archive, root, stat.kind === 'file')
    return await inOpenPlace(disk, folder, signal, (place) => backUpAll(place, root, rule, stat))
  } catch (error) {
    signal.throwIfAborted()
    throw readable(error)
  }
}

const nothingDone = { copied: 0, changed: 0, gone: 0, failed: [] }

async function backUpAll(
  place: OpenPlace,
  root: LibraryRoot,
  rule: BackupRule,
  top: { readonly kind: string },
): Promise<BackupDone> {
  const { disk, signal, book } = place
  const done: Record<FileBackup, number> = { same: 0, copied: 0, grown: 0, replaced: 0 }
  const failed: string[] = []
  const fail = (words: string) => {
    if (failed.length < mostFailures) failed.push(words)
  }
  const there = new Set<string>()
  const stat = top.kind === 'file' ? await disk.stat(root.path) : undefined
  const file = path.basename(root.path)
  const files =
    stat === undefined
      ? wantedFiles(disk, root.path, rule, signal, fail)
      : [{ file, path: root.path, stat }]
  for await (const one of files) {
    there.add(`${nowName}/${one.file}`)
    try {
      done[await backUpFile(place, one.path, one.file, one.stat)] += 1
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof DiskError) || isOurs(error, place)) throw error
      // One that cannot be read must not keep the others from being copied; one that is gone by now is no fault.
      if (!isNotFound(error)) fail(`${error.message}.`)
    }
  }
  const gone = [...book.seals.keys()].filter(
    (name) => name.startsWith(`${nowName}/`) && !there.has(name),
  )
  return {
    ...sizeOf(book),
    copied: done.copied,
    changed: done.grown + done.replaced,
    gone: failed.length > 0 ? 0 : gone.length,
    failed,
  }
}

/** Whether it is the backup that failed, and not an original. */
function isOurs({ path: where, code }: DiskError, { folder }: OpenPlace): boolean {
  return code === 'no-space' || (code !== 'too-large' && where.startsWith(`${folder}${path.sep}`))
}

/** Reads what is in a root's backup. @throws DiskError */
export async function backupSize(
  disk: Disk,
  archive: string,
  root: LibraryRoot,
): Promise<BackupSize> {
  return sizeOf(await readBackupSeals(disk, backupFolderOf(archive, root)))
}

function sizeOf({ seals }: SealBook): BackupSize {
  let [bytes, sharedBytes, earlier] = [0, 0, 0]
  for (const seal of seals.values()) {
    bytes += seal.bytes
    if (seal.isShared) sharedBytes += seal.bytes
    if (!seal.file.startsWith(`${nowName}/`)) earlier += 1
  }
  return { files: seals.size, bytes, sharedBytes, earlier }
}

function readable(error: unknown): unknown {
  if (!(error instanceof DiskError)) return error
  const options = { detail: `${error.code}: ${error.path}`, cause: error }
  return error.code === 'no-space'
    ? new AppError('disk-full', 'The disk is full: not everything is backed up.', options)
    : new AppError('io', `${error.message}.`, options)
}
