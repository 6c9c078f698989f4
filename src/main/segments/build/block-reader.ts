import type { DiskFile } from '../../disk/interface/disk'

const lineFeed = 0x0a

/**
 * A reader of blocks of whole lines, one after the other. A block is valid until the next one is read: they share one
 * buffer, since fresh memory costs more than the reading.
 */
export class BlockReader {
  private memory: Buffer = Buffer.alloc(0)
  private readonly reserve: (length: number) => Buffer

  /** @param reserve gives memory of a length; what it gave before is not used any more */
  constructor(reserve: (length: number) => Buffer = Buffer.allocUnsafeSlow) {
    this.reserve = reserve
  }

  /**
   * Whole lines from `from` on: about `blockBytes` of them, or one longer line. The last line before `to` may have no line
   * feed. Fewer bytes where the file was cut meanwhile.
   */
  async read(file: DiskFile, from: number, to: number, blockBytes: number): Promise<Buffer> {
    for (let size = blockBytes; ; size *= 4) {
      const length = Math.min(size, to - from)
      const block = await this.fill(file, from, length)
      if (length === to - from || block.length < length) return block
      const end = block.lastIndexOf(lineFeed) + 1
      if (end > 0) return block.subarray(0, end)
    }
  }

  private async fill(file: DiskFile, from: number, length: number): Promise<Buffer> {
    if (this.memory.length < length) this.memory = this.reserve(length)
    let filled = 0
    while (filled < length) {
      const got = await file.read(this.memory.subarray(filled, length), from + filled)
      if (got === 0) break
      filled += got
    }
    return this.memory.subarray(0, filled)
  }
}

/** Counts the line feeds of a block. */
export function countBlockLines(block: Buffer): number {
  let count = 0
  for (let at = block.indexOf(lineFeed); at >= 0; at = block.indexOf(lineFeed, at + 1)) count++
  return count
}
