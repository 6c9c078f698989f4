import { allBlocks, mostSegments } from './part-format'
import { WordBlocks, type WordBlocksWriter, wordsOfBlock } from './word-blocks'
import type { WordTable } from './word-table'

/**
 * Encodes the words section of a part. Each word: one byte that holds how much it shares of the word before (4 bits),
 * how many bytes follow (3 bits), and whether it is in one segment alone (1 bit); 15 and 7 mean that a byte follows
 * with the rest. Then its bytes in UTF-8, then its segments: one byte; or a count and that many bytes; or 0 and a bit
 * for each.
 *
 * @param blocks gets those of every word
 */
export function encodeWords(
  table: WordTable,
  segmentCount: number,
  blocks: WordBlocksWriter,
): Uint8Array {
  const bitmapBytes = Math.ceil(segmentCount / 8)
  let out = Buffer.allocUnsafe(1 << 20)
  let length = 0
  let word = new Uint8Array(longestWordBytes)
  let before = new Uint8Array(longestWordBytes)
  let beforeLength = 0
  for (const { units, segments, blocks: held } of table.sorted()) {
    blocks.add(held)
    if (length + 1024 > out.length) out = Buffer.concat([out], out.length * 2)
    const wordLength = writeUtf8(units, word)
    let shared = 0
    while (shared < beforeLength && shared < wordLength && before[shared] === word[shared]) shared++
    const added = wordLength - shared
    const single = segments.length === 1 ? 1 : 0
    out[length++] = (Math.min(shared, 15) << 4) | (Math.min(added, 7) << 1) | single
    if (shared >= 15) out[length++] = shared - 15
    if (added >= 7) out[length++] = added - 7
    for (let i = shared; i < wordLength; i++) out[length++] = word[i] ?? 0
    ;[word, before, beforeLength] = [before, word, wordLength]
    if (single === 1) out[length++] = segments[0] ?? 0
    else if (segments.length < bitmapBytes) {
      out[length++] = segments.length
      for (let i = 0; i < segments.length; i++) out[length++] = segments[i] ?? 0
    } else {
      out[length++] = 0
      out.fill(0, length, length + bitmapBytes)
      for (const segment of segments) {
        const at = length + (segment >>> 3)
        out[at] = (out[at] ?? 0) | (1 << (segment & 7))
      }
      length += bitmapBytes
    }
  }
  return out.subarray(0, length)
}

/** Words have at most 255 units. */
const longestWordBytes = 3 * 255

function writeUtf8(units: Uint16Array, into: Uint8Array): number {
  for (let i = 0; i < units.length; i++) {
    const unit = units[i] ?? 0
    if (unit >= 0x80) return Buffer.from(into.buffer).write(String.fromCharCode(...units))
    into[i] = unit
  }
  return units.length
}

/** The words of a part, unpacked so that a part of a word is found fast. */
export class Vocabulary {
  /** Every word with a line feed before it, and one at the end. */
  private readonly text: Buffer
  /** Where each word begins in `text`; one more for the end. */
  private readonly starts: Uint32Array
  /** Where each word's segments begin in the section, and whether it is a single one. */
  private readonly lists: Uint32Array
  private readonly singles: Uint8Array
  private readonly section: Uint8Array
  private readonly bitmapBytes: number
  private readonly rows: GramRows
  private readonly blocks: WordBlocks
  /** Segments of the word that was asked for last, ascending. */
  private readonly listed = new Uint8Array(mostSegments)

  /** Takes some 50 ns a word. @throws RangeError where the sections do not hold `count` words */
  constructor(section: Uint8Array, blocks: Uint8Array, count: number, segmentCount: number) {
    this.section = section
    this.bitmapBytes = Math.ceil(segmentCount / 8)
    this.starts = new Uint32Array(count + 1)
    this.lists = new Uint32Array(count)
    this.singles = new Uint8Array(count)
    this.text = this.spread(count)
    this.rows = new GramRows(this.text, this.starts)
    this.blocks = new WordBlocks(blocks, count)
  }

  /**
   * Sets in `found`, for every segment, the bits of the blocks with a word that holds `part`; of many words, of all blocks.
   *
   * @param part UTF-8; a line feed at its start or end stands for the start or end of a word
   */
  addBlocksWith(part: Uint8Array, found: Uint16Array): void {
    let words = 0
    let full = 0
    for (const block of this.rows.blocksWith(part)) {
      const first = block * wordsOfBlock
      const last = Math.min(first + wordsOfBlock, this.lists.length)
      const end = this.starts[last] ?? 0
      // The line feed after a block's last word is the one before the next block.
      const text = this.text.subarray(0, Math.min(end + 1, this.text.length))
      let word = first
      let read = first
      for (let at = text.indexOf(part, this.starts[first]); at >= 0; ) {
        while ((this.starts[word + 1] ?? 0) <= at) word++
        if (word >= last) break
        if (++words <= mostExactWords) {
          if (read === first) this.blocks.seek(block)
          for (; read < word; read++) this.blocks.skip(this.listSegments(read))
          full += this.markBlocks(word, found)
          read++
        } else full += this.markSegments(word, found)
        if (full >= found.length) return
        word++
        at = text.indexOf(part, this.starts[word])
      }
    }
  }

  /** Gives every word with the segments that hold it, ascending, and their blocks. */
  *words(): Generator<{
    readonly word: string
    readonly segments: readonly number[]
    readonly blocks: readonly number[]
  }> {
    for (let n = 0; n < this.lists.length; n++) {
      if (n % wordsOfBlock === 0) this.blocks.seek(n / wordsOfBlock)
      const segments = [...this.listed.subarray(0, this.listSegments(n))]
      const blocks = segments.map(() => this.blocks.next())
      const word = this.text.toString('utf8', (this.starts[n] ?? 0) + 1, this.starts[n + 1])
      yield { word, segments, blocks }
    }
  }

  /** Gives every word alone. */
  *texts(): Generator<string> {
    for (let n = 0; n < this.lists.length; n++)
      yield this.text.toString('utf8', (this.starts[n] ?? 0) + 1, this.starts[n + 1])
  }

  /** Sets the blocks of a word, which are read next. Returns how many segments have all of them since. */
  private markBlocks(word: number, found: Uint16Array): number {
    const count = this.listSegments(word)
    let full = 0
    for (let i = 0; i < count; i++) {
      const segment = this.listed[i] ?? 0
      const before = found[segment] ?? allBlocks
      found[segment] = before | this.blocks.next()
      if (before !== allBlocks && found[segment] === allBlocks) full++
    }
    return full
  }

  /** Sets all blocks of the segments of a word. Returns how many did not have them. */
  private markSegments(word: number, found: Uint16Array): number {
    const count = this.listSegments(word)
    let full = 0
    for (let i = 0; i < count; i++) {
      const segment = this.listed[i] ?? 0
      if (segment >= found.length || found[segment] === allBlocks) continue
      found[segment] = allBlocks
      full++
    }
    return full
  }

  /** Lists the segments of a word in `listed`; returns how many there are. */
  private listSegments(word: number): number {
    let at = this.lists[word] ?? 0
    const { section, listed } = this
    if (this.singles[word] === 1) {
      listed[0] = section[at] ?? 0
      return 1
    }
    const count = section[at++] ?? 0
    for (let i = 0; i < count; i++) listed[i] = section[at + i] ?? 0
    if (count > 0) return count
    let length = 0
    for (let i = 0; i < this.bitmapBytes; i++)
      for (let bits = section[at + i] ?? 0; bits !== 0; bits &= bits - 1)
        listed[length++] = 8 * i + 31 - Math.clz32(bits & -bits)
    return length
  }

  private spread(count: number): Buffer {
    const { section, starts, lists, singles, bitmapBytes } = this
    let text = Buffer.allocUnsafeSlow(Math.max(64, section.length * 3))
    let length = 0
    let at = 0
    let before = 0
    for (let word = 0; word < count; word++) {
      const head = section[at++]
      if (head === undefined) throw new RangeError(`the index has ${word} words, not ${count}`)
      const single = head & 1
      let shared = head >>> 4
      let added = (head >>> 1) & 7
      if (shared === 15) shared += section[at++] ?? 0
      if (added === 7) added += section[at++] ?? 0
      if (length + shared + added + 2 > text.length) text = Buffer.concat([text], text.length * 2)
      starts[word] = length
      text[length++] = lineFeed
      for (let i = 0; i < shared; i++) text[length + i] = text[before + i] ?? 0
      for (let i = 0; i < added; i++) text[length + shared + i] = section[at + i] ?? 0
      before = length
      length += shared + added
      at += added
      singles[word] = single
      lists[word] = at
      const counted = single === 1 ? 1 : (section[at] ?? 0)
      at += single === 1 ? 1 : 1 + (counted === 0 ? bitmapBytes : counted)
    }
    starts[count] = length
    text[length++] = lineFeed
    if (at !== section.length) throw new RangeError(`the index has more than ${count} words`)
    // A copy of the right size: what was allocated for growth is given back.
    return Buffer.from(text.subarray(0, length))
  }
}

const lineFeed = 0x0a
const rowCount = 2048
/** Words of which blocks are looked up for one part: where more hold it, most blocks do. */
const mostExactWords = 512

/**
 * Which blocks of 32 words hold a run of three bytes: a row of bits for each hash of three bytes, a bit for each block.
 * A query of seven letters reads five short rows instead of megabytes of words.
 */
class GramRows {
  private readonly rows: Uint32Array
  private readonly rowLength: number
  private readonly blocks: number

  constructor(text: Uint8Array, starts: Uint32Array) {
    const words = starts.length - 1
    this.blocks = Math.ceil(words / wordsOfBlock)
    this.rowLength = Math.ceil(this.blocks / 32)
    this.rows = new Uint32Array(rowCount * this.rowLength)
    for (let block = 0; block < this.blocks; block++) {
      const end = Math.min(
        (starts[Math.min((block + 1) * wordsOfBlock, words)] ?? 0) + 1,
        text.length,
      )
      const word = block >>> 5
      const bit = 1 << (block & 31)
      for (let i = starts[block * wordsOfBlock] ?? 0; i + 3 <= end; i++) {
        const at = rowOf(text, i) * this.rowLength + word
        this.rows[at] = (this.rows[at] ?? 0) | bit
      }
    }
  }

  /** Numbers of the blocks that may hold `part`; all of them when it is shorter than three bytes. */
  *blocksWith(part: Uint8Array): Generator<number> {
    const { rows, rowLength } = this
    const all = new Uint32Array(rowLength).fill(0xffffffff)
    for (let i = 0; i + 3 <= part.length; i++) {
      const row = rowOf(part, i) * rowLength
      for (let n = 0; n < rowLength; n++) all[n] = (all[n] ?? 0) & (rows[row + n] ?? 0)
    }
    for (let n = 0; n < rowLength; n++) {
      let word = all[n] ?? 0
      while (word !== 0) {
        const bit = 31 - Math.clz32(word & -word)
        word &= word - 1
        const block = n * 32 + bit
        if (block < this.blocks) yield block
      }
    }
  }
}

function rowOf(bytes: Uint8Array, at: number): number {
  const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
  return (Math.imul(three, 0x9e3779b1) >>> 21) & (rowCount - 1)
}
