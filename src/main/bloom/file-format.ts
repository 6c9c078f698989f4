import { createHash } from 'node:crypto'
import { GramFilter } from './gram-filter'
import { gramsVersion } from './grams'

const magic = 'skein-bloom'
const version = 1
const lineFeed = 0x0a
/** The header is a few short fields; a file whose first line is longer is not ours. */
const longestHeader = 4096

/** What a filter file says of itself. */
export interface FilterHeader {
  readonly magic: string
  readonly version: number
  /** What the filter holds: `gramsVersion`. */
  readonly grams: string
  /** Bits and hash functions. */
  readonly size: number
  readonly hashes: number
  /** Bytes of the file that the filter covers: a longer file is not covered. */
  readonly covers: number
  /** Of the bits. */
  readonly sha256: string
}

/** A filter and what it covers. */
export interface StoredFilter {
  readonly filter: GramFilter
  readonly covers: number
}

/**
 * The bytes of a filter file: one line of JSON, then the bits.
 *
 * chibi parses a `.bloom` whole as JSON, fails at the bits, and scans that partition: safe, and never wrong.
 */
export function encodeFilter(stored: StoredFilter): Uint8Array {
  const { filter, covers } = stored
  const header: FilterHeader = {
    magic,
    version,
    grams: gramsVersion,
    size: filter._size,
    hashes: filter._nbHashes,
    covers,
    sha256: digest(filter.bits),
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), filter.bits])
}

/** Reads a filter file; undefined for one of chibi's, of another version or content, or damaged: it is not trusted. */
export function decodeFilter(bytes: Uint8Array): StoredFilter | undefined {
  const header = headerOf(bytes)
  if (header === undefined || header.version !== version || header.grams !== gramsVersion)
    return undefined
  const bits = bytes.subarray(bytes.indexOf(lineFeed) + 1)
  if (digest(bits) !== header.sha256) return undefined
  try {
    const filter = GramFilter.fromBits(header.size, header.hashes, bits)
    return { filter, covers: header.covers }
  } catch {
    return undefined // A header that does not fit its bits.
  }
}

/** Whether a filter file is one of ours, of any version: those may be replaced, others are left alone. */
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
