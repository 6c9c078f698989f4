import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { BackupReason } from '../../../shared/model/backup/backup'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { decodingVersion } from '../../../shared/model/conversation/decoding'
import { SourceId } from '../../../shared/model/conversation/sources'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { joinBytes } from '../../disk/pacing/sliced-text'
import { runInSlices, type Sliced, sliceBytes } from '../../disk/pacing/slices'
import { readSmallFile } from '../../disk/reading/read'
import { replaceFile } from '../../disk/writing/atomic'
import type { LibraryRoot } from '../sources/roots'
import { inOrder, isWholeCount, type KnownConversation } from './rows'

/** A cache of the library's rows on the disk, which can be deleted at any time. */
export interface LibraryCache {
  /**
   * All that was kept; nothing where the file is missing, damaged, or of another version. What other decoders found has no
   * count and no stamp, so it is read again; of a conversation that is gone it is all that there is.
   */
  load(): Promise<ReadonlyMap<LibraryKey, KnownConversation>>
  /** Replaces the file. A folder that cannot be written to is no failure: it is noted, once. */
  save(known: ReadonlyMap<LibraryKey, KnownConversation>): Promise<void>
}

/** Raised when a line's shape or the meaning of a stamp changes. */
const version = 4
const Head = z.object({
  file: z.literal('skein library'),
  version: z.literal(version),
  decoding: z.int().optional(),
})
/** Of a conversation that is to be read again: no files have it. */
const noStamp = ''

type Shape = Readonly<Record<string, (value: unknown) => boolean>>

const isText = (value: unknown) => typeof value === 'string'
const isTextOrNull = (value: unknown) => value === null || isText(value)
const isWholeNumber = (value: unknown) => Number.isSafeInteger(value)
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isOptional = (is: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || is(value)

function isOf(shape: Shape): (value: unknown) => boolean {
  const fields = Object.entries(shape)
  return (value) => {
    if (typeof value !== 'object' || value === null) return false
    const record = value as Readonly<Record<string, unknown>> // any object can be read so
    return fields.every(([name, is]) => is(record[name]))
  }
}

const sources: ReadonlySet<unknown> = new Set(SourceId.options)
const backupReasons: ReadonlySet<unknown> = new Set(BackupReason.options)

const place = {
  file: isText,
  line: isWholeNumber,
  shownAt: (value: unknown) => value === null || isWholeNumber(value),
}
const isName = isOf({
  what: (value) => value === 'type' || value === 'field',
  name: isText,
  lines: isWholeNumber,
  ...place,
})
const isDrift = isOf({
  names: (value) => Array.isArray(value) && value.every(isName),
  isCut: (value) => typeof value === 'boolean',
  version: isOptional(isOf({ version: isText, ...place })),
})

/**
 * The shape of a line. Checked by hand: a start reads ten thousand of them before anything is shown, and schemas took
 * most of that time.
 */
const isLine = isOf({
  key: (value) => isText(value) && value !== '',
  stamp: isText,
  source: (value) => sources.has(value),
  files: isWholeNumber,
  bytes: isWholeNumber,
  facts: isOf({
    title: isText,
    project: isTextOrNull,
    created: isTextOrNull,
    updated: isTextOrNull,
  }),
  count: isOptional(
    isOf({
      files: isWholeNumber,
      entries: isWholeNumber,
      lines: isWholeNumber,
      blank: isWholeNumber,
      damaged: isWholeNumber,
      partitions: isWholeNumber,
      strays: isTexts,
      unread: isTexts,
      notices: isTexts,
      models: isTexts,
      drift: isOptional(isDrift),
    }),
  ),
  gone: isOptional((value) => value === true),
  backup: isOptional((value) => backupReasons.has(value)),
})

type Line = KnownConversation & { readonly key: LibraryKey }

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
        return await runInSlices(parsed(await readSmallFile(disk, file, largestBytes)))
      } catch (error) {
        // One that cannot be read at this moment knows what is gone: it is not replaced. A damaged one is as good as none.
        isUnread = error instanceof DiskError && error.code !== 'too-large'
        return new Map()
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

/** @throws where a line is not what was written: then none of them is believed */
function* parsed(read: Uint8Array | undefined): Sliced<ReadonlyMap<LibraryKey, KnownConversation>> {
  const known = new Map<LibraryKey, KnownConversation>()
  if (read === undefined) return known
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength)
  let head: z.infer<typeof Head> | undefined
  for (let start = 0; start < bytes.length; ) {
    const end = endOfLines(bytes, start)
    // Each is parsed at once.
    if (end - start > sliceBytes + longestLine) throw new Error('a line of another length')
    for (const line of bytes.toString('utf8', start, end).split('\n')) {
      if (line === '') continue
      const value: unknown = JSON.parse(line)
      if (head === undefined) {
        head = Head.safeParse(value).data
        if (head === undefined) return known
        continue
      }
      if (!isLine(value)) throw new Error('a line of another shape')
      const { key, ...one } = value as Line // every field was checked
      known.set(key, head.decoding === decodingVersion ? one : withoutReading(one))
    }
    yield end - start
    start = end
  }
  return known
}

/** Returns what is left of what other decoders found. */
function withoutReading({ count: _, ...one }: KnownConversation): KnownConversation {
  return { ...one, stamp: noStamp }
}

/** Behind the first line feed at least a slice from here. */
function endOfLines(bytes: Uint8Array, from: number): number {
  const feed = bytes.indexOf(0x0a, from + sliceBytes)
  return feed === -1 ? bytes.length : feed + 1
}
