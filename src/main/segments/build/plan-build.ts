import { randomBytes } from 'node:crypto'
import type { CoveredRun, FileCoverage } from '../coverage/coverage'
import { mostSegments } from '../parts/part-format'
import type { PartIndex } from '../parts/part-index'
import { type FileToIndex, segmentBytes } from './build-part'

/** A part to build, and the parts that it replaces. */
export interface BuildStep {
  readonly files: readonly FileToIndex[]
  readonly replaces: readonly string[]
  /** Bytes that no filter covers yet, of all files: what is left to do. */
  readonly uncoveredBytes: number
}

/** A part holds about this much: enough that its vocabulary is shared by many segments. */
const partBytes = (mostSegments - 16) * segmentBytes
/** Smaller ones are joined when there are as many as this. */
const smallPartBytes = partBytes / 4
const mostSmallParts = 8
/** Less than this is read by searches in no time: an index of its own would be one more part to ask. */
const leastBytes = 256 * 1024
const leastFiles = 32

/**
 * Decides which part to build next; undefined when none is worth it. The newest files come first, since people search
 * them most.
 *
 * @param foreign names of parts that may also serve files which this process does not search: they stay as they are
 *
 * @param all also builds what is small
 */
export function planBuild(
  coverages: readonly FileCoverage[],
  parts: ReadonlyMap<string, PartIndex>,
  foreign: ReadonlySet<string>,
  all: boolean,
): BuildStep | undefined {
  const tails = coverages.map(uncachedBytes).filter((bytes) => bytes > 0)
  const uncoveredBytes = tails.reduce((sum, bytes) => sum + bytes, 0)
  const isWorthIt =
    tails.length > 0 && (all || uncoveredBytes >= leastBytes || tails.length >= leastFiles)
  const replaced = partsToReplace(coverages, parts, foreign, isWorthIt)
  if (!isWorthIt && replaced.size === 0) return undefined
  const files: FileToIndex[] = []
  let bytes = 0
  const newest = [...coverages].sort((a, b) => b.file.mtimeMs - a.file.mtimeMs)
  for (const coverage of newest) {
    for (const piece of piecesOf(coverage, replaced, isWorthIt)) {
      // Whatever is in a part that goes away must be in the new one.
      if (bytes >= partBytes && piece.isTail) continue
      files.push(piece.file)
      bytes += piece.file.to - piece.file.from
    }
  }
  const names = [...parts].flatMap(([name, part]) => (replaced.has(part) ? [name] : []))
  return { files, replaces: names, uncoveredBytes }
}

/** Returns the bytes for which the cache has no filters; side filters are copied into it. */
function uncachedBytes({ file, end, filter }: FileCoverage): number {
  return file.sizeBytes - (filter === undefined ? end : 0)
}

/** Parts that are mostly dead, and small ones when there are many: as far as they fit into one. */
function partsToReplace(
  coverages: readonly FileCoverage[],
  parts: ReadonlyMap<string, PartIndex>,
  foreign: ReadonlySet<string>,
  growing: boolean,
): ReadonlySet<PartIndex> {
  const live = new Map<PartIndex, number>()
  for (const { runs } of coverages)
    for (const { part, from, to } of runs) live.set(part, (live.get(part) ?? 0) + to - from)
  const own = [...parts].filter(([name]) => !foreign.has(name)).map(([, part]) => part)
  const liveOf = (part: PartIndex) => live.get(part) ?? 0
  const dead = own.filter((part) => liveOf(part) * 2 < part.sourceBytes)
  // One that many files' own filters were taken over into is full, however short those files are.
  const isSmall = (part: PartIndex) =>
    liveOf(part) < smallPartBytes && part.segments.length < mostSegments / 2
  const small = own.filter((part) => isSmall(part) && !dead.includes(part))
  const candidates = small.length + (growing ? 1 : 0) > mostSmallParts ? [...dead, ...small] : dead
  const replaced = new Set<PartIndex>()
  let bytes = 0
  for (const part of candidates.sort((a, b) => liveOf(a) - liveOf(b))) {
    bytes += liveOf(part)
    if (bytes > partBytes) break
    replaced.add(part)
  }
  return replaced
}

interface Piece {
  readonly file: FileToIndex
  readonly isTail: boolean
}

/** Stretches of a file that are in replaced parts, and its uncovered rest; adjacent ones are one piece. */
function* piecesOf(
  coverage: FileCoverage,
  replaced: ReadonlySet<PartIndex>,
  withTail: boolean,
): Generator<Piece> {
  const { file, runs, end, endLine, filter } = coverage
  if (filter !== undefined) {
    if (withTail) yield wholeFile(coverage)
    return
  }
  const chain = coverage.chain ?? newChain()
  const { path, identity, sizeBytes, mtimeMs, decoder } = file
  const piece = (from: number, to: number, firstLine: number, isTail: boolean): Piece => ({
    file: { path, identity, sizeBytes, mtimeMs, decoder, chain, from, to, firstLine },
    isTail,
  })
  let open: { from: number; to: number; firstLine: number } | undefined
  for (const run of runs) {
    if (replaced.has(run.part)) open = joined(open, run)
    else if (open !== undefined) {
      yield piece(open.from, open.to, open.firstLine, false)
      open = undefined
    }
  }
  const hasTail = withTail && end < sizeBytes
  // A long rest gets a part of its own, lest what stood in the replaced ones finds no room.
  const joins = open !== undefined && hasTail && sizeBytes - end < smallPartBytes
  if (open !== undefined) yield piece(open.from, joins ? sizeBytes : open.to, open.firstLine, false)
  if (hasTail && !joins) yield piece(end, sizeBytes, endLine, true)
}

/** All of a file that has a filter of its own: that is taken over where it covers all, else the text is read. */
function wholeFile({ file, filter, end }: FileCoverage): Piece {
  const { path, identity, sizeBytes, mtimeMs, decoder } = file
  const whole = { from: 0, to: sizeBytes, firstLine: 1, chain: newChain() }
  const from = filter !== undefined && end >= sizeBytes ? { filter } : {}
  return { file: { path, identity, sizeBytes, mtimeMs, decoder, ...whole, ...from }, isTail: true }
}

function newChain(): string {
  return randomBytes(6).toString('hex')
}

function joined(
  open: { from: number; to: number; firstLine: number } | undefined,
  run: CoveredRun,
): { from: number; to: number; firstLine: number } {
  return { from: open?.from ?? run.from, to: run.to, firstLine: open?.firstLine ?? run.firstLine }
}
