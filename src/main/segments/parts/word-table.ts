/** A word with its segments, ascending, and of each the blocks that have it. */
export interface SortedWord {
  readonly units: Uint16Array
  readonly segments: Uint16Array
  readonly blocks: Uint16Array
}

/** A word of so many of the letters a to z fits 64 bits, five for each. */
const longestKey = 12
/** Keys that are kept at hand: 16 KB, so that they stay near the processor. */
const recentKeys = 2048

/**
 * The vocabulary of a part while it is built: every distinct word once, with its segments, and of each the blocks that hold it.
 *
 * Open addressing; a slot is four adjacent integers, so that a word costs one memory access, and common words less, by
 * a small cache of keys that this segment has. Words are compared in full, since a word taken for another would never
 * be found: short ones by their key, which holds all of them, others by their letters.
 */
export class WordTable {
  /** By slot: key, low and high; number; its last pair + 1, or 0 for an empty slot. */
  private slots = new Int32Array(4 << 16)
  /** By number: the offset of the word in the arena, and its length. */
  private starts = new Uint32Array(1 << 14)
  private lengths = new Uint8Array(1 << 14)
  private arena = new Uint16Array(1 << 18)
  private arenaLength = 0
  private pairs = new Uint32Array(1 << 18)
  /** By pair: the blocks of the segment that have the word, a bit for each. */
  private blocks = new Uint16Array(1 << 18)
  private pairCount = 0
  /** The first pair of the segment that is being read. */
  private firstPair = 0
  /** The bit of the block that is being read. */
  private block = 1
  private readonly segmentEnds: number[] = []
  /** Keys of words that the segment has, low and high; no word has the key 0. */
  private readonly recent = new Int32Array(2 * recentKeys)
  /** Of each of them the pair, from 1, and the blocks that were met since: they go to the pair when the key goes. */
  private readonly recentPairs = new Uint32Array(recentKeys)
  private readonly recentBlocks = new Uint16Array(recentKeys)
  /** Distinct words. */
  size = 0

  /**
   * Adds the word `units[start..end)`, at most 255 units.
   *
   * @param low @param high the low five bits of each of its units, one after the other, in 64 bits
   * @param ofLetters it has no unit but a to z
   */
  add(
    units: Uint16Array,
    start: number,
    end: number,
    low: number,
    high: number,
    ofLetters: boolean,
  ): void {
    const length = end - start
    if (!ofLetters || length > longestKey) {
      // No key is negative.
      this.find(units, start, length, hashOf(units, start, end), ~length)
      return
    }
    const { recent } = this
    const at = (slotOf(low, high) >>> 1) & (2 * recentKeys - 2)
    if (recent[at] === low && recent[at + 1] === high) {
      const { recentBlocks } = this
      recentBlocks[at >>> 1] = (recentBlocks[at >>> 1] ?? 0) | this.block
      return
    }
    this.letGo(at >>> 1)
    recent[at] = low
    recent[at + 1] = high
    this.recentPairs[at >>> 1] = this.find(units, start, length, low, high)
  }

  /** Begins a block of the segment: words are in it from now on. */
  beginBlock(number: number): void {
    this.block = 1 << number
  }

  /** Adds a word of another part. @param blocks of the segment that have it, a bit for each */
  addWord(word: string, blocks: number): void {
    this.block = blocks
    const units = Uint16Array.from({ length: word.length }, (_, n) => word.charCodeAt(n))
    let low = 0
    let high = 0
    let ofLetters = true
    for (const unit of units) {
      high = (high << 5) | (low >>> 27)
      low = (low << 5) | (unit & 31)
      ofLetters &&= unit >= 0x61 && unit <= 0x7a
    }
    this.add(units, 0, units.length, low, high, ofLetters)
  }

  /** Returns the word's pair of the segment, from 1. */
  private find(
    units: Uint16Array,
    start: number,
    length: number,
    low: number,
    high: number,
  ): number {
    const { slots } = this
    const mask = slots.length - 4
    for (let at = slotOf(low, high); ; at += 4) {
      at &= mask
      const last = slots[at + 3] ?? 0
      if (last === 0) return this.insert(units, start, length, low, high, at)
      if (slots[at] !== low || slots[at + 1] !== high) continue
      const number = slots[at + 2] ?? 0
      if (high < 0 && !this.isWord(number, units, start, length)) continue
      if (last > this.firstPair) return this.hold(last)
      const pair = this.pair(number)
      slots[at + 3] = pair
      return pair
    }
  }

  endSegment(): void {
    this.segmentEnds.push(this.pairCount)
    this.firstPair = this.pairCount
    for (let at = 0; at < recentKeys; at++) this.letGo(at)
    this.recentPairs.fill(0)
    this.recent.fill(0)
    this.beginBlock(0)
  }

  /** The words with their segments, sorted by their first letters so that neighbours share a beginning. */
  *sorted(): Generator<SortedWord> {
    const { starts, lengths } = this
    const lists = this.lists()
    for (const number of this.order(starts, lengths)) {
      const start = starts[number] ?? 0
      yield {
        units: this.arena.subarray(start, start + (lengths[number] ?? 0)),
        segments: lists.segments.subarray(lists.starts[number], lists.starts[number + 1]),
        blocks: lists.blocks.subarray(lists.starts[number], lists.starts[number + 1]),
      }
    }
  }

  /** Gives the pair of a key that is at hand its blocks. */
  private letGo(at: number): void {
    const pair = this.recentPairs[at] ?? 0
    if (pair > 0)
      this.blocks[pair - 1] = (this.blocks[pair - 1] ?? 0) | (this.recentBlocks[at] ?? 0)
    this.recentBlocks[at] = 0
  }

  /** Notes that the block has the word of a pair, which it returns. */
  private hold(pair: number): number {
    this.blocks[pair - 1] = (this.blocks[pair - 1] ?? 0) | this.block
    return pair
  }

  /** Returns the number of the pair, from 1. */
  private pair(number: number): number {
    if (this.pairCount === this.pairs.length) {
      this.pairs = grown(this.pairs, Uint32Array)
      this.blocks = grown(this.blocks, Uint16Array)
    }
    this.pairs[this.pairCount] = number
    this.blocks[this.pairCount] = this.block
    return ++this.pairCount
  }

  private isWord(number: number, units: Uint16Array, start: number, length: number): boolean {
    const { arena } = this
    const from = this.starts[number] ?? 0
    let i = 0
    while (i < length && arena[from + i] === units[start + i]) i++
    return i === length
  }

  private insert(
    units: Uint16Array,
    start: number,
    length: number,
    low: number,
    high: number,
    at: number,
  ): number {
    const number = this.size++
    if (number === this.starts.length) {
      this.starts = grown(this.starts, Uint32Array)
      this.lengths = grown(this.lengths, Uint8Array)
    }
    this.starts[number] = this.arenaLength
    this.lengths[number] = length
    while (this.arenaLength + length > this.arena.length)
      this.arena = grown(this.arena, Uint16Array)
    this.arena.set(units.subarray(start, start + length), this.arenaLength)
    this.arenaLength += length
    this.slots[at] = low
    this.slots[at + 1] = high
    this.slots[at + 2] = number
    const pair = this.pair(number)
    this.slots[at + 3] = pair
    if (this.size * 6 > this.slots.length) this.rehash()
    return pair
  }

  private rehash(): void {
    const before = this.slots
    const slots = new Int32Array(before.length * 2)
    const mask = slots.length - 4
    for (let from = 0; from < before.length; from += 4) {
      if (before[from + 3] === 0) continue
      let at = slotOf(before[from] ?? 0, before[from + 1] ?? 0) & mask
      while (slots[at + 3] !== 0) at = (at + 4) & mask
      for (let i = 0; i < 4; i++) slots[at + i] = before[from + i] ?? 0
    }
    this.slots = slots
  }

  /** Turns the words of each segment into the segments of each word. */
  private lists() {
    const starts = new Uint32Array(this.size + 1)
    for (let i = 0; i < this.pairCount; i++) count(starts, (this.pairs[i] ?? 0) + 1)
    for (let number = 0; number < this.size; number++)
      starts[number + 1] = (starts[number + 1] ?? 0) + (starts[number] ?? 0)
    const next = starts.slice()
    const segments = new Uint16Array(this.pairCount)
    const blocks = new Uint16Array(this.pairCount)
    let i = 0
    this.segmentEnds.forEach((end, segment) => {
      for (; i < end; i++) {
        const at = count(next, this.pairs[i] ?? 0)
        segments[at] = segment
        blocks[at] = this.blocks[i] ?? 0
      }
    })
    return { segments, blocks, starts }
  }

  /** Word numbers by their first five letters: sorting whole words would take as long as all else. */
  private order(starts: Uint32Array, lengths: Uint8Array): Iterable<number> {
    const keys = new Float64Array(this.size)
    for (let number = 0; number < this.size; number++) {
      const start = starts[number] ?? 0
      const length = lengths[number] ?? 0
      let key = 0
      for (let i = 0; i < 5; i++)
        key = key * 64 + (i < length ? rank(this.arena[start + i] ?? 0) : 0)
      keys[number] = key * mostWords + number
    }
    keys.sort()
    return Uint32Array.from(keys, (key) => key % mostWords)
  }
}

/** Numbers of words take 23 bits, so that a number and five ranks fit a double. */
const mostWords = 2 ** 23

/** The slot where the search for a word begins, before the table's mask. */
function slotOf(low: number, high: number): number {
  const hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b)
  return (hash ^ (hash >>> 15)) << 2
}

/** FNV-1a. */
function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (units[i] ?? 0), 0x01000193)
  return hash
}

/** Adds one, and returns what was there. */
function count(counts: Uint32Array, at: number): number {
  const before = counts[at] ?? 0
  counts[at] = before + 1
  return before
}

/** Digits, letters, all else: in 6 bits. */
function rank(unit: number): number {
  if (unit <= 0x39) return unit - 0x30 + 1
  if (unit <= 0x7a) return unit - 0x61 + 11
  return 37 + (unit % 27)
}

type Numbers = Uint8Array | Uint16Array | Uint32Array

function grown<T extends Numbers>(from: T, kind: new (length: number) => T): T {
  const to = new kind(from.length * 2)
  to.set(from)
  return to
}
