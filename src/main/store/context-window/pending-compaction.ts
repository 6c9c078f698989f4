import path from 'node:path'
import { z } from 'zod'
import { wellFormed } from '../../../shared/model/basics/well-formed'
import { type Entry, EntryId } from '../../../shared/model/conversation/entry'
import type { Disk } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { removeIfSame, replaceFile } from '../../disk/writing/atomic'
import { toReadError } from '../core/errors'
import type { ContextPaths } from '../core/home-paths'

const Pending = z.object({ anchor: EntryId, summary: z.boolean() })
/** A compaction that was begun: the id of its anchor, and whether summary.md gets the anchor's summary. */
export type PendingCompaction = z.infer<typeof Pending>

interface Scope {
  readonly disk: Disk
  readonly paths: Pick<ContextPaths, 'folder'>
}

/**
 * Reads the compaction that is running or was interrupted; `damaged` where its file cannot be parsed, undefined where
 * there is none.
 *
 * @throws DiskError
 */
export async function readPendingCompaction(
  scope: Scope,
): Promise<PendingCompaction | 'damaged' | undefined> {
  return readAt(scope.disk, fileOf(scope))
}

async function readAt(
  disk: Disk,
  file: string,
): Promise<PendingCompaction | 'damaged' | undefined> {
  const text = await readSmallText(disk, file)
  if (text === undefined) return undefined
  try {
    return Pending.parse(JSON.parse(text))
  } catch {
    // It is written at once and never changed: a damaged one was not ours, and only the window has to be checked.
    return 'damaged'
  }
}

/**
 * Records a compaction, durably: from now on the next writer of the context finishes it.
 *
 * @throws DiskError
 */
export async function beginPendingCompaction(
  scope: Scope,
  pending: PendingCompaction,
): Promise<void> {
  await replaceFile(scope.disk, fileOf(scope), Buffer.from(JSON.stringify(pending)))
}

/**
 * Removes the record of a compaction if it is still of `pending`: another one may have begun since.
 *
 * @throws DiskError
 */
export async function endPendingCompaction(
  scope: Scope,
  pending: PendingCompaction | 'damaged',
): Promise<void> {
  await removeIfSame(scope.disk, fileOf(scope), async (at) => {
    const found = await readAt(scope.disk, at)
    if (found === 'damaged' || pending === 'damaged') return found === pending
    return found?.anchor === pending.anchor
  })
  await scope.disk.syncFolder(scope.paths.folder)
}

/**
 * Writes the anchor's summary to summary.md, at once and durably; does nothing where they are equal.
 *
 * @throws DiskError
 */
export async function writeSummary(scope: Scope, anchor: Entry): Promise<void> {
  const summary = anchor.metadata?.summary
  if (typeof summary !== 'string') return
  const target = path.join(scope.paths.folder, 'summary.md')
  const text = wellFormed(summary)
  if ((await readSmallText(scope.disk, target).catch(() => undefined)) === text) return
  await replaceFile(scope.disk, target, Buffer.from(text))
}

/**
 * Reads summary.md; undefined where there is none.
 *
 * @throws AppError `unreadable`
 */
export async function readSummary(
  disk: Disk,
  { name, folder }: Pick<ContextPaths, 'name' | 'folder'>,
): Promise<string | undefined> {
  try {
    return await readSmallText(disk, path.join(folder, 'summary.md'))
  } catch (error) {
    throw toReadError(`The summary of "${name}"`, error)
  }
}

function fileOf({ paths }: Scope): string {
  return path.join(paths.folder, 'compacting.skein.json')
}
