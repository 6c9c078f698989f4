import { type Disk, DiskError, type FileStat } from '../../disk/interface/disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import { ReadBuffers } from '../../disk/reading/read-buffers'
import { perFileCache } from '../common/per-file-cache'
import type { LookElsewhere, SeenFile } from '../common/reader'
import { type DayReading, readDay } from './day-read'
import { type DayPart, DayScan, type KeptScan } from './day-scan'

/** The conversations of a day file by key, in order of their first lines. */
export type DayIndex = ReadonlyMap<string, DayPart>

interface Indexed extends DayReading {
  readonly index: DayIndex
}

/** A reading as plain data, which crosses to another thread. */
interface KeptReading {
  readonly scan: KeptScan
  readonly tail: Uint8Array
  readonly whole: KeptScan | undefined
}

const remembered = perFileCache<Indexed>()

/** Day files read side by side. */
const atOnce = 4

/**
 * Reads which conversations each of these files holds; of one that cannot be read, the error. Reads each of them once,
 * and later only what was added.
 *
 * @param files as they were just found
 *
 * @param elsewhere who may read those that were never read
 */
export async function dayIndexesOf(
  disk: Disk,
  files: readonly SeenFile[],
  signal: AbortSignal,
  elsewhere?: LookElsewhere,
): Promise<readonly (DayIndex | DiskError)[]> {
  const unread = files.filter(({ path }) => !remembered.knows(disk, path))
  const read = (await elsewhere?.('voicemode', unread, signal)) ?? []
  for (const [at, { path, stat }] of unread.entries()) {
    const kept = read[at] as KeptReading | undefined // what lookIntoDays gave
    if (kept !== undefined) remembered.keep(disk, path, indexed(readingOf(kept, stat)))
  }
  const buffers = new ReadBuffers()
  // One that could not be read there is tried here.
  return mapConcurrent(
    files,
    ({ path, stat }) =>
      dayIndexOf(disk, path, stat, signal, buffers).catch((error: unknown) => {
        if (error instanceof DiskError) return error
        throw error
      }),
    atOnce,
  )
}

/** Reads day files for `dayIndexesOf`, in a worker; see `HistoryReader.lookInto`. */
export async function lookIntoDays(
  files: readonly SeenFile[],
  disk: Disk,
  signal: AbortSignal,
): Promise<readonly (KeptReading | undefined)[]> {
  const look = async ({ path, stat }: SeenFile, buffer: Buffer) => {
    const { scan, tail, whole } = await readDay(disk, path, stat, undefined, buffer, signal)
    return { scan: scan.kept(), tail, whole: whole?.kept() }
  }
  return new ReadBuffers().use((buffer) =>
    mapConcurrent(files, (file) => look(file, buffer).catch(undefinedWhereUnreadable), 1),
  )
}

/**
 * Reads which conversations a day file holds. Reads it once, and later only what was added.
 *
 * @throws DiskError
 *  *
 * @param stat as the file was just found
 */
export async function dayIndexOf(
  disk: Disk,
  file: string,
  stat: FileStat,
  signal: AbortSignal,
  buffers = new ReadBuffers(),
): Promise<DayIndex> {
  const { index } = await remembered.get(disk, file, stat, async (before) =>
    indexed(await buffers.use((buffer) => readDay(disk, file, stat, before, buffer, signal))),
  )
  return index
}

function indexed(reading: DayReading): Indexed {
  return { ...reading, index: (reading.whole ?? reading.scan).index() }
}

function readingOf({ scan, tail, whole }: KeptReading, stat: FileStat): DayReading {
  const wholeScan = whole === undefined ? undefined : DayScan.of(whole)
  return { stat, scan: DayScan.of(scan), tail, whole: wholeScan }
}

function undefinedWhereUnreadable(error: unknown): undefined {
  if (error instanceof DiskError) return undefined
  throw error
}
