import path from 'node:path'
import { z } from 'zod'
import { wellFormed } from '../../../shared/model/basics/well-formed'
import { type Entry, EntryId } from '../../../shared/model/conversation/entry'
import type { Disk } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { removeIfSame, replaceFile } from '../../disk/writing/atomic'
import { toReadError } from '../core/errors'
import type { ContextPaths } from '../core/home-paths'

/** A compaction that is on its way: which anchor it writes, and whether summary.md is to say what that anchor says. */
const Pending = z.object({ anchor: EntryId, summary: z.boolean() })
export type PendingCompaction = z.infer<typeof Pending>

interface Scope {
  readonly disk: Disk
  readonly paths: Pick<ContextPaths, 'folder'>
}

/** The compaction that is on its way, or was cut off; `damaged` where a file stands that tells nothing. @throws DiskError */
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
    // It is written at once and never changed: what is damaged was not ours, and the window alone has to be looked at.
    return 'damaged'
  }
}

/** Durable on return: from now on whoever opens the context for writing brings the compaction to its end. @throws DiskError */
export async function beginPendingCompaction(
  scope: Scope,
  pending: PendingCompaction,
): Promise<void> {
  await replaceFile(scope.disk, fileOf(scope), Buffer.from(JSON.stringify(pending)))
}

/** Takes the file away if it is still of the compaction that was `pending`: another may have begun since. @throws DiskError */
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

/** Has summary.md say what the anchor says: at once, durably, and only where it says something else. @throws DiskError */
export async function writeSummary(scope: Scope, anchor: Entry): Promise<void> {
  const summary = anchor.metadata?.summary
  if (typeof summary !== 'string') return
  const target = path.join(scope.paths.folder, 'summary.md')
  const text = wellFormed(summary)
  if ((await readSmallText(scope.disk, target).catch(() => undefined)) === text) return
  await replaceFile(scope.disk, target, Buffer.from(text))
}

/** What summary.md says; undefined where there is none. @throws AppError `unreadable` */
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
