import type { Disk, DiskFile, FileStat } from '../../disk/interface/disk'
import { type FileLine, readExactly, readLines } from '../../disk/reading/lines'
import { DayScan } from './day-scan'

/** A day file that was read to its end. */
export interface DayReading {
  readonly stat: FileStat
  /** All lines but an unfinished last one: a file that has grown is read on from here. */
  readonly scan: DayScan
  /** The last bytes before the end of `scan`: a file that holds others there was written anew. */
  readonly tail: Uint8Array
  /** With an unfinished last line; undefined where there is none. */
  readonly whole: DayScan | undefined
}

/**
 * Reads a day file, or what was added to it. @throws DiskError
 *
 * @param before what was read of it, if anything was; it stays as it is
 * @param buffer that nobody else uses meanwhile
 */
export async function readDay(
  disk: Disk,
  file: string,
  stat: FileStat,
  before: DayReading | undefined,
  buffer: Buffer,
  signal: AbortSignal,
): Promise<DayReading> {
  const opened = await disk.open(file, 'read')
  try {
    const hasGrown = before !== undefined && (await isLonger(opened, stat, before))
    const scan = hasGrown ? before.scan.copy() : new DayScan()
    const { unfinished, tail } = await scanFile(opened, scan, stat.sizeBytes, buffer, signal)
    const whole = unfinished === undefined ? undefined : scan.copy()
    if (unfinished !== undefined) await whole?.takeLong(unfinished)
    return { stat, scan, tail: tail ?? (await tailOf(opened, scan)), whole }
  } finally {
    await opened.close()
  }
}

interface Scanned {
  /** The bytes after the last line feed, where there are any. */
  readonly unfinished: FileLine | undefined
  /** See `DayReading`; undefined where it has to be read. */
  readonly tail: Uint8Array | undefined
}

/** Takes every whole line from where the scan is. Reads forwards, which is all that packed files do well. */
async function scanFile(
  opened: DiskFile,
  scan: DayScan,
  sizeBytes: number,
  piece: Buffer,
  signal: AbortSignal,
): Promise<Scanned> {
  // The beginning of a line of which the rest was not read yet.
  let held = 0
  let tail: Uint8Array | undefined
  for (;;) {
    signal.throwIfAborted()
    const got = await opened.read(piece.subarray(held), scan.position + held)
    const begin = scan.position
    scan.takeLines(piece.subarray(0, held + got))
    const taken = scan.position - begin
    if (taken > 0)
      tail =
        taken < tailBytes ? undefined : Uint8Array.from(piece.subarray(taken - tailBytes, taken))
    piece.copyWithin(0, taken, held + got)
    held += got - taken
    // A read that came short at the end that was looked up is the last one: asking once more costs as much as it did.
    const isWhole = held < piece.length - taken && scan.position + held >= sizeBytes
    if (got === 0 || isWhole) {
      const unfinished = held === 0 ? undefined : await lineAt(opened, scan.position, signal)
      return { unfinished, tail }
    }
    if (held < piece.length) continue
    const long = await lineAt(opened, scan.position, signal)
    if (!long?.ended) return { unfinished: long, tail: undefined }
    await scan.takeLong(long)
    tail = undefined
    held = 0
  }
}

async function lineAt(
  opened: DiskFile,
  from: number,
  signal: AbortSignal,
): Promise<FileLine | undefined> {
  for await (const [line] of readLines(opened, { from, signal })) return line
  return undefined
}

const tailBytes = 256

function tailOf(opened: DiskFile, { position }: DayScan): Promise<Uint8Array> {
  const length = Math.min(position, tailBytes)
  return readExactly(opened, position - length, length)
}

async function isLonger(opened: DiskFile, stat: FileStat, before: DayReading): Promise<boolean> {
  if (stat.identity !== before.stat.identity || stat.sizeBytes <= before.stat.sizeBytes)
    return false
  return Buffer.compare(await tailOf(opened, before.scan), before.tail) === 0
}
