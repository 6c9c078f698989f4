import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Disk } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { readSmallText } from '../../disk/reading/read'
import { appendDurably } from '../../disk/writing/append'
import type { ContextPaths } from '../core/home-paths'

/** Sums are kept for each of these, to find a changed place; the digest alone decides whether anything changed. */
const blockBytes = 1024
const sumBytes = 7
const chunkBytes = 256 * blockBytes
const largestSealFile = 256 * 1024 * 1024

/** A seal of a partition: its digest, and sums that help to locate a changed byte. */
export const Seal = z.object({
  /** Relative to transcript/. */
  file: z.string(),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  /** Base64; for each 1,024 bytes their sum (3 bytes) and the sum of each times its position (4 bytes). */
  sums: z.string(),
  /** A stopped process may have been about to write to it: lines behind the sealed bytes are no fault. */
  mayGrow: z.boolean().optional(),
})
export type Seal = z.infer<typeof Seal>
/** The part of a damaged seal that names its file. */
const Named = z.object({ file: z.string() })

const LateWrite = z.object({
  /** Where its bytes begin in the partition. */
  late: z.number(),
  bytes: z.number(),
  /** Of these bytes. */
  sha256: z.string(),
})
/**
 * A record of bytes that follow a seal: a process had the file open when it was archived, was stopped right before its
 * write, and recorded it when it woke.
 */
export type LateWrite = z.infer<typeof LateWrite>

/** The place at which a file differs from its seal. */
export interface SealDifference {
  /** The first byte that changed; exact when it is the only one, or bytes were added; else its block's first byte. */
  readonly firstChangedByte: number | undefined
  /** The changed byte lies within so many bytes from there: 1 when it is exact. */
  readonly withinBytes: number | undefined
  /** The sealed bytes are unchanged: this many bytes follow them. */
  readonly addedBytes?: number
  /** The seal allows bytes there. */
  readonly wasExpected?: boolean
}

/** The content of a context's file of seals. */
export interface SealFile {
  /** By the file that they seal; the last one of a file counts. */
  readonly seals: ReadonlyMap<string, Seal>
  /** Files that a damaged line names, and no good line after it: whether they are unchanged is unknown. */
  readonly unproven: ReadonlySet<string>
  readonly late: readonly LateWrite[]
  readonly lines: number
  /** Lines that are neither. One that was cut off and written again as a whole, as after a crash, is not counted. */
  readonly damaged: number
}

/**
 * Reads the seals of a context; lines that cannot be parsed are counted.
 *
 * @throws DiskError
 */
export async function readSeals(disk: Disk, paths: ContextPaths): Promise<SealFile> {
  const text = (await readSmallText(disk, paths.seals, largestSealFile)) ?? ''
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const seals = new Map<string, Seal>()
  const unproven = new Set<string>()
  const late: LateWrite[] = []
  let damaged = 0
  // From the end: a seal of a partition is always the same text, so a later whole line shows which one was cut off.
  const later: string[] = []
  for (const line of lines.reverse()) {
    const value = parse(line)
    const seal = Seal.safeParse(value).data
    const named = seal?.file ?? Named.safeParse(value).data?.file
    const isKnown = named !== undefined && (seals.has(named) || unproven.has(named))
    const lateWrite = seal === undefined ? LateWrite.safeParse(value).data : undefined
    if (lateWrite !== undefined) late.push(lateWrite)
    else if (seal === undefined && !later.some((whole) => whole.startsWith(line))) {
      damaged += 1
      if (named !== undefined && !isKnown) unproven.add(named)
    }
    if (seal !== undefined) {
      later.push(line)
      if (!isKnown) seals.set(seal.file, seal)
    }
  }
  return { seals, unproven, late, lines: lines.length, damaged }
}

/**
 * Records bytes that were written to a partition after it may have been sealed. Durable on return.
 *
 * @throws DiskError
 */
export async function recordLateWrite(
  disk: Disk,
  paths: ContextPaths,
  at: number,
  bytes: Uint8Array,
): Promise<void> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const late: LateWrite = { late: at, bytes: bytes.length, sha256 }
  await appendSealLine(disk, paths, late)
}

/** Seals a file as it is now; reads all of it. */
export async function addSeal(
  disk: Disk,
  paths: ContextPaths,
  file: string,
  target: string,
  mayGrow: boolean,
): Promise<void> {
  const { sha256, sums, bytes } = await measure(disk, target, Number.POSITIVE_INFINITY)
  const sealed: Seal = { file, bytes, sha256, sums: sums.toString('base64') }
  const seal = mayGrow ? { ...sealed, mayGrow } : sealed
  await appendSealLine(disk, paths, seal)
}

async function appendSealLine(
  disk: Disk,
  paths: ContextPaths,
  line: Seal | LateWrite,
): Promise<void> {
  await appendDurably(disk, paths.seals, Buffer.from(JSON.stringify(line)))
}

/**
 * Compares a file with its seal; undefined when nothing changed, except for late writes that are on record. Reads all
 * of it.
 */
export async function compareWithSeal(
  disk: Disk,
  seal: Seal,
  late: readonly LateWrite[],
  target: string,
  signal?: AbortSignal,
): Promise<SealDifference | undefined> {
  // Of a file that has grown, the bytes that were sealed are summed: then the first new byte is known.
  const now = await measure(disk, target, seal.bytes, signal)
  if (now.sha256 === seal.sha256 && now.bytes === seal.bytes) return undefined
  if (now.bytes > seal.bytes && now.sumsSha256 === seal.sha256) {
    const end = await endOfRecorded(disk, seal.bytes, late, target)
    if (end === now.bytes) return undefined
    const wasExpected = seal.mayGrow === true
    return { firstChangedByte: end, withinBytes: 1, addedBytes: now.bytes - end, wasExpected }
  }
  const then = Buffer.from(seal.sums, 'base64')
  // Sums of another number of bytes cannot locate it; the digest proves that the file changed.
  const isSummed = then.length === Math.ceil(seal.bytes / blockBytes) * sumBytes
  if (!isSummed) return { firstChangedByte: undefined, withinBytes: undefined }
  const shorter = Math.min(seal.bytes, now.bytes)
  for (let start = 0, at = 0; start < shorter; start += blockBytes, at += sumBytes) {
    const [before, after] = [then, now.sums].map((sums) => sums.subarray(at, at + sumBytes))
    if (before === undefined || after === undefined || before.equals(after)) continue
    const changed = onlyByte(start, before, after)
    if (changed !== undefined && (await isRestored(disk, seal, target, changed, signal)))
      return { firstChangedByte: changed.at, withinBytes: 1 }
    return { firstChangedByte: start, withinBytes: blockBytes }
  }
  // All that both have is the same: one is longer. (Or the sums agree by chance, but the digests differ.)
  if (seal.bytes !== now.bytes) return { firstChangedByte: shorter, withinBytes: 1 }
  return { firstChangedByte: undefined, withinBytes: undefined }
}

/** A byte and what was added to it. */
interface ChangedByte {
  readonly at: number
  readonly by: number
}

/** One changed byte moves the sum of its block by its difference, and the weighted sum by that times its position. */
function onlyByte(start: number, before: Buffer, after: Buffer): ChangedByte | undefined {
  const by = after.readUIntBE(0, 3) - before.readUIntBE(0, 3)
  const position = (after.readUIntBE(3, 4) - before.readUIntBE(3, 4)) / by - 1
  const isPosition = Number.isInteger(position) && position >= 0 && position < blockBytes
  return isPosition && Math.abs(by) < 256 ? { at: start + position, by } : undefined
}

/** The proof that nothing else has changed: with that byte as it was, the digest is the sealed one. */
async function isRestored(
  disk: Disk,
  seal: Seal,
  target: string,
  changed: ChangedByte,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const hash = createHash('sha256')
  for await (const { chunk, offset } of chunksOf(disk, target, seal.bytes, signal)) {
    const at = changed.at - offset
    if (at >= 0 && at < chunk.length) chunk[at] = (chunk[at] ?? 0) - changed.by
    hash.update(chunk)
  }
  return hash.digest('hex') === seal.sha256
}

/** The end of the recorded late writes that follow a seal, one after the other. */
async function endOfRecorded(
  disk: Disk,
  from: number,
  late: readonly LateWrite[],
  target: string,
): Promise<number> {
  const file = await disk.open(target, 'read')
  try {
    for (let at = from; ; ) {
      let end = at
      for (const write of late)
        if (write.late === at && end === at) {
          const bytes = await readExactly(file, at, write.bytes)
          if (createHash('sha256').update(bytes).digest('hex') === write.sha256) end += write.bytes
        }
      if (end === at) return at
      at = end
    }
  } finally {
    await file.close()
  }
}

async function measure(disk: Disk, target: string, sumsUpTo: number, signal?: AbortSignal) {
  const hash = createHash('sha256')
  const sumsHash = createHash('sha256')
  const sums: Buffer[] = []
  let bytes = 0
  for await (const { chunk } of chunksOf(disk, target, Number.POSITIVE_INFINITY, signal)) {
    hash.update(chunk)
    const summed = chunk.subarray(0, Math.max(0, sumsUpTo - bytes))
    sumsHash.update(summed)
    for (let at = 0; at < summed.length; at += blockBytes)
      sums.push(sumsOf(summed.subarray(at, at + blockBytes)))
    bytes += chunk.length
  }
  return {
    sha256: hash.digest('hex'),
    /** Of the bytes that were summed. */
    sumsSha256: sumsHash.digest('hex'),
    sums: Buffer.concat(sums),
    bytes,
  }
}

async function* chunksOf(disk: Disk, target: string, upTo: number, signal?: AbortSignal) {
  const file = await disk.open(target, 'read')
  try {
    for (let offset = 0; offset < upTo; ) {
      signal?.throwIfAborted()
      const chunk = await readExactly(file, offset, Math.min(chunkBytes, upTo - offset))
      if (chunk.length === 0) return
      yield { chunk, offset }
      offset += chunk.length
    }
  } finally {
    await file.close()
  }
}

function sumsOf(block: Uint8Array): Buffer {
  let sum = 0
  let weighted = 0
  for (let i = 0; i < block.length; i++) {
    const byte = block[i] ?? 0
    sum += byte
    // Positions count from 1: at 0 a byte would not show in this sum.
    weighted += byte * (i + 1)
  }
  const out = Buffer.alloc(sumBytes)
  out.writeUIntBE(sum, 0, 3)
  out.writeUIntBE(weighted, 3, 4)
  return out
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined // No JSON: it is counted as a damaged line.
  }
}
