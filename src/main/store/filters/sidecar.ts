import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { readLines } from '../../disk/reading/lines'
import { readSmallFile } from '../../disk/reading/read'
import { replaceFile } from '../../disk/writing/atomic'
import { buildPart } from '../../segments/build/build-part'
import { encodeFilter, isOurFilter } from '../../segments/coverage/filter-file'
import type { WritingScope } from '../core/writing-scope'
import { chibiDecoder } from './chibi-decoder'

/** Returns the path of a partition's filter, which lies beside it. */
export function filterPathOf(partition: string): string {
  return partition.replace(/\.jsonl$/, '.bloom')
}

/**
 * Writes a partition's filter beside it and returns its name relative to transcript/: the search index of that
 * partition (decision 33). Reads the partition once more.
 *
 * A partition with a line of more than 1 MB gets none. An existing filter that is not ours is left alone, and its name
 * returned. A failure costs only speed: it becomes a notice, and the result is undefined.
 */
export async function writePartitionFilter(
  scope: WritingScope,
  partition: string,
): Promise<string | undefined> {
  const target = filterPathOf(partition)
  const name = path.relative(scope.paths.transcript, target).split(path.sep).join('/')
  try {
    const there = await readSmallFile(scope.disk, target, Number.MAX_SAFE_INTEGER)
    if (there !== undefined && !isOurFilter(there)) return name
    const bytes = await filterOf(scope, partition)
    if (bytes === undefined) return undefined
    // A filter carries its digest: one that a power failure has emptied is not trusted, and can be made again.
    await replaceFile(scope.disk, target, bytes, { durable: false })
    return name
  } catch (error) {
    scope.noticed(`${path.basename(target)} was not written: ${(error as Error).message}`)
    return undefined
  }
}

/** A longer line would be indexed here at once: a thread of the search does it, and needs no filter. In bytes. */
const longestIndexed = 1024 * 1024

async function hasLongLine(disk: Disk, partition: string): Promise<boolean> {
  const file = await disk.open(partition, 'read')
  try {
    for await (const lines of readLines(file, { longestBytes: longestIndexed }))
      if (lines.some(({ length }) => length > longestIndexed)) return true
    return false
  } finally {
    await file.close()
  }
}

async function filterOf(
  { disk }: WritingScope,
  partition: string,
): Promise<Uint8Array | undefined> {
  const stat = await disk.stat(partition)
  if (stat === undefined) return undefined
  const { identity, sizeBytes, mtimeMs } = stat
  if (sizeBytes > longestIndexed && (await hasLongLine(disk, partition))) return undefined
  const part = await buildPart(disk, { chibi: chibiDecoder }, [
    {
      path: partition,
      identity,
      sizeBytes,
      mtimeMs,
      decoder: 'chibi',
      chain: '',
      from: 0,
      to: sizeBytes,
      firstLine: 1,
      travels: true,
    },
  ])
  return part && encodeFilter(part, sizeBytes)
}
