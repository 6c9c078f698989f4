import path from 'node:path'
import { largestOf } from '../../../shared/model/basics/long-lists'
import { readSmallFile } from '../../disk/reading/read'
import { removeIfThere } from '../../disk/writing/atomic'
import {
  manifestOf,
  newManifest,
  type PartitionRecord,
  type RotationPolicy,
  withPolicy,
  writeManifest,
} from '../core/manifest'
import type { WritingScope } from '../core/writing-scope'
import type { ContextFiles, TranscriptFile } from '../files/context-files'
import { isTransientName } from '../files/transient-names'
import { writePartitionFilter } from '../filters/sidecar'
import { keepDamagedBytes } from '../registry/known-contexts'
import { countPartition, type PartitionCount } from './partition-count'
import { assignPermanentName } from './partition-names'
import { addSeal, readSeals } from './seals'

/**
 * Adds the partitions that the manifest does not list to it, at their place in time, each with its filter and its
 * seal. It is the last step of every rotation, and repairs an interrupted one.
 *
 * `newest` is known to be the last, whatever the clock had; where it `mayGrow`, another process may be about to write
 * to it.
 *
 * A damaged manifest is kept as `manifest.json.damaged-N`, and a new one is written from the partitions. Does nothing
 * where everything is listed.
 */
export async function adoptStrayPartitions(
  scope: WritingScope,
  found: ContextFiles,
  newest?: { readonly path: string; readonly mayGrow: boolean },
): Promise<void> {
  if (found.strays.length === 0 && found.manifest.type !== 'damaged') return
  const { disk, paths } = scope
  const known = manifestOf(found.manifest)
  const policy = await scope.configuredPolicy()
  const { seals } = await readSeals(disk, paths)
  const records = [...(known?.partitions ?? [])]
  const isCountingPrompts = records.some((record) => 'prompt_count' in record)
  for (const stray of found.strays) {
    const { record, target } = await recordFor(scope, stray, policy, isCountingPrompts)
    await scope.mustHold()
    const isNewest = stray.path === newest?.path
    if (!seals.has(record.file))
      await addSeal(disk, paths, record.file, target, isNewest && newest.mayGrow)
    records.splice(isNewest ? records.length : indexOfStray(stray, found, records), 0, record)
  }
  const manifest = withPolicy(known ?? newManifest(), policy)
  await scope.mustHold()
  if (found.manifest.type === 'damaged') await keepManifest(scope)
  // Where this comes late, it replaces a newer manifest: what that listed is read as stray partitions, and adopted again.
  await writeManifest(disk, paths, { ...manifest, partitions: records })
}

/** Right after the partition that it is read after: the order on the disk becomes the order that people saw. */
function indexOfStray(
  stray: TranscriptFile,
  { files }: ContextFiles,
  records: readonly PartitionRecord[],
): number {
  const names = records.map((record) => path.posix.basename(record.file))
  const at = files.findIndex((file) => file.path === stray.path)
  const before = files.slice(0, at).map((file) => names.lastIndexOf(path.basename(file.path)))
  return Math.max(-1, largestOf(before)) + 1
}

async function recordFor(
  scope: WritingScope,
  file: TranscriptFile,
  policy: RotationPolicy,
  isCountingPrompts: boolean,
): Promise<{ readonly record: PartitionRecord; readonly target: string }> {
  let prompts = 0
  const count = await countPartition(scope, file, policy.bytesPerToken, (entry) => {
    if (entry.entry_type === 'message' && entry.role === 'user') prompts += 1
  })
  const target = isTransientName(file.path)
    ? await namedForGood(scope, file.path, count)
    : file.path
  const bloom = policy.bloomFilters ? await writePartitionFilter(scope, target) : undefined
  const record = {
    file: path.relative(scope.paths.transcript, target).split(path.sep).join('/'),
    start_ts: count.firstSeconds ?? 0,
    end_ts: count.lastSeconds ?? 0,
    entry_count: count.entries,
    // chibi's since 0.10.2; where it counts them, a partition without a number would count as none.
    ...(isCountingPrompts ? { prompt_count: prompts } : {}),
    token_count: count.tokens,
    ...(bloom === undefined ? {} : { bloom_file: bloom }),
  }
  return { record, target }
}

/** A file that was moved aside and could not go back, because there is another active partition by now. */
async function namedForGood(
  scope: WritingScope,
  aside: string,
  { firstSeconds = 0, lastSeconds = 0 }: PartitionCount,
): Promise<string> {
  const { disk, paths } = scope
  const { target } = await assignPermanentName(scope, aside, `${firstSeconds}-${lastSeconds}`)
  await disk.syncFolder(paths.partitions)
  await removeIfThere(disk, aside)
  return target
}

async function keepManifest(scope: WritingScope): Promise<void> {
  const bytes = await readSmallFile(scope.disk, scope.paths.manifest)
  if (bytes === undefined) return
  const kept = await keepDamagedBytes(scope.disk, scope.paths.manifest, bytes)
  scope.noticed(`manifest.json was damaged; it is kept as ${path.basename(kept)}.`)
}
