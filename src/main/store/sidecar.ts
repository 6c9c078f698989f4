import path from 'node:path'
import { encodeFilter, isOurFilter } from '../bloom/file-format'
import { GramFilter } from '../bloom/gram-filter'
import { replaceFile } from '../disk/atomic'
import { readSmallFile } from '../disk/read'
import type { TranscriptFile } from './context-files'
import type { WritingScope } from './writing'

/** The name of a partition's filter, beside it. */
export function sidecarOf(partition: string): string {
  return partition.replace(/\.jsonl$/, '.bloom')
}

/**
 * Writes a partition's filter beside it and returns its name relative to transcript/.
 *
 * A filter that is there and not ours is left alone, and named. A failure is told and costs only speed: undefined.
 */
export async function writeSidecar(
  scope: WritingScope,
  file: TranscriptFile,
  grams: ReadonlySet<number>,
): Promise<string | undefined> {
  const target = sidecarOf(file.path)
  const name = path.relative(scope.paths.transcript, target).split(path.sep).join('/')
  try {
    const there = await readSmallFile(scope.disk, target, Number.MAX_SAFE_INTEGER)
    if (there === undefined || isOurFilter(there)) {
      const filter = GramFilter.ofGrams(grams)
      const bytes = encodeFilter({ filter, covers: file.sizeBytes })
      // A filter carries its digest: one that a power failure has emptied is not trusted, and can be made again.
      await replaceFile(scope.disk, target, bytes, { durable: false })
    }
    return name
  } catch (error) {
    scope.noticed(`${path.basename(target)} was not written: ${(error as Error).message}`)
    return undefined
  }
}
