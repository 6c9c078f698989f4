import { allBlocks } from './part-format'

/**
 * Which blocks of its segments have a word, a bit for each, in as few bits as they need: most words of a segment are in one of
 * its blocks, or in two.
 *
 *   0, 4 bits             the number of the one block
 *   10, 4 bits, 4 bits    the numbers of two
 *   11, 16 bits           a bit for each, the lowest for the first
 *
 * Codes follow each other, word after word and segment after segment, the highest bit of a byte first. Before them stands, for
 * every 32nd word, at which bit its codes begin: 4 bytes, in little-endian.
 */

/** Words between two places where reading can begin. */
export const wordsOfBlock = 32

/** A writer of blocks by word. */
export class WordBlocksWriter {
  private bytes = new Uint8Array(1 << 16)
  private length = 0
  private readonly starts: number[] = []
  private words = 0

  /** Adds the next word. @param blocks of its segments, in order; none is empty */
  add(blocks: Uint16Array): void {
    if (this.words++ % wordsOfBlock === 0) this.starts.push(this.length)
    for (const bits of blocks) {
      const first = lowestOf(bits)
      const rest = bits & (bits - 1)
      if (rest === 0) this.write(first, 5)
      else if ((rest & (rest - 1)) === 0) this.write((2 << 8) | (first << 4) | lowestOf(rest), 10)
      else this.write((3 << 16) | bits, 18)
    }
  }

  finish(): Uint8Array {
    const out = Buffer.alloc(4 * this.starts.length + Math.ceil(this.length / 8))
    for (const [n, start] of this.starts.entries()) out.writeUInt32LE(start, 4 * n)
    out.set(this.bytes.subarray(0, Math.ceil(this.length / 8)), 4 * this.starts.length)
    return out
  }

  private write(code: number, bits: number): void {
    if (this.length + 32 > this.bytes.length * 8) {
      const more = new Uint8Array(2 * this.bytes.length)
      more.set(this.bytes)
      this.bytes = more
    }
    const at = this.length >>> 3
    const shifted = code << (32 - bits - (this.length & 7))
    for (let n = 0; n < 4; n++)
      this.bytes[at + n] = (this.bytes[at + n] ?? 0) | ((shifted >>> (24 - 8 * n)) & 0xff)
    this.length += bits
  }
}

/** A reader of blocks by word. */
export class WordBlocks {
  private readonly section: Buffer
  private readonly codes: number
  private at = 0

  /** @throws RangeError where the section is too short for so many words */
  constructor(section: Uint8Array, words: number) {
    this.section = Buffer.from(section.buffer, section.byteOffset, section.length)
    this.codes = 4 * Math.ceil(words / wordsOfBlock)
    if (section.length < this.codes) throw new RangeError('blocks of words are missing')
  }

  /** Goes to the first word of so many times 32. */
  seek(block: number): void {
    this.at = this.codes * 8 + this.section.readUInt32LE(4 * block)
  }

  /** Reads the blocks of the next segment of a word; all of them behind the end. */
  next(): number {
    const code = this.peek()
    if (code >>> 31 === 0) {
      this.at += 5
      return 1 << (code >>> 27)
    }
    if (code >>> 30 === 2) {
      this.at += 10
      return (1 << ((code >>> 26) & 15)) | (1 << ((code >>> 22) & 15))
    }
    this.at += 18
    return (code >>> 14) & allBlocks
  }

  /** Passes over so many segments. */
  skip(segments: number): void {
    for (let n = 0; n < segments; n++) {
      const code = this.peek()
      this.at += code >>> 31 === 0 ? 5 : code >>> 30 === 2 ? 10 : 18
    }
  }

  /** The next bits, the first of them the highest. What is behind the end is ones. */
  private peek(): number {
    const { section, at } = this
    const byte = at >>> 3
    const four =
      ((section[byte] ?? 0xff) << 24) |
      ((section[byte + 1] ?? 0xff) << 16) |
      ((section[byte + 2] ?? 0xff) << 8) |
      (section[byte + 3] ?? 0xff)
    return (four << (at & 7)) >>> 0
  }
}

/** The number of the lowest bit that is set. */
function lowestOf(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}
