import { blockOf } from '../parts/part-format'

/** The blocks of a segment that the lines of a run are in. */
export class LineBlocks {
  /** Where blocks begin behind that of the first line: see `IndexedRun`. */
  readonly marks: number[] = []
  /** That of the line that was begun last. */
  block: number
  private readonly before: number
  private readonly blockBytes: number

  /** @param before bytes of the segment before the run */
  constructor(before: number, blockBytes: number) {
    this.before = before
    this.blockBytes = blockBytes
    this.block = blockOf(before, blockBytes)
  }

  /** Begins a line at an offset in the run, behind so many line feeds. */
  begin(offset: number, feedsBefore: number): void {
    const block = blockOf(this.before + offset, this.blockBytes)
    if (block === this.block) return
    this.block = block
    this.marks.push(offset, feedsBefore)
  }
}
