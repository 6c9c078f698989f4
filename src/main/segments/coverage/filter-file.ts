import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { PartIndex } from '../parts/part-index'

const magic = 'skein-bloom'
const version = 2
const lineFeed = 0x0a
/** The header is a few short fields; a file whose first line is longer is not ours. */
const longestHeader = 4096
/** Most bytes that a filter file may unfold to. A part of 128 MB of text has some 5 MB. */
const largestPart = 64 * 1024 * 1024

const packed = promisify(deflateRaw)
const unpacked = promisify(inflateRaw)

/** The first line of a filter file. */
interface FilterHeader {
  readonly magic: string
  readonly version: number
  /** Bytes of the file that the filter was made of. */
  readonly covers: number
  /** Of what follows the header. */
  readonly sha256: string
}

/** A filter file that was read. */
export interface StoredFilter {
  readonly part: PartIndex
  /** Tells two filter files apart. */
  readonly sha256: string
}

/**
 * Returns the bytes of a filter file: one line of JSON, then a part of the index over one file, packed by deflate.
 *
 * chibi parses a `.bloom` file as JSON, fails, and scans the partition: slower, and still correct.
 */
export async function encodeFilter(part: Uint8Array, covers: number): Promise<Uint8Array> {
  const body = await packed(part)
  const header: FilterHeader = { magic, version, covers, sha256: digest(body) }
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body])
}

/**
 * Decodes a filter file; undefined for one that is chibi's, of another version or index format, or damaged: it is not
 * trusted.
 */
export async function decodeFilter(bytes: Uint8Array): Promise<StoredFilter | undefined> {
  const header = headerOf(bytes)
  if (header?.version !== version) return undefined
  const body = bytes.subarray(bytes.indexOf(lineFeed) + 1)
  if (digest(body) !== header.sha256) return undefined
  const part = await unpacked(body, { maxOutputLength: largestPart }).catch(() => undefined)
  const opened = part && PartIndex.open(part)
  return opened && { part: opened, sha256: header.sha256 }
}

/** Returns true for a filter file of ours, of any version: it may be replaced. All others are left alone. */
export function isOurFilter(bytes: Uint8Array): boolean {
  return headerOf(bytes) !== undefined
}

function headerOf(bytes: Uint8Array): FilterHeader | undefined {
  const end = bytes.subarray(0, longestHeader).indexOf(lineFeed)
  if (end < 0) return undefined
  try {
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as FilterHeader
    return header.magic === magic ? header : undefined
  } catch {
    return undefined
  }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
