import { createHash } from 'node:crypto'
import { z } from 'zod'
import { decodingVersion } from '../../../shared/model/conversation/decoding'

/**
 * A part of the index: some segments, the vocabulary that they share, and their filters, in one file that is never
 * changed. Layout, numbers in little-endian:
 *
 *   8 bytes   magic and version
 *   4 bytes   length of the header
 *   header    JSON: `PartHeader`
 *   words     front-coded, each with its segments: `encodeWords`
 *   blocks    of each word and segment those that have it: `WordBlocks`
 *   filters   one after the other, as the header lists them
 *   32 bytes  SHA-256 of everything before
 */
export const partMagic = Buffer.from('SKEINIX\x09', 'latin1')
/** Length of the SHA-256 at the end of a part. */
export const digestBytes = 32

/** Segments of one part at most: so the segments of a word fit in bytes. */
export const mostSegments = 256

/** A file as it was when it was indexed. */
export const IndexedFile = z.object({
  identity: z.string(),
  /** Its path then: a process that does not search it checks whether it is still there. */
  path: z.string(),
  sizeBytes: z.int().nonnegative(),
  mtimeMs: z.number(),
  /** Which decoder read it: another one may find other texts. */
  decoder: z.string(),
  /** Runs of one file belong together when they have the same chain: it was only ever appended to between them. */
  chain: z.string(),
})
export type IndexedFile = z.infer<typeof IndexedFile>

/** A run of whole lines of one file. */
export const IndexedRun = z.object({
  /** Number of the file in the header. */
  file: z.int().nonnegative(),
  from: z.int().nonnegative(),
  to: z.int().nonnegative(),
  firstLine: z.int().positive(),
  /** Line feeds in it. */
  lines: z.int().nonnegative(),
  /** Where its last line begins, when that has no line feed: it may become another line as the file grows. */
  openLine: z.int().nonnegative().optional(),
  /**
   * Where further blocks of the segment begin in it, at the first line that begins there: the offset from its beginning, and how
   * many line feeds are before that, by turns. Absent where there is none.
   */
  marks: z.array(z.int().nonnegative()).optional(),
  /** Shows whether the file still has the same bytes here: see `digestRun`. */
  digest: z.string(),
})
export type IndexedRun = z.infer<typeof IndexedRun>

/**
 * Blocks of a segment: a line is in one by where it begins, counted from the segment's beginning. The last has all that begins
 * behind it.
 */
export const blockCount = 16

/** The bits of all blocks. */
export const allBlocks = 2 ** blockCount - 1

/** Computes the block of a line that begins so far behind the segment's beginning. */
export function blockOf(offset: number, blockBytes: number): number {
  return Math.min(blockCount - 1, Math.floor(offset / blockBytes))
}

const BlockBits = z.int().min(0).max(allBlocks)

const FilterPlace = z.tuple([z.int().nonnegative(), z.int().nonnegative()])

/** A segment as the header has it: its runs, facts of its entries, and where its filters are. */
export const IndexedSegment = z.object({
  runs: z.array(IndexedRun),
  /** Times of its entries in Unix seconds, null where none has one. */
  oldest: z.number().nullable(),
  newest: z.number().nullable(),
  /** Some entry has no time of its own. */
  untimed: z.boolean(),
  /** Its characters fold the same under every version of Unicode. */
  timeless: z.boolean(),
  /** Length of its blocks: see `blockOf`. */
  blockBytes: z.int().positive(),
  /**
   * Blocks in which bytes alone do not show the ASCII of a text, as characters or escapes stand for it: its letters and digits;
   * any of it. A bit for each block.
   */
  hazards: z.tuple([BlockBits, BlockBits]),
  /** Offset and length of each filter in the filters. */
  plain: FilterPlace,
  hex: FilterPlace,
  grams: FilterPlace,
  joints: FilterPlace,
})
export type IndexedSegment = z.infer<typeof IndexedSegment>

/** The header of a part: its files, segments and the sizes of its sections. */
export const PartHeader = z.object({
  /** Version of the decoders that read the files: what another one finds, the filters do not know. */
  decoding: z.literal(decodingVersion),
  /** Version of Unicode under which texts were folded. */
  unicode: z.string(),
  files: z.array(IndexedFile),
  segments: z.array(IndexedSegment).max(mostSegments),
  /** Distinct words, and bytes of their sections. */
  words: z.int().nonnegative(),
  wordBytes: z.int().nonnegative(),
  wordBlockBytes: z.int().nonnegative(),
  filterBytes: z.int().nonnegative(),
  /** Bytes of the indexed runs together. */
  sourceBytes: z.int().nonnegative(),
})
export type PartHeader = z.infer<typeof PartHeader>

/** Returns true for the bytes of a part, of whatever version, that are those that were written. Hashes all of them. */
export function isWholePart(bytes: Uint8Array): boolean {
  const body = bytes.subarray(0, Math.max(0, bytes.length - digestBytes))
  const name = partMagic.subarray(0, -1)
  if (body.length < partMagic.length || !name.equals(body.subarray(0, name.length))) return false
  return createHash('sha256').update(body).digest().equals(bytes.subarray(body.length))
}
