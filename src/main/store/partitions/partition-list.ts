import path from 'node:path'
import type { PartitionRow, Partitions } from '../../../shared/model/conversation/partitions'
import type { Disk } from '../../disk/interface/disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import type { ContextPaths } from '../core/home-paths'
import { manifestOf, type PartitionRecord, type RotationPolicy } from '../core/manifest'
import type { ContextFiles, TranscriptFile } from '../files/context-files'
import { filterPathOf } from '../filters/sidecar'
import { countPartition } from './partition-count'
import { readSeals } from './seals'

/** A file that the manifest does not describe and that is larger is not counted here: Details counts it. */
const mostCountedBytes = 16 * 1024 * 1024

/**
 * Lists the files of a transcript with their facts in the manifest and the seals. Reads those of up to 16 MB that the
 * manifest does not describe, as the active one.
 *
 * @throws DiskError, FileMovedError
 */
export async function listPartitions(
  disk: Disk,
  paths: ContextPaths,
  found: ContextFiles,
  policy: RotationPolicy,
): Promise<Partitions> {
  const records = new Map(
    (manifestOf(found.manifest)?.partitions ?? []).map((record) => [record.file, record]),
  )
  const { seals, unproven } = await readSeals(disk, paths)
  const rows = await mapConcurrent(found.files, async (file): Promise<PartitionRow> => {
    const name = path.relative(paths.transcript, file.path).split(path.sep).join('/')
    const record = records.get(name)
    const isPartition = file.kind === 'partition'
    const known =
      record === undefined ? await counted(disk, paths, file, policy) : describeRecord(record)
    return {
      ...known,
      file: path.relative(paths.folder, file.path).split(path.sep).join('/'),
      isActive: file.path === found.activePath,
      bytes: file.sizeBytes,
      seal: unproven.has(name) ? 'unproven' : seals.has(name) ? 'sealed' : 'none',
      hasFilter: isPartition && (await disk.stat(filterPathOf(file.path)))?.kind === 'file',
      isStray: isPartition && record === undefined,
    }
  })
  return {
    rows: [...rows],
    thresholds: {
      entries: policy.maxEntries,
      tokens: policy.maxTokens ?? null,
      ageSeconds: policy.maxAgeSeconds,
    },
  }
}

type Known = Pick<PartitionRow, 'start' | 'end' | 'entries' | 'tokens'>

function describeRecord({ start_ts, end_ts, entry_count, token_count }: PartitionRecord): Known {
  return { start: start_ts, end: end_ts, entries: entry_count, tokens: token_count ?? null }
}

/** A file that the manifest does not describe: the active one, a stray, a legacy one. */
async function counted(
  disk: Disk,
  paths: ContextPaths,
  file: TranscriptFile,
  policy: RotationPolicy,
): Promise<Known> {
  const nothing = { start: null, end: null, entries: null, tokens: null }
  if (file.sizeBytes > mostCountedBytes || file.kind === 'document') return nothing
  const count = await countPartition({ disk, paths }, file, policy.bytesPerToken)
  const { firstSeconds = null, lastSeconds = null, entries, tokens } = count
  return { start: firstSeconds, end: lastSeconds, entries, tokens }
}
