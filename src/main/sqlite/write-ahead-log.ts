import type { BlockingFile } from '../disk/node/blocking-file'

/** The two running sums of a log, each a signed number of 32 bits. */
export type LogSums = readonly [first: number, second: number]

/** A write-ahead log as far as it was read. */
export interface WriteAheadLog {
  /** Its first 32 bytes, which every restart of the log changes. */
  readonly header: Buffer
  readonly pageSize: number
  /** So many frames were read; the last one is a commit. */
  frames: number
  /** The sums after that frame. */
  sums: LogSums
  /** Offsets in the log's file of each page's newest committed copy, by page number. */
  readonly pages: Map<number, number>
  /** Pages of the whole database after the last commit. */
  pageCount: number
}

/** Bytes of a log's header. */
export const headerBytes = 32
/** Bytes of the head of each frame. */
export const frameHeadBytes = 24
/** The file format's mark of a log whose sums are little-endian: that of every machine that is supported. */
const littleEndianMark = 0x377f0682
/** Bytes of a log that are read at once. */
export const largestChunkBytes = 1024 * 1024

/** Reads at most `length` bytes; fewer where the file ends, none where there is no file. */
export function bytesAt(file: BlockingFile | undefined, position: number, length: number): Buffer {
  // With a buffer of its own: the sums are taken over aligned numbers.
  const into = Buffer.allocUnsafeSlow(length)
  if (file === undefined) return into.subarray(0, 0)
  let done = 0
  for (let read = 1; read > 0 && done < length; done += read)
    read = file.read(into.subarray(done), position + done)
  return into.subarray(0, done)
}

/**
 * Begins to read a log, of which nothing is followed yet; undefined where the file is none, or has no sound header. As
 * SQLite, which makes nothing of such a file.
 */
export function beginLog(file: BlockingFile | undefined): WriteAheadLog | undefined {
  const header = readHeader(file)
  if (header.length < headerBytes || header.readUInt32BE(0) !== littleEndianMark) return undefined
  const sums = addUp(header.subarray(0, 24), [0, 0])
  if (!isSum(sums, header, 24)) return undefined
  const pageSize = header.readUInt32BE(8)
  // A size that no database can have would be read as one endless frame.
  if (pageSize < 512 || pageSize > 65536 || (pageSize & (pageSize - 1)) !== 0) return undefined
  return { header, pageSize, frames: 0, sums, pages: new Map(), pageCount: 0 }
}

/** Takes the commits that were added to a log since it was read; costs one reading of what is new. */
export function followLog(log: WriteAheadLog, file: BlockingFile | undefined): void {
  for (const commit of commitsAfter(log, file)) {
    for (const [page, position] of commit.pages) log.pages.set(page, position)
    log.frames = commit.frames
    log.sums = commit.sums
    log.pageCount = commit.pageCount
  }
}

/** Tells whether a log has a commit behind those that were read. */
export function hasGrown(log: WriteAheadLog, file: BlockingFile | undefined): boolean {
  return commitsAfter(log, file).next().done !== true
}

/** Tells whether the file still begins with the header of this log: none of its frames was written over. */
export function isSameLog({ header }: WriteAheadLog, file: BlockingFile | undefined): boolean {
  return readHeader(file).equals(header)
}

/** Returns the end of the last commit that was read of a log, in bytes. */
export function endOf({ frames, pageSize }: WriteAheadLog): number {
  return headerBytes + frames * (frameHeadBytes + pageSize)
}

/** Returns the salts of a log, which its shared index has too. */
export function saltsOf({ header }: WriteAheadLog): Buffer {
  return header.subarray(16, 24)
}

function readHeader(file: BlockingFile | undefined): Buffer {
  return bytesAt(file, 0, headerBytes)
}

interface Commit extends Pick<WriteAheadLog, 'frames' | 'sums' | 'pageCount'> {
  /** Its own pages alone. */
  readonly pages: ReadonlyMap<number, number>
}

/**
 * The commits behind those that `log` has, as SQLite's own recovery takes them: a frame counts if it has the header's
 * salts, its running sum is right, and a frame that ends a commit follows.
 */
function* commitsAfter(log: WriteAheadLog, file: BlockingFile | undefined): Generator<Commit> {
  const frameBytes = frameHeadBytes + log.pageSize
  const mostFrames = Math.ceil(largestChunkBytes / frameBytes)
  const salts = saltsOf(log)
  let { frames, sums } = log
  let pages = new Map<number, number>()
  // Mostly there is nothing or little new: the first read is of one frame.
  for (let many = 1; ; many = Math.min(many * 4, mostFrames)) {
    const chunk = bytesAt(file, headerBytes + frames * frameBytes, many * frameBytes)
    for (let at = 0; at + frameBytes <= chunk.length; at += frameBytes) {
      if (!chunk.subarray(at + 8, at + 16).equals(salts)) return
      const head = addUp(chunk.subarray(at, at + 8), sums)
      sums = addUp(chunk.subarray(at + frameHeadBytes, at + frameBytes), head)
      if (!isSum(sums, chunk, at + 16)) return
      pages.set(chunk.readUInt32BE(at), headerBytes + frames * frameBytes + frameHeadBytes)
      frames += 1
      const pageCount = chunk.readUInt32BE(at + 4)
      if (pageCount === 0) continue
      yield { frames, sums, pages, pageCount }
      pages = new Map()
    }
    if (chunk.length < many * frameBytes) return
  }
}

/** Adds bytes to the running sums before them. @param bytes a multiple of eight, from an address that four divides */
export function addUp(bytes: Buffer, [first, second]: LogSums): LogSums {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
  let a = first
  let b = second
  for (let at = 0; at < words.length; at += 2) {
    a = (a + (words[at] ?? 0) + b) | 0
    b = (b + (words[at + 1] ?? 0) + a) | 0
  }
  return [a, b]
}

function isSum([a, b]: LogSums, bytes: Buffer, at: number): boolean {
  return a === bytes.readInt32BE(at) && b === bytes.readInt32BE(at + 4)
}

/** Reads the sums that are stored in a header, or in the head of a frame. */
export function storedSums(bytes: Buffer, at: number): LogSums {
  return [bytes.readInt32BE(at), bytes.readInt32BE(at + 4)]
}
