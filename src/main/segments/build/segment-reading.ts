import type { SearchableEntry } from '../../../shared/model/search'
import type { PartBuilder } from '../parts/part-builder'
import { blockCount, type IndexedFile, type IndexedRun } from '../parts/part-format'
import type { PartIndex } from '../parts/part-index'
import { LineBlocks } from './line-blocks'

/** What is remembered to have been added; more is added again. */
const mostFacts = 1000

/** The segment that is being read, and the part that it goes to. */
export class SegmentReading {
  private readonly part: PartBuilder
  private readonly size: number
  private readonly blockBytes: number
  private runs: IndexedRun[] = []
  private bytes = 0
  private oldest: number | null = null
  private newest: number | null = null
  private untimed = false
  private hazards: [letters: number, any: number] = [0, 0]
  private isEmpty = true
  private block = 0
  /** Facts of entries that the block has already: most of its entries have the same. */
  private readonly facts = new Set<string>()

  constructor(part: PartBuilder, size: number) {
    this.part = part
    this.size = size
    this.blockBytes = Math.ceil(size / blockCount)
  }

  get isFull(): boolean {
    return this.part.isFull
  }

  /** Segments that the part still takes. */
  get partRoom(): number {
    return this.part.room - (this.runs.length > 0 ? 1 : 0)
  }

  /** Takes over all segments of a part of one file. */
  addPart(part: PartIndex, file: number): void {
    if (this.runs.length > 0) this.endSegment()
    this.part.addPart(part, file)
    this.isEmpty = false
  }

  /** Bytes that the segment still takes. */
  get room(): number {
    return Math.max(this.size / 32, this.size - this.bytes)
  }

  /** Begins a run behind those that the segment has. */
  beginRun(): LineBlocks {
    return new LineBlocks(this.bytes, this.blockBytes)
  }

  /** Begins a line of the run: what is added is in its block. */
  beginLine(blocks: LineBlocks, offset: number, feedsBefore: number): void {
    blocks.begin(offset, feedsBefore)
    if (blocks.block === this.block) return
    this.block = blocks.block
    this.part.beginBlock(this.block)
    this.facts.clear()
  }

  /** Notes what of the line's ASCII its bytes do not show. */
  addHazards({ block }: LineBlocks, known: 'none' | 'signs' | 'any'): void {
    if (known === 'any') this.hazards[0] |= 1 << block
    if (known !== 'none') this.hazards[1] |= 1 << block
  }

  /** Returns what of its ASCII the bytes do not show. */
  addEntry(entry: SearchableEntry): ReturnType<PartBuilder['add']> {
    const { timestamp } = entry
    if (timestamp === null) this.untimed = true
    else {
      this.oldest = Math.min(this.oldest ?? timestamp, timestamp)
      this.newest = Math.max(this.newest ?? timestamp, timestamp)
    }
    for (const fact of Object.values(entry.facts ?? {})) this.addFact(fact)
    return this.part.add(entry.text)
  }

  /** Fields of a query ask for them; bytes of lines are searched for texts alone, so their hazards do not matter. */
  private addFact(fact: string | undefined): void {
    if (fact === undefined || this.facts.has(fact)) return
    if (this.facts.size < mostFacts) this.facts.add(fact)
    this.part.add(fact)
  }

  /** Closes the run whose entries were added, and the segment when it has its size. */
  addRun(run: IndexedRun): void {
    this.runs.push(run)
    this.bytes += run.to - run.from
    if (this.bytes >= this.size * 0.9) this.endSegment()
  }

  finish(files: readonly IndexedFile[]): Buffer | undefined {
    if (this.runs.length > 0) this.endSegment()
    return this.isEmpty ? undefined : this.part.finish(files)
  }

  private endSegment(): void {
    const { runs, oldest, newest, untimed, blockBytes, hazards } = this
    this.part.endSegment({ runs, oldest, newest, untimed, blockBytes, hazards })
    this.isEmpty = false
    this.facts.clear()
    this.runs = []
    this.bytes = 0
    this.oldest = null
    this.newest = null
    this.untimed = false
    this.hazards = [0, 0]
    this.block = 0
  }
}
