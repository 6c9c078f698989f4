import { createHash } from 'node:crypto'
import type { Term, TermNeed } from '../terms/search-term'
import { hasBits } from './filter-bits'
import {
  allBlocks,
  digestBytes,
  type IndexedFile,
  type IndexedSegment,
  PartHeader,
  partMagic,
} from './part-format'
import { Vocabulary } from './vocabulary'

type FilterName = 'plain' | 'hex' | 'grams' | 'joints'

/** A part of the index in memory, ready for queries. */
export class PartIndex {
  readonly files: readonly IndexedFile[]
  readonly segments: readonly IndexedSegment[]
  readonly sourceBytes: number
  readonly sizeBytes: number
  private readonly vocabulary: Vocabulary
  private readonly filters: Uint8Array
  /** Segments whose filters do not hold for the Unicode tables of this process. */
  private readonly untrusted: readonly number[]

  private constructor(
    header: PartHeader,
    words: Uint8Array,
    blocks: Uint8Array,
    filters: Uint8Array,
    sizeBytes: number,
  ) {
    this.files = header.files
    this.segments = header.segments
    this.sourceBytes = header.sourceBytes
    this.sizeBytes = sizeBytes
    this.filters = filters
    this.vocabulary = new Vocabulary(words, blocks, header.words, header.segments.length)
    const sameUnicode = header.unicode === process.versions.unicode
    this.untrusted = header.segments.flatMap(({ timeless }, n) =>
      timeless || sameUnicode ? [] : [n],
    )
  }

  /** Reads a part; undefined where the bytes are not a part of this version and of these decoders, or not whole. */
  static open(bytes: Buffer): PartIndex | undefined {
    const bodyLength = bytes.length - digestBytes
    if (bodyLength < partMagic.length + 4 || !bytes.subarray(0, partMagic.length).equals(partMagic))
      return undefined
    const digest = createHash('sha256').update(bytes.subarray(0, bodyLength)).digest()
    if (!digest.equals(bytes.subarray(bodyLength))) return undefined
    // The digest proves that these are the bytes that were written: a misfit is a bug, or another version.
    try {
      const headerStart = partMagic.length + 4
      const headerEnd = headerStart + bytes.readUInt32LE(partMagic.length)
      const header = PartHeader.parse(JSON.parse(bytes.toString('utf8', headerStart, headerEnd)))
      const wordsEnd = headerEnd + header.wordBytes
      const blocksEnd = wordsEnd + header.wordBlockBytes
      if (blocksEnd + header.filterBytes !== bodyLength) return undefined
      const words = bytes.subarray(headerEnd, wordsEnd)
      const blocks = bytes.subarray(wordsEnd, blocksEnd)
      return new PartIndex(
        header,
        words,
        blocks,
        bytes.subarray(blocksEnd, bodyLength),
        bytes.length,
      )
    } catch {
      return undefined
    }
  }

  /** Returns true where all of its filters are valid for the Unicode tables of this process. */
  get isTrusted(): boolean {
    return this.untrusted.length === 0
  }

  /** Returns the words of every segment, each with the bits of its blocks. */
  wordsBySegment(): readonly (readonly { readonly word: string; readonly blocks: number }[])[] {
    const found: { word: string; blocks: number }[][] = this.segments.map(() => [])
    for (const { word, segments, blocks } of this.vocabulary.words())
      for (const [n, segment] of segments.entries())
        found[segment]?.push({ word, blocks: blocks[n] ?? allBlocks })
    return found
  }

  /** Gives every word of its vocabulary, folded. */
  words(): Generator<string> {
    return this.vocabulary.texts()
  }

  /** Returns the bytes of a segment's filters. */
  filtersOf(segment: IndexedSegment): Readonly<Record<FilterName, Uint8Array>> {
    const of = ([offset, length]: readonly [number, number]) =>
      this.filters.subarray(offset, offset + length)
    const { plain, hex, grams, joints } = segment
    return { plain: of(plain), hex: of(hex), grams: of(grams), joints: of(joints) }
  }

  /** For every segment the bits of the blocks that may hold the term; 0 where it certainly does not. */
  mayHold(term: Term): Uint16Array {
    const may = new Uint16Array(this.segments.length).fill(allBlocks)
    for (const need of term.needs) {
      const satisfied = this.satisfied(need, may)
      for (let n = 0; n < may.length; n++) may[n] = (may[n] ?? 0) & (satisfied[n] ?? 0)
    }
    for (const n of this.untrusted) may[n] = allBlocks
    return may
  }

  /** @param asked segments that are still in question: others may be left out of the answer */
  private satisfied(need: TermNeed, asked: Uint16Array): Uint16Array {
    const found = new Uint16Array(this.segments.length)
    if (need.type === 'word') {
      if (need.part !== undefined) this.vocabulary.addBlocksWith(need.part, found)
      this.markAll(need.plain, 'plain', asked, found)
      this.markAll(need.hex, 'hex', asked, found)
    } else this.markAll(need.hashes, need.type, asked, found)
    return found
  }

  /** Sets all blocks of the segments whose filter has all of the hashes: filters know no blocks. */
  private markAll(
    hashes: readonly number[] | undefined,
    name: FilterName,
    asked: Uint16Array,
    found: Uint16Array,
  ): void {
    if (hashes === undefined) return
    const positions = name === 'grams' ? 2 : 1
    this.segments.forEach((segment, n) => {
      if (asked[n] === 0 || found[n] === allBlocks) return
      const [offset, length] = segment[name]
      const filter = this.filters.subarray(offset, offset + length)
      if (hashes.every((hash) => hasBits(filter, hash, positions))) found[n] = allBlocks
    })
  }
}
