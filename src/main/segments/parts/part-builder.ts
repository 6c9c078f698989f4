import { createHash } from 'node:crypto'
import { decodingVersion } from '../../../shared/model/conversation/decoding'
import {
  type IndexedFile,
  type IndexedRun,
  type IndexedSegment,
  mostSegments,
  type PartHeader,
  partMagic,
} from './part-format'
import type { PartIndex } from './part-index'
import { type HiddenAscii, TermCollector } from './term-collector'
import { encodeWords } from './vocabulary'
import { WordBlocksWriter } from './word-blocks'
import { WordTable } from './word-table'

/**
 * Facts of a segment besides its texts: its runs, the times of its entries in Unix seconds, and which of its blocks have
 * hazards.
 */
export interface SegmentFacts {
  readonly runs: readonly IndexedRun[]
  readonly oldest: number | null
  readonly newest: number | null
  readonly untimed: boolean
  readonly blockBytes: number
  readonly hazards: IndexedSegment['hazards']
}

/** A builder of one part in memory: add texts, end their segment, repeat, then finish to the file's bytes. */
export class PartBuilder {
  private readonly words = new WordTable()
  private readonly collector = new TermCollector(this.words)
  private readonly segments: IndexedSegment[] = []
  private readonly filters: Uint8Array[] = []
  private filterBytes = 0
  private sourceBytes = 0

  /** Whether no further segment fits. */
  get isFull(): boolean {
    return this.segments.length >= mostSegments
  }

  /** Segments that it still takes. */
  get room(): number {
    return mostSegments - this.segments.length
  }

  /**
   * Takes over the segments of a part whose runs are all of one file; no text was added since the last segment ended.
   *
   * @param file the number of the file here
   */
  addPart(part: PartIndex, file: number): void {
    const words = part.wordsBySegment()
    part.segments.forEach((segment, n) => {
      for (const { word, blocks } of words[n] ?? []) this.words.addWord(word, blocks)
      this.words.endSegment()
      const filters = part.filtersOf(segment)
      this.segments.push({
        ...segment,
        runs: segment.runs.map((run) => ({ ...run, file })),
        plain: this.place(filters.plain),
        hex: this.place(filters.hex),
        grams: this.place(filters.grams),
        joints: this.place(filters.joints),
      })
      for (const run of segment.runs) this.sourceBytes += run.to - run.from
    })
  }

  /** Adds a text of the segment that is being read. Returns what of its ASCII its bytes do not show. */
  add(text: string): HiddenAscii {
    return this.collector.add(text)
  }

  /** Begins a block of the segment that is being read. */
  beginBlock(number: number): void {
    this.words.beginBlock(number)
  }

  endSegment(facts: SegmentFacts): void {
    const filters = this.collector.endSegment()
    this.segments.push({
      ...facts,
      runs: [...facts.runs],
      timeless: filters.timeless,
      plain: this.place(filters.plain),
      hex: this.place(filters.hex),
      grams: this.place(filters.grams),
      joints: this.place(filters.joints),
    })
    for (const run of facts.runs) this.sourceBytes += run.to - run.from
  }

  /** The whole file. @param files what the runs' numbers mean */
  finish(files: readonly IndexedFile[]): Buffer {
    const writer = new WordBlocksWriter()
    const words = encodeWords(this.words, this.segments.length, writer)
    const blocks = writer.finish()
    const header: PartHeader = {
      decoding: decodingVersion,
      unicode: process.versions.unicode ?? '',
      files: [...files],
      segments: this.segments,
      words: this.words.size,
      wordBytes: words.length,
      wordBlockBytes: blocks.length,
      filterBytes: this.filterBytes,
      sourceBytes: this.sourceBytes,
    }
    const json = Buffer.from(JSON.stringify(header))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(json.length)
    const body = Buffer.concat([partMagic, length, json, words, blocks, ...this.filters])
    return Buffer.concat([body, createHash('sha256').update(body).digest()])
  }

  private place(filter: Uint8Array): [number, number] {
    const offset = this.filterBytes
    this.filters.push(filter)
    this.filterBytes += filter.length
    return [offset, filter.length]
  }
}
