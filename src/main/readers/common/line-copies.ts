import type { DiskFile } from '../../disk/interface/disk'
import { type FileLine, readExactly } from '../../disk/reading/lines'

/**
 * Finds the lines of a file that are there twice: programs write a record again by mistake, under the same id and byte for byte.
 * The second is a copy, and no entry of its own. A line that differs in one byte is none.
 *
 * Takes the lines of a file in order. Holds the id and place of each record, some 100 bytes; reads the earlier line again
 * where an id repeats.
 */
export class LineCopies {
  /** The offset of the last line with each id that is no copy. */
  private readonly offsets = new Map<string, number>()

  /**
   * Tells whether a line is a copy of an earlier one.
   *
   * @param id of its record; undefined for a line that is no single record
   * @throws DiskError
   */
  isCopy(opened: DiskFile, line: FileLine, id: string | undefined): boolean | Promise<boolean> {
    if (id === undefined) return false
    const before = this.offsets.get(id)
    // A last line that was read before is read again once it has its end.
    if (before === undefined || before >= line.offset) {
      this.offsets.set(id, line.offset)
      return false
    }
    return this.isSame(opened, before, line, id)
  }

  private async isSame(
    opened: DiskFile,
    before: number,
    { bytes, offset, length }: FileLine,
    id: string,
  ): Promise<boolean> {
    const earlier = bytes.length < length ? undefined : await readExactly(opened, before, length)
    const isSame = earlier !== undefined && Buffer.compare(earlier, bytes) === 0
    if (!isSame) this.offsets.set(id, offset)
    return isSame
  }
}
