import { largestOf } from '../../../shared/model/basics/long-lists'
import type { SearchFile } from '../../../shared/model/search'
import type { Disk } from '../../disk/interface/disk'
import type { IndexedFile, IndexedRun } from '../parts/part-format'
import type { PartIndex } from '../parts/part-index'
import { readRunDigest } from './run-digest'

/** A run of a part, found by the identity of its file. */
export interface KnownRun {
  readonly part: PartIndex
  readonly segment: number
  readonly run: IndexedRun
  /** Bytes of the segment before it. */
  readonly before: number
  readonly file: IndexedFile
}

/** The bytes of a file that a segment covers. */
export interface CoveredRun {
  readonly part: PartIndex
  readonly segment: number
  readonly from: number
  readonly to: number
  readonly firstLine: number
  /** What it is, or the beginning of it, with the bytes of the segment before it. */
  readonly run: IndexedRun
  readonly before: number
}

/** The coverage of a file by the index: runs from its beginning that can be trusted, and where the rest starts. */
export interface FileCoverage {
  readonly file: SearchFile
  readonly runs: readonly CoveredRun[]
  /** The chain of the runs; undefined where there are none. */
  readonly chain: string | undefined
  /** Where what no filter covers begins; at the file's end when all is covered. */
  readonly end: number
  readonly endLine: number
  /** The side filter that the runs are from; absent where they are from the cache. */
  readonly filter?: FilterFile
}

/** A filter that lies beside its file, by path and digest. */
export interface FilterFile {
  readonly path: string
  readonly sha256: string
}

/** Groups every run of every part by the identity of its file. */
export function groupRunsByFile(
  parts: readonly PartIndex[],
): ReadonlyMap<string, readonly KnownRun[]> {
  const found = new Map<string, KnownRun[]>()
  for (const part of parts)
    part.segments.forEach((indexed, segment) => {
      let before = 0
      for (const run of indexed.runs) {
        const file = part.files[run.file]
        const one = file && { part, segment, run, before, file }
        before += run.to - run.from
        if (one === undefined) continue
        const runs = found.get(one.file.identity)
        if (runs === undefined) found.set(one.file.identity, [one])
        else runs.push(one)
      }
    })
  return found
}

/**
 * Finds the runs of a file that can be trusted.
 *
 * A file of the same size and time is unchanged. One that grew is trusted where every indexed byte is unchanged: that
 * costs reading these bytes, a tenth of what searching them costs. A file that changed otherwise has to be indexed
 * again.
 */
export async function coverFile(
  disk: Disk,
  file: SearchFile,
  known: readonly KnownRun[],
  isDocument: boolean,
): Promise<FileCoverage> {
  for (const runs of chainsOf(known, file.decoder)) {
    const snapshots = runs.map((each) => each.file)
    const isSame = snapshots.some(
      ({ sizeBytes, mtimeMs }) => sizeBytes === file.sizeBytes && mtimeMs === file.mtimeMs,
    )
    if (isSame) return coverage(file, runs, false)
    const largest = largestOf(snapshots.map(({ sizeBytes }) => sizeBytes))
    if (!isDocument && file.sizeBytes > largest && (await isUnchanged(disk, file, runs)))
      return coverage(file, runs, true)
  }
  return coverage(file, [], false)
}

/**
 * Finds the runs of a file that its side filter covers: all where size and time are those of when the filter was made,
 * else those whose bytes are unchanged, which costs reading them.
 */
export async function coverCopy(
  disk: Disk,
  file: SearchFile,
  known: readonly KnownRun[],
): Promise<FileCoverage> {
  const snapshot = known[0]?.file
  if (snapshot?.decoder !== file.decoder || file.sizeBytes < snapshot.sizeBytes)
    return coverage(file, [], false)
  const isSame = file.sizeBytes === snapshot.sizeBytes && isSameTime(file.mtimeMs, snapshot.mtimeMs)
  if (!isSame && !(await isUnchanged(disk, file, known))) return coverage(file, [], false)
  return coverage(file, known, file.sizeBytes > snapshot.sizeBytes)
}

/** Programs that copy keep whole milliseconds or whole seconds, some of them. */
function isSameTime(now: number, then: number): boolean {
  return Math.abs(now - then) < 1 || (now % 1000 === 0 && now === Math.floor(then / 1000) * 1000)
}

function chainsOf(known: readonly KnownRun[], decoder: string): readonly (readonly KnownRun[])[] {
  const chains = new Map<string, KnownRun[]>()
  for (const each of known) {
    if (each.file.decoder !== decoder) continue
    const chain = chains.get(each.file.chain)
    if (chain === undefined) chains.set(each.file.chain, [each])
    else chain.push(each)
  }
  // The newest first: an older chain is of a file that was since replaced.
  return [...chains.values()].reverse()
}

function coverage(file: SearchFile, runs: readonly KnownRun[], hasGrown: boolean): FileCoverage {
  const covered: CoveredRun[] = []
  let end = file.own?.offset ?? 0
  let endLine = file.own?.line ?? 1
  for (const { part, segment, run, before } of [...runs].sort((a, b) => a.run.from - b.run.from)) {
    // What has no line feed may be another line now.
    const to = hasGrown ? (run.openLine ?? run.to) : run.to
    if (run.from > end) break
    if (to <= end) continue
    covered.push({ part, segment, from: end, to, firstLine: endLine, run, before })
    end = to
    endLine = run.firstLine + run.lines
  }
  return { file, runs: covered, chain: runs[0]?.file.chain, end, endLine }
}

async function isUnchanged(
  disk: Disk,
  file: SearchFile,
  runs: readonly KnownRun[],
): Promise<boolean> {
  const opened = await disk.open(file.path, 'read').catch(() => undefined)
  if (opened === undefined) return false
  try {
    if ((await opened.stat()).identity !== file.identity) return false
    for (const { run } of runs)
      if ((await readRunDigest(opened, run.from, run.to)) !== run.digest) return false
    return true
  } catch {
    return false // The search reads it and reports why it cannot be read.
  } finally {
    await opened.close()
  }
}
