/**
 * The vocabulary of a part while it is built: every distinct word once, and in which segments it stands.
 *
 * Open addressing; a slot is four integers side by side, so that a word costs one look at memory and one at its letters.
 * Words are compared whole, since a word taken for another would never be found.
 */
export class WordTable {
  /** By slot: hash; start in the arena; number and length; segment of its last pair + 1, or 0 for an empty slot. */
  private slots = new Int32Array(4 << 16)
  private arena = new Uint16Array(1 << 18)
  private arenaLength = 0
  private pairs = new Uint32Array(1 << 18)
  private pairCount = 0
  private readonly segmentEnds: number[] = []
  /** Distinct words. */
  size = 0

  /** Adds the word `units[start..end)`, at most 255 units, with a hash of it. */
  add(units: Uint16Array, start: number, end: number, hash: number): void {
    const { slots, arena } = this
    const mask = slots.length - 4
    const length = end - start
    const stamp = this.segmentEnds.length + 1
    let at = (hash ^ (hash >>> 15)) << 2
    for (; ; at += 4) {
      at &= mask
      const last = slots[at + 3] ?? 0
      if (last === 0) {
        this.insert(units, start, length, hash, at)
        return
      }
      const numbered = slots[at + 2] ?? 0
      if (slots[at] !== hash || (numbered & 0xff) !== length) continue
      const from = slots[at + 1] ?? 0
      let i = 0
      while (i < length && arena[from + i] === units[start + i]) i++
      if (i < length) continue
      if (last !== stamp) {
        slots[at + 3] = stamp
        this.pair(numbered >>> 8)
      }
      return
    }
  }

  endSegment(): void {
    this.segmentEnds.push(this.pairCount)
  }

  /** The words with their segments, sorted by their first letters so that neighbours share a beginning. */
  *sorted(): Generator<{ readonly units: Uint16Array; readonly segments: Uint16Array }> {
    const starts = new Uint32Array(this.size)
    const lengths = new Uint8Array(this.size)
    for (let at = 0; at < this.slots.length; at += 4) {
      if (this.slots[at + 3] === 0) continue
      const numbered = this.slots[at + 2] ?? 0
      starts[numbered >>> 8] = this.slots[at + 1] ?? 0
      lengths[numbered >>> 8] = numbered & 0xff
    }
    const lists = this.lists()
    for (const number of this.order(starts, lengths)) {
      const start = starts[number] ?? 0
      yield {
        units: this.arena.subarray(start, start + (lengths[number] ?? 0)),
        segments: lists.segments.subarray(lists.starts[number], lists.starts[number + 1]),
      }
    }
  }

  private pair(number: number): void {
    if (this.pairCount === this.pairs.length) this.pairs = grown(this.pairs, Uint32Array)
    this.pairs[this.pairCount++] = number
  }

  private insert(
    units: Uint16Array,
    start: number,
    length: number,
    hash: number,
    at: number,
  ): void {
    const number = this.size++
    while (this.arenaLength + length > this.arena.length)
      this.arena = grown(this.arena, Uint16Array)
    this.arena.set(units.subarray(start, start + length), this.arenaLength)
    this.slots[at] = hash
    this.slots[at + 1] = this.arenaLength
    this.slots[at + 2] = (number << 8) | length
    this.slots[at + 3] = this.segmentEnds.length + 1
    this.arenaLength += length
    this.pair(number)
    if (this.size * 8 > this.slots.length) this.rehash()
  }

  private rehash(): void {
    const before = this.slots
    const slots = new Int32Array(before.length * 2)
    const mask = slots.length - 4
    for (let from = 0; from < before.length; from += 4) {
      if (before[from + 3] === 0) continue
      const hash = before[from] ?? 0
      let at = ((hash ^ (hash >>> 15)) << 2) & mask
      while (slots[at + 3] !== 0) at = (at + 4) & mask
      for (let i = 0; i < 4; i++) slots[at + i] = before[from + i] ?? 0
    }
    this.slots = slots
  }

  /** Turns the words of each segment into the segments of each word. */
  private lists(): { readonly segments: Uint16Array; readonly starts: Uint32Array } {
    const starts = new Uint32Array(this.size + 1)
    for (let i = 0; i < this.pairCount; i++) count(starts, (this.pairs[i] ?? 0) + 1)
    for (let number = 0; number < this.size; number++)
      starts[number + 1] = (starts[number + 1] ?? 0) + (starts[number] ?? 0)
    const next = starts.slice()
    const segments = new Uint16Array(this.pairCount)
    let i = 0
    this.segmentEnds.forEach((end, segment) => {
      for (; i < end; i++) segments[count(next, this.pairs[i] ?? 0)] = segment
    })
    return { segments, starts }
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

/** Numbers of words take 23 bits, so that a number and a length fit an integer, and a number and five ranks a double. */
const mostWords = 2 ** 23

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

type Numbers = Uint16Array | Uint32Array

function grown<T extends Numbers>(from: T, kind: new (length: number) => T): T {
  const to = new kind(from.length * 2)
  to.set(from)
  return to
}
