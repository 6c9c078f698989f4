import type { DiskFile } from '../interface/disk'
import { type YieldToOthers, yieldToOthers } from '../pacing/slices'

/** A line of a file, framed on byte 0x0A alone: a carriage return or a byte order mark is still in `bytes`. */
export interface FileLine {
  /** Without the line feed. Shorter than `length` when the line is longer than the limit: then only its beginning. */
  readonly bytes: Uint8Array
  /** In bytes from the start of the file. */
  readonly offset: number
  /** In bytes, without the line feed. */
  readonly length: number
  /** False for bytes after the last line feed: the line may still be growing. */
  readonly ended: boolean
}

/**
 * Length up to which a line is held whole, in bytes. Of a longer one only the first bytes are kept; no record is that
 * long.
 */
export const longestLineBytes = 100 * 1024 * 1024
const keptOfOverlong = 4096

/**
 * Lines of a batch at most, with a pause before the next: a chunk of 1 MB may have a million empty ones, each of which
 * costs its reader about as much as a short one.
 */
export const mostLinesABatch = 2000

const lineFeed = 0x0a
const forwardChunkBytes = 1024 * 1024
/** The first chunk of a file whose size nobody told, and how much larger each is than the one before it. */
const firstForwardChunkBytes = 64 * 1024
const chunkGrowth = 4
/** The chunk behind one that was not filled: there is no more, or very little. */
const lastChunkBytes = 4096
const firstBackwardChunkBytes = 64 * 1024

/** Range, chunks and limits of `readLines`; offsets in bytes. */
export interface ForwardOptions {
  /** The offset to begin at: the start of a line. */
  readonly from?: number
  /** Reads no further than this offset; the bytes before it count as the file's whole. */
  readonly to?: number | undefined
  readonly chunkBytes?: number
  /** Read into again and again, instead of `chunkBytes`: lines are there until the next batch is asked for, and no longer. */
  readonly buffer?: Buffer
  readonly longestBytes?: number
  readonly signal?: AbortSignal | undefined
  /** The pause between two batches. */
  readonly giveWay?: YieldToOthers
}

interface BackwardOptions {
  /** Size of the first chunk; later ones are larger. For callers that want a line or two. */
  readonly firstChunkBytes?: number
  readonly longestBytes?: number
  readonly signal?: AbortSignal
  /** See `ForwardOptions`. */
  readonly giveWay?: YieldToOthers
}

/**
 * Returns the chunk size for a file, at most 1 MB and no larger than the file needs: for thousands of small files,
 * buffers of the full size would cost more than their lines.
 */
export function chunkBytesFor(sizeBytes: number): number {
  return Math.min(Math.max(sizeBytes + 1, 4096), forwardChunkBytes)
}

/**
 * Reads lines in file order, in batches: the lines that end in one chunk, `mostLinesABatch` at most. Yields to other
 * work between two batches. Holds a chunk and the line that spans it.
 */
export async function* readLines(
  file: DiskFile,
  options: ForwardOptions = {},
): AsyncGenerator<readonly FileLine[], void> {
  const longest = options.longestBytes ?? longestLineBytes
  const end = options.to ?? Number.POSITIVE_INFINITY
  const giveWay = options.giveWay ?? yieldToOthers
  let position = options.from ?? 0
  let spanning = new SpanningLine(position, longest)
  const { buffer } = options
  // For thousands of small files, chunks of the full size would cost more than their lines.
  let growing = firstForwardChunkBytes
  for (;;) {
    options.signal?.throwIfAborted()
    const want = Math.min(buffer?.length ?? options.chunkBytes ?? growing, end - position)
    // Else a fresh buffer each time: the lines of the last batch are views into theirs.
    const chunk = want > 0 ? (buffer?.subarray(0, want) ?? Buffer.allocUnsafeSlow(want)) : undefined
    const got = chunk ? await file.read(chunk, position) : 0
    if (chunk === undefined || got === 0) break
    growing = got < want ? lastChunkBytes : Math.min(growing * chunkGrowth, forwardChunkBytes)
    const read = chunk.subarray(0, got)
    let batch: FileLine[] = []
    let reported = 0
    let start = 0
    for (;;) {
      const at = read.indexOf(lineFeed, start)
      if (at < 0) break
      batch.push(spanning.finish(read.subarray(start, at), true))
      start = at + 1
      spanning = new SpanningLine(position + start, longest)
      if (batch.length < mostLinesABatch) continue
      yield batch
      options.signal?.throwIfAborted()
      await giveWay(start - reported)
      batch = []
      reported = start
    }
    const rest = read.subarray(start)
    if (rest.length > 0)
      spanning.add(buffer === undefined ? rest : Uint8Array.prototype.slice.call(rest))
    position += got
    if (batch.length > 0) yield batch
    await giveWay(got - reported)
  }
  if (spanning.length > 0) yield [spanning.finish(new Uint8Array(0), false)]
}

/**
 * Reads lines from the end towards the start, in batches of `mostLinesABatch` at most, each newest first. Yields to
 * other work between two batches. Reads little more than the lines that are used.
 *
 * `before` is the end of the file or the start of a line: a line feed right before it ends the first line.
 */
export async function* readLinesBackward(
  file: DiskFile,
  before: number,
  options: BackwardOptions = {},
): AsyncGenerator<readonly FileLine[], void> {
  const longest = options.longestBytes ?? longestLineBytes
  const giveWay = options.giveWay ?? yieldToOthers
  let position = before
  let chunkBytes = options.firstChunkBytes ?? firstBackwardChunkBytes
  let pieces: Uint8Array[] = []
  let pending = 0
  // The line being collected ends at `lineEnd` (exclusive); undefined until the first byte before `before` was seen.
  let lineEnd = before
  let ended = false
  let first = true

  const finish = async (offset: number): Promise<FileLine> => {
    const length = lineEnd - offset
    if (length > longest) {
      const head = await readExactly(file, offset, Math.min(length, keptOfOverlong))
      return { bytes: head, offset, length, ended }
    }
    const bytes = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces.reverse())
    return { bytes: bytes ?? new Uint8Array(0), offset, length, ended }
  }

  while (position > 0) {
    options.signal?.throwIfAborted()
    const want = Math.min(chunkBytes, position)
    const chunk = await readExactly(file, position - want, want)
    // The file was cut under us: the next reading finds what is left.
    if (chunk.length < want) return
    position -= want
    let batch: FileLine[] = []
    let end = chunk.length
    let reported = end
    if (first) {
      first = false
      if (chunk[end - 1] === lineFeed) {
        end -= 1
        ended = true
        lineEnd -= 1
      }
    }
    for (;;) {
      const at = end > 0 ? chunk.lastIndexOf(lineFeed, end - 1) : -1
      if (at < 0) break
      pieces.push(chunk.subarray(at + 1, end))
      batch.push(await finish(position + at + 1))
      pieces = []
      pending = 0
      ended = true
      lineEnd = position + at
      end = at
      if (batch.length < mostLinesABatch) continue
      yield batch
      options.signal?.throwIfAborted()
      await giveWay(reported - end)
      batch = []
      reported = end
    }
    if (end > 0) {
      pending += end
      // What is over the limit is not held: its beginning is read again when the line's start is known.
      if (pending > longest) pieces = []
      else pieces.push(chunk.subarray(0, end))
    }
    if (batch.length > 0) yield batch
    await giveWay(reported)
    chunkBytes = Math.min(chunkBytes * 2, forwardChunkBytes)
  }
  if (before > 0) yield [await finish(0)]
}

/** Reads `length` bytes from `position`; fewer when the file ends before. */
export async function readExactly(
  file: DiskFile,
  position: number,
  length: number,
): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(length)
  let filled = 0
  while (filled < length) {
    const got = await file.read(bytes.subarray(filled), position + filled)
    if (got === 0) break
    filled += got
  }
  return bytes.subarray(0, filled)
}

/** Collects the pieces of a line that spans chunks. */
class SpanningLine {
  length = 0
  private pieces: Uint8Array[] = []
  private readonly offset: number
  private readonly longest: number

  constructor(offset: number, longest: number) {
    this.offset = offset
    this.longest = longest
  }

  add(piece: Uint8Array): void {
    const before = this.length
    this.length += piece.length
    if (this.length <= this.longest) this.pieces.push(piece)
    // What is over the limit is not held, but for its beginning.
    else if (before <= Math.max(this.longest, keptOfOverlong))
      this.pieces = [beginningOf([...this.pieces, piece])]
  }

  finish(last: Uint8Array, ended: boolean): FileLine {
    if (this.length > 0) this.add(last)
    const length = this.length > 0 ? this.length : last.length
    const pieces = this.length > 0 ? this.pieces : [last]
    const isLong = length > this.longest
    const bytes = isLong
      ? beginningOf(pieces)
      : pieces.length === 1
        ? pieces[0]
        : Buffer.concat(pieces)
    return { bytes: bytes ?? new Uint8Array(0), offset: this.offset, length, ended }
  }
}

/** A copy, which keeps nothing else in memory. */
function beginningOf(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(keptOfOverlong)
  let filled = 0
  for (const piece of pieces) {
    const part = piece.subarray(0, keptOfOverlong - filled)
    bytes.set(part, filled)
    filled += part.length
  }
  return bytes.subarray(0, filled)
}
