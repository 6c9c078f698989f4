import type { Disk, DiskFile, FileStat } from '../../disk/disk'
import { chunkBytesFor, type RawLine, readExactly, readLines } from '../../disk/lines'
import { type DayPart, DayScan } from './day-scan'
import { rememberedPerFile } from './remembered'

/** The conversations of a day file by key, in order of their first lines. */
export type DayIndex = ReadonlyMap<string, DayPart>

interface Indexed {
  readonly stat: FileStat
  /** All lines but an unfinished last one: a file that has grown is read on from here. */
  readonly scan: DayScan
  /** The last bytes before the end of `scan`: a file that holds others there was written anew. */
  readonly tail: Uint8Array
  readonly index: DayIndex
}

const remembered = rememberedPerFile<Indexed>()

/**
 * Whose lines a day file holds. Reads it once, and later what was added to it. @throws DiskError
 *
 * @param stat as the file was just found
 */
export async function dayIndexOf(
  disk: Disk,
  file: string,
  stat: FileStat,
  signal: AbortSignal,
): Promise<DayIndex> {
  const indexed = await remembered(disk, file, stat, (before) =>
    indexFile(disk, file, stat, before, signal),
  )
  return indexed.index
}

async function indexFile(
  disk: Disk,
  file: string,
  stat: FileStat,
  before: Indexed | undefined,
  signal: AbortSignal,
): Promise<Indexed> {
  const opened = await disk.open(file, 'read')
  try {
    const hasGrown = before !== undefined && (await isLonger(opened, stat, before))
    const scan = hasGrown ? before.scan.copy() : new DayScan()
    const unfinished = await scanFile(opened, scan, stat.sizeBytes, signal)
    const tail = await tailOf(opened, scan)
    return { stat, scan, tail, index: indexWith(scan, unfinished) }
  } finally {
    await opened.close()
  }
}

/**
 * Takes every whole line from where the scan is; returns the bytes after the last line feed, where there are any. Reads
 * forwards, which is all that packed files do well.
 */
async function scanFile(
  opened: DiskFile,
  scan: DayScan,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<RawLine | undefined> {
  const piece = Buffer.allocUnsafeSlow(chunkBytesFor(sizeBytes - scan.position))
  // The beginning of a line of which the rest was not read yet.
  let held = 0
  for (;;) {
    signal.throwIfAborted()
    const got = await opened.read(piece.subarray(held), scan.position + held)
    const begin = scan.position
    scan.takeLines(piece.subarray(0, held + got))
    const taken = scan.position - begin
    piece.copyWithin(0, taken, held + got)
    held += got - taken
    if (got === 0) return held === 0 ? undefined : lineAt(opened, scan.position, signal)
    if (held < piece.length) continue
    const long = await lineAt(opened, scan.position, signal)
    if (!long?.ended) return long
    scan.take(long)
    held = 0
  }
}

async function lineAt(
  opened: DiskFile,
  from: number,
  signal: AbortSignal,
): Promise<RawLine | undefined> {
  for await (const [line] of readLines(opened, { from, signal })) return line
  return undefined
}

function indexWith(scan: DayScan, unfinished: RawLine | undefined): DayIndex {
  if (unfinished === undefined) return scan.index()
  const whole = scan.copy()
  whole.take(unfinished)
  return whole.index()
}

const tailBytes = 256

function tailOf(opened: DiskFile, { position }: DayScan): Promise<Uint8Array> {
  const length = Math.min(position, tailBytes)
  return readExactly(opened, position - length, length)
}

async function isLonger(opened: DiskFile, stat: FileStat, before: Indexed): Promise<boolean> {
  if (stat.identity !== before.stat.identity || stat.sizeBytes <= before.stat.sizeBytes)
    return false
  return Buffer.compare(await tailOf(opened, before.scan), before.tail) === 0
}
