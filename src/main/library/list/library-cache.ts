import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { countWithNoun } from '../../../shared/model/basics/plural'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { decodingVersion } from '../../../shared/model/conversation/decoding'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { joinBytes } from '../../disk/pacing/sliced-text'
import { runInSlices, type Sliced, sliceBytes } from '../../disk/pacing/slices'
import { readSmallFile } from '../../disk/reading/read'
import { replaceFile } from '../../disk/writing/atomic'
import type { LibraryRoot } from '../sources/roots'
import { isCachedLine } from './cached-line'
import { inOrder, isWholeCount, type KnownConversation } from './rows'

/** The rows that a cache has. */
export interface CachedRows {
  readonly known: ReadonlyMap<LibraryKey, KnownConversation>
  /** A sentence on what of the file is not what was written; undefined where it is whole, missing, or of another version. */
  readonly damage: string | undefined
}

/** A cache of the library's rows on the disk, which can be deleted at any time. */
export interface LibraryCache {
  /**
   * All that was kept; nothing where the file is missing or of another version. What other decoders found, and what is whole in
   * a damaged file, has no count and no stamp, so it is read again; of a conversation that is gone it is all that there is.
   * Damage is noted.
   */
  load(): Promise<CachedRows>
  /** Replaces the file. A folder that cannot be written to is no failure: it is noted, once. */
  save(known: ReadonlyMap<LibraryKey, KnownConversation>): Promise<void>
}

/** Raised when a line's shape or the meaning of a stamp changes. */
const version = 4
const Head = z.object({
  file: z.literal('skein library'),
  version: z.literal(version),
  decoding: z.int().optional(),
  /** How many rows were written. */
  lines: z.int(),
})
type Head = z.infer<typeof Head>
const OtherHead = z.object({
  file: z.literal('skein library'),
  version: z.int().refine((one) => one !== version),
})
/** Of a conversation that is to be read again: no files have it. */
const noStamp = ''

/** Far more than one conversation takes, whatever it consists of. In bytes. */
const longestLine = 2 * 1024 * 1024

/** More than a hundred thousand conversations take. */
const largestBytes = 256 * 1024 * 1024

/**
 * Opens the cache of the library over these roots: a file of JSON lines in the folder, which is made on the first
 * save. Libraries over other roots have files of their own.
 */
export function libraryCache(
  disk: Disk,
  folder: string,
  roots: readonly LibraryRoot[],
  note: (words: string) => void,
): LibraryCache {
  const file = path.join(folder, 'library', `${nameOf(roots)}.jsonl`)
  let isNoted = false
  let isUnread = false
  return {
    async load() {
      try {
        const read = await readLibraryCache(disk, file)
        if (read.damage !== undefined) note(read.damage)
        return read
      } catch (error) {
        // One that cannot be read at this moment knows what is gone: it is not replaced.
        isUnread = error instanceof DiskError
        return { known: new Map(), damage: undefined }
      }
    },
    async save(known) {
      try {
        if (isUnread) throw new Error('its content cannot be read')
        await disk.makeFolder(path.dirname(file))
        // Need not be durable: what a power failure leaves of it is damaged, and ignored.
        await replaceFile(disk, file, await runInSlices(written(known)), { durable: false })
      } catch (error) {
        if (!isNoted)
          note(`The list is not cached: ${error instanceof Error ? error.message : String(error)}.`)
        isNoted = true
      }
    },
  }
}

/** Reads a file of a library's rows, damaged or not; without rows where there is none. @throws DiskError */
export async function readLibraryCache(disk: Disk, file: string): Promise<CachedRows> {
  try {
    const bytes = await readSmallFile(disk, file, largestBytes)
    return bytes === undefined ? whole(new Map()) : await runInSlices(parsed(bytes))
  } catch (error) {
    if (!(error instanceof DiskError) || error.code !== 'too-large') throw error
    return {
      known: new Map(),
      damage: `The cache of the list is larger than any that is written. ${ofLost}`,
    }
  }
}

/** Replaces a damaged file of a library's rows by one with every row that is whole in it. @throws DiskError */
export async function mendLibraryCache(disk: Disk, file: string): Promise<void> {
  const { known, damage } = await readLibraryCache(disk, file)
  if (damage === undefined) return
  await replaceFile(disk, file, await runInSlices(written(known)), { durable: false })
}

function nameOf(roots: readonly LibraryRoot[]): string {
  // Backups come and go with the roots that they are of: what is known stays known.
  const originals = roots.filter(({ backup }) => backup === undefined)
  const named = JSON.stringify(originals.map(({ source, path: root }) => [source, root]))
  return createHash('sha256').update(named).digest('hex').slice(0, 16)
}

function* written(known: ReadonlyMap<LibraryKey, KnownConversation>): Sliced<Uint8Array> {
  const pieces: Uint8Array[] = []
  let text = `${JSON.stringify({ file: 'skein library', version, decoding: decodingVersion, lines: known.size })}\n`
  // In the order of a list, so that the next start has next to nothing to sort.
  for (const [key, one] of inOrder(known)) {
    const { stamp, source, files, bytes, facts, count, gone, backup } = one
    const kept = {
      ...(isWholeCount(one) ? { count } : {}),
      ...(gone ? { gone } : {}),
      ...(backup === undefined ? {} : { backup }),
    }
    text += `${asciiJson({ key, stamp, source, files, bytes, facts, ...kept })}\n`
    if (text.length < sliceBytes) continue
    pieces.push(Buffer.from(text))
    yield text.length
    text = ''
  }
  pieces.push(Buffer.from(text))
  return yield* joinBytes(pieces)
}

/** A text of ASCII alone takes half the memory of any other one, and half the time to be read. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

type Rows = ReadonlyMap<LibraryKey, KnownConversation>

function whole(known: Rows): CachedRows {
  return { known, damage: undefined }
}

/** Each line is read by itself: what a damaged one held of a conversation that is gone nobody else knows, and the others are whole. */
function* parsed(read: Uint8Array): Sliced<CachedRows> {
  const known = new Map<LibraryKey, KnownConversation>()
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength)
  let head: Head | 'damaged' | undefined
  let damaged = 0
  for (let start = 0; start < bytes.length; ) {
    const end = endOfLines(bytes, start)
    // Each is parsed at once.
    const isLong = end - start > sliceBytes + longestLine
    const textEnd = isLong ? startOfLine(bytes, start) : end
    for (const line of bytes.toString('utf8', start, textEnd).split('\n')) {
      if (line === '') continue
      const value = jsonIn(line)
      if (head === undefined) {
        head = headOf(value)
        if (head === undefined) return whole(known)
        if (head !== 'damaged') continue
      }
      if (isCachedLine(value)) {
        const { key, ...one } = value
        known.set(key, one)
      } else damaged += 1
    }
    if (isLong) {
      head ??= 'damaged'
      damaged += 1
    }
    yield end - start
    start = end
  }
  const ours = head === 'damaged' ? undefined : head
  const damage = ours === undefined ? noBeginning(known.size) : damageOf(ours, known.size, damaged)
  if (damage === undefined && ours?.decoding === decodingVersion) return whole(known)
  for (const [key, one] of known) known.set(key, withoutReading(one))
  return { known, damage }
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // No line of ours.
  }
}

/** Undefined for one of another version, which has its rows in another shape. */
function headOf(value: unknown): Head | 'damaged' | undefined {
  const found = Head.safeParse(value)
  if (found.success) return found.data
  return OtherHead.safeParse(value).success ? undefined : 'damaged'
}

const ofLost =
  'Conversations that are gone from the disk may have been among them; all others are read again.'

/** A power failure may have left none of the last rows, and a fault of the disk two rows on one line. */
function damageOf({ lines }: Head, rows: number, damaged: number): string | undefined {
  const missing = lines - rows
  if (missing > 0)
    return `The cache of the list was damaged: ${missing} of its ${countWithNoun(lines, 'row')} could not be read. ${ofLost}`
  if (damaged === 0) return undefined
  return `The cache of the list was damaged, and each of its ${countWithNoun(lines, 'row')} is whole. All are read again.`
}

function noBeginning(rows: number): string {
  return `The cache of the list was damaged: its beginning cannot be read, and ${countWithNoun(rows, 'row is', 'rows are')} whole. ${ofLost}`
}

/** Returns what is left of what other decoders found. */
function withoutReading({ count: _, ...one }: KnownConversation): KnownConversation {
  return { ...one, stamp: noStamp }
}

/** The beginning of the line that is longer than any of ours. */
function startOfLine(bytes: Uint8Array, from: number): number {
  return Math.max(from, bytes.lastIndexOf(0x0a, from + sliceBytes - 1) + 1)
}

/** Behind the first line feed at least a slice from here. */
function endOfLines(bytes: Uint8Array, from: number): number {
  const feed = bytes.indexOf(0x0a, from + sliceBytes)
  return feed === -1 ? bytes.length : feed + 1
}
