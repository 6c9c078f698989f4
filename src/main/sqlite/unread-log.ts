import type { BlockingFile } from '../disk/node/blocking-file'
import {
  bytesAt,
  frameHeadBytes,
  hasGrown,
  headerBytes,
  largestChunkBytes,
  saltsOf,
  type WriteAheadLog,
} from './write-ahead-log'

/** Facts about a log from the index that writers share. */
export interface SharedIndex {
  /** So many frames are committed. */
  readonly frames: number
  readonly salts: Buffer
}

/** Places in the shared index: it begins with two copies of a head, and a writer changes one after the other. */
const headBytes = 48
const isInitAt = 12
const framesAt = 16
const saltsAt = 32

/** Parses the beginning of a shared index; undefined where it is none, or being written. */
export function sharedIndexIn(bytes: Buffer): SharedIndex | undefined {
  if (bytes.length < 2 * headBytes || bytes[isInitAt] !== 1) return undefined
  const head = bytes.subarray(0, headBytes)
  if (!head.equals(bytes.subarray(headBytes, 2 * headBytes))) return undefined
  return { frames: head.readUInt32LE(framesAt), salts: head.subarray(saltsAt, saltsAt + 8) }
}

/** The bytes of a shared index that `sharedIndexIn` reads. */
export const sharedIndexBytes = 2 * headBytes

/**
 * Counts the frames behind the last commit that can be read which belong to commits all the same: a frame before them is damaged.
 * SQLite takes the first frame with a wrong sum for the end, and so it may be: a frame that is being written, or is left of a
 * log before this one, or of a change that was taken back. It is none where the shared index counts more frames, which were whole when
 * it was written; without an index, where a frame of this log that ends a commit follows. Costs a reading of the rest of the log
 * without an index.
 *
 * @param index as it was before the log was followed up to here; undefined where none can be trusted
 */
export function unreadFrames(
  log: WriteAheadLog,
  file: BlockingFile | undefined,
  index: SharedIndex | undefined,
): number {
  const salts = saltsOf(log)
  const last = index?.salts.equals(salts)
    ? index.frames
    : lastCommit(file, { salts, pageSize: log.pageSize, from: log.frames })
  // What came meanwhile is read with the next state.
  return last > log.frames && !hasGrown(log, file) ? last - log.frames : 0
}

/** Counts the frames of a log whose header is damaged; 0 where no commit is in it. @param pageSize as the main file tells it */
export function framesWithoutHeader(file: BlockingFile | undefined, pageSize: number): number {
  const salts = bytesAt(file, headerBytes + 8, 8)
  return salts.length < 8 ? 0 : lastCommit(file, { salts, pageSize, from: 0 })
}

/** The number of the last frame with these salts that ends a commit; 0 for none. */
function lastCommit(
  file: BlockingFile | undefined,
  { salts, pageSize, from }: { readonly salts: Buffer; readonly pageSize: number; from: number },
): number {
  const frameBytes = frameHeadBytes + pageSize
  const many = Math.ceil(largestChunkBytes / frameBytes)
  let last = 0
  for (let frame = from; ; ) {
    const chunk = bytesAt(file, headerBytes + frame * frameBytes, many * frameBytes)
    for (let at = 0; at + frameBytes <= chunk.length; at += frameBytes) {
      frame += 1
      const isOfLog = chunk.subarray(at + 8, at + 16).equals(salts)
      if (isOfLog && chunk.readUInt32BE(at + 4) !== 0) last = frame
    }
    if (chunk.length < many * frameBytes) return last
  }
}

/** Says, as the end of a sentence, that frames of a log cannot be read; undefined for none. */
export function unreadLogWords(frames: number): string | undefined {
  if (frames === 0) return undefined
  const many = `${frames.toLocaleString('en')} ${frames === 1 ? 'frame' : 'frames'}`
  return `has a damaged write-ahead log: ${many} of it cannot be read, and what was changed last may be in them`
}
