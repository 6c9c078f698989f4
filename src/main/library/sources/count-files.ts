import path from 'node:path'
import type { CountedFiles, CountedKind } from '../../../shared/model/settings/source-roots'
import type { Disk, FileStat } from '../../disk/interface/disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import type { Footprint, HistoryReader } from '../../readers/common/reader'

/** Files under a root, as far as names, sizes and times tell. */
export type CountedRoot =
  | { readonly type: 'counted'; readonly files: CountedFiles }
  /** Its files have no names by which they could be counted. */
  | { readonly type: 'there' }
  | { readonly type: 'missing' }
  | { readonly type: 'unreadable'; readonly why: string }

const kinds: readonly CountedKind[] = ['conversation', 'database', 'day', 'file', 'export']

/**
 * Counts the files of a system under a root by their names, sizes and times. Opens none of them. Rejects where the signal
 * aborted.
 */
export async function countFiles(
  { footprint }: Pick<HistoryReader, 'footprint'>,
  root: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<CountedRoot> {
  try {
    if (footprint === undefined)
      return { type: (await disk.stat(root)) === undefined ? 'missing' : 'there' }
    return await counted(footprint, root, disk, signal)
  } catch (error) {
    signal.throwIfAborted()
    return { type: 'unreadable', why: error instanceof Error ? error.message : String(error) }
  }
}

async function counted(
  footprint: Footprint,
  root: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<CountedRoot> {
  const stat = await disk.stat(root)
  if (stat === undefined) return { type: 'missing' }
  const sum = new Sum()
  if (stat.kind === 'file') sum.add(kinds.find((kind) => footprint[kind]) ?? 'file', root, stat)
  else {
    const inside = await disk.list(root)
    for (const kind of [...kinds, 'beside' as const])
      for (const layout of footprint[kind] ?? [])
        for await (const found of filesAt(layout, root, inside, disk, signal))
          sum.add(kind, ...found)
  }
  return { type: 'counted', files: sum.files }
}

type Layout = readonly (string | RegExp)[]

/** The files below a folder that lie as a layout says, with their paths. A folder inside that cannot be listed is passed. */
async function* filesAt(
  [wanted, ...rest]: Layout,
  folder: string,
  names: readonly string[],
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<readonly [file: string, stat: FileStat]> {
  if (wanted === undefined) return
  const alike = names.filter((name) =>
    typeof wanted === 'string' ? name === wanted : !name.startsWith('.') && wanted.test(name),
  )
  if (rest.length > 0) {
    for (const name of alike) {
      signal.throwIfAborted()
      const inside = path.join(folder, name)
      yield* filesAt(rest, inside, await disk.list(inside).catch(() => []), disk, signal)
    }
    return
  }
  const stats = await mapConcurrent(alike, async (name) => {
    signal.throwIfAborted()
    const file = path.join(folder, name)
    return [file, await disk.stat(file).catch(() => undefined)] as const
  })
  for (const [file, stat] of stats) if (stat?.kind === 'file') yield [file, stat]
}

/** Counts of files, each counted once. */
class Sum {
  private readonly seen = new Set<string>()
  private readonly counts = new Map<CountedKind, number>()
  private bytes = 0
  private newestMs: number | undefined

  add(kind: CountedKind | 'beside', file: string, { sizeBytes, mtimeMs }: FileStat): void {
    if (this.seen.has(file)) return
    this.seen.add(file)
    if (kind !== 'beside') this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
    this.bytes += sizeBytes
    this.newestMs = Math.max(this.newestMs ?? mtimeMs, mtimeMs)
  }

  get files(): CountedFiles {
    const { bytes, newestMs } = this
    const counts = [...this.counts].map(([kind, count]) => ({ kind, count }))
    return { counts, bytes, ...(newestMs === undefined ? {} : { newestMs }) }
  }
}
