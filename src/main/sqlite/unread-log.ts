import type { BlockingFile } from '../disk/node/blocking-file'
import {
  addUp,
  beginLog,
  bytesAt,
  frameHeadBytes,
  hasGrown,
  headerBytes,
  type LogSums,
  largestChunkBytes,
  saltsOf,
  storedSums,
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

/** Frames behind the last commit that can be read. */
export interface UnreadFrames {
  /** Those of commits: they are damaged, or behind a damaged one. */
  readonly damaged: number
  /** Those behind them that may be damaged, or left of an interrupted change. */
  readonly unsure: number
}

const none: UnreadFrames = { damaged: 0, unsure: 0 }

/**
 * Counts the frames behind the last commit that can be read which belong to commits all the same: a frame before them is damaged.
 * SQLite takes the first frame with a wrong sum for the end, and so it may be: a frame that is being written, or is left of a
 * log before this one, or of a change that was taken back. It is none where the shared index counts more frames, which were whole when
 * it was written.
 *
 * Without an index a frame is known to be damaged where a single word of it is another than its sum says, or its sum or its salts
 * alone are wrong, and the next frame goes on from it. Otherwise nothing tells it from frames that SQLite gave up when it opened the
 * database after a crash: it appends to the log before them, with the same salts, and they keep their marks of commits. Those are counted
 * as unsure. A wrong frame with none behind it is a change that never ended. Costs a reading of the rest of the log without an index.
 *
 * @param index as it was before the log was followed up to here; undefined where none can be trusted
 */
export function unreadFrames(
  log: WriteAheadLog,
  file: BlockingFile | undefined,
  index: SharedIndex | undefined,
): UnreadFrames {
  const salts = saltsOf(log)
  const { frames, pageSize, sums } = log
  const isTrusted = index?.salts.equals(salts) === true
  if (isTrusted && index.frames <= frames) return none
  const unread = isTrusted
    ? { damaged: index.frames - frames, unsure: 0 }
    : unreadAfter(file, { salts, pageSize }, frames, sums)
  // What came meanwhile is read with the next state, and what was being written is whole now.
  return unread !== none && !hasGrown(log, file) ? unread : none
}

/** Counts the frames of a log whose header is damaged, as `unreadFrames` does. @param pageSize as the main file tells it */
export function framesWithoutHeader(
  file: BlockingFile | undefined,
  pageSize: number,
): UnreadFrames {
  const header = bytesAt(file, 0, headerBytes)
  const first = bytesAt(file, headerBytes, frameHeadBytes + pageSize)
  // It may have begun meanwhile.
  if (first.length < frameHeadBytes + pageSize || beginLog(file) !== undefined) return none
  const salts = first.subarray(8, 16)
  const covered = [header.subarray(0, sumOfHeaderAt)]
  const after = soundSums(covered, storedSums(header, sumOfHeaderAt), [0, 0], first)
  return unreadAfter(file, { salts, pageSize }, 0, after?.sums)
}

const sumOfHeaderAt = 24
const sumOfFrameAt = 16
/** The word of a frame's head that marks the end of a commit. */
const commitWord = 1

/** Those behind the first frames of a log. @param sums after those; undefined where unknown */
function unreadAfter(
  file: BlockingFile | undefined,
  kind: { readonly salts: Buffer; readonly pageSize: number },
  frames: number,
  sums: LogSums | undefined,
): UnreadFrames {
  const { end, last } =
    sums === undefined ? { end: frames, last: 0 } : known(file, kind, frames, sums)
  // The first one that is not known may be half written: it counts where another is behind it.
  const behind = lastCommit(file, { ...kind, from: sums === undefined ? end : end + 1 })
  const damaged = Math.max(last - frames, 0)
  const unsure = Math.max(behind - end, 0)
  return damaged + unsure === 0 ? none : { damaged, unsure }
}

/** Goes from frame to frame as long as each is known to follow the one before: how many there are, and the last that ends a commit. */
function known(
  file: BlockingFile | undefined,
  { salts, pageSize }: { readonly salts: Buffer; readonly pageSize: number },
  frames: number,
  before: LogSums,
) {
  const frameBytes = frameHeadBytes + pageSize
  const frameAt = (number: number) => bytesAt(file, headerBytes + number * frameBytes, frameBytes)
  let [end, last, sums] = [frames, 0, before]
  for (let frame = frameAt(end); frame.length === frameBytes; ) {
    const next = frameAt(end + 1)
    const after = soundSums(coveredOf(frame), storedSums(frame, sumOfFrameAt), sums, next)
    if (after === undefined) break
    // Salts that are wrong as well are more than one word.
    if (after.wrongWord !== undefined && !frame.subarray(8, 16).equals(salts)) break
    end += 1
    if (after.wrongWord !== commitWord && frame.readUInt32BE(4) !== 0) last = end
    sums = after.sums
    frame = next
  }
  return { end, last }
}

function coveredOf(frame: Buffer): readonly Buffer[] {
  return [frame.subarray(0, 8), frame.subarray(frameHeadBytes)]
}

/**
 * The sums after some bytes, whether they are whole or damaged in one place; undefined where nothing proves that they were written
 * there.
 *
 * @param covered what the sums are of
 *
 * @param next the frame behind, which may be cut off; it proves whose sums it goes on from
 */
function soundSums(
  covered: readonly Buffer[],
  stored: LogSums,
  before: LogSums,
  next: Buffer,
): { readonly sums: LogSums; readonly wrongWord?: number } | undefined {
  const sums = addAll(covered, before)
  if (isSame(sums, stored)) return { sums }
  if (next.length <= frameHeadBytes) return undefined
  const leadsOn = (from: LogSums) =>
    isSame(addAll(coveredOf(next), from), storedSums(next, sumOfFrameAt))
  if (leadsOn(sums)) return { sums }
  if (!leadsOn(stored)) return undefined
  const words = covered.reduce((all, { length }) => all + length / 4, 0)
  const wrongWord = wordBetween(sums, stored, words)
  return wrongWord === undefined ? undefined : { sums: stored, wrongWord }
}

function addAll(parts: readonly Buffer[], before: LogSums): LogSums {
  return parts.reduce((sums, part) => addUp(part, sums), before)
}

function isSame([a, b]: LogSums, [c, d]: LogSums): boolean {
  return a === c && b === d
}

/**
 * The word that has to be another so that words with one sum have another one; undefined where one is not enough. Each pair of
 * words takes the sums (a, b) to (a + b + x, a + 2b + x + y): the difference is led back through them, until it is that of one word.
 */
function wordBetween([a, b]: LogSums, [c, d]: LogSums, words: number): number | undefined {
  let first = (c - a) | 0
  let second = (d - b) | 0
  for (let word = words - 2; word >= 0; word -= 2) {
    if (first === second) return word
    if (first === 0) return word + 1
    const back = (second - first) | 0
    first = (first - back) | 0
    second = back
  }
  return undefined
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
export function unreadLogWords({ damaged, unsure }: UnreadFrames): string | undefined {
  const many = (frames: number) =>
    `${frames.toLocaleString('en')} ${frames === 1 ? 'frame' : 'frames'}`
  const mayBe = 'may be left of an interrupted change, or hold changes that cannot be read'
  const further = unsure === 0 ? '' : `; ${many(unsure)} behind ${mayBe}`
  if (damaged > 0)
    return `has a damaged write-ahead log: ${many(damaged)} of it cannot be read, and what was changed last may be in them${further}`
  return unsure === 0
    ? undefined
    : `has more in its write-ahead log than SQLite reads: ${many(unsure)} ${mayBe}`
}
