/** The parts of JSON that a `JsonWalker` reports; `depth` is the number of arrays and objects around a part. */
export interface JsonEvents {
  /** A member's name, with the offset of its quote. Undefined for one that is too long to be held. */
  key(depth: number, key: string | undefined, at: number): void
  /** A value begins. For a string, number or word: true asks for its text. */
  begin(depth: number, kind: JsonKind, at: number): boolean
  /** A value ends before `at`. Has the text that was asked for, unless it is too long to be held. */
  end(depth: number, at: number, text: string | undefined): void
}

/** The kinds of JSON values as far as their first byte shows. */
export type JsonKind = 'object' | 'array' | 'string' | 'other'

/** Longer names and texts are not held. */
const longestTextBytes = 64 * 1024

const quote = 0x22
const backslash = 0x5c
const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

/**
 * Walks through JSON of any size, piece by piece, and reports the parts down to a depth; deeper ones cost little. Holds the
 * one text that was asked for.
 *
 * It frames and does not check: whatever stands between brackets and quotes is taken for a value. Never throws. After a
 * whole value it takes what follows for the next one.
 */
export class JsonWalker {
  private depth = 0
  /** By depth, as far as parts are reported. */
  private readonly isObject: boolean[] = []
  private token: 'none' | 'string' | 'other' = 'none'
  /** A name is next: at the beginning of an object, and after a comma in it. */
  private isNameNext = false
  private isName = false
  private nameAt = 0
  /** The last piece ended in a string, after a backslash that escapes what follows. */
  private isEscaped = false
  /** Somebody asked for the text, and it is not too long. */
  private isHeld = false
  /** What of it was in pieces before this one. */
  private held: Uint8Array[] | undefined
  private heldBytes = 0
  private readonly events: JsonEvents
  private readonly deepest: number

  /** @param deepest parts inside of more arrays and objects than this are not reported */
  constructor(events: JsonEvents, deepest: number) {
    this.events = events
    this.deepest = deepest
  }

  /** Takes the next piece, which begins at offset `base`. The piece may be used again afterwards. */
  feed(piece: Buffer, base: number): void {
    let at = 0
    while (at < piece.length) {
      if (this.token === 'string') at = this.throughString(piece, at, base)
      else if (this.token === 'other') at = this.throughOther(piece, at, base)
      else if (this.depth > this.deepest) at = this.throughDeep(piece, at, base)
      else at = this.take(piece, at, base)
    }
  }

  /** Reports the end of a number or word that nothing follows. What else is open stays so. */
  finish(at: number): void {
    if (this.token === 'other') this.endToken(at, noBytes, 0, 0)
  }

  /** True inside of an array or object. */
  get isOpen(): boolean {
    return this.depth > 0
  }

  private take(piece: Buffer, at: number, base: number): number {
    const byte = piece[at] as number // within the piece
    switch (byte) {
      case quote:
        this.beginString(base + at)
        return at + 1
      case 0x7b: // {
      case 0x5b: // [
        this.open(byte === 0x7b, base + at)
        return at + 1
      case 0x7d: // }
      case 0x5d: // ]
        this.close(base + at + 1)
        return at + 1
      case 0x2c: // ,
        this.isNameNext = this.isObject[this.depth] === true
        return at + 1
      case 0x3a: // :
        this.isNameNext = false
        return at + 1
      default:
        // Zeros are what a crash leaves behind the last whole value.
        if (isSpace(byte) || byte === 0) return at + 1
        this.token = 'other'
        this.hold(this.events.begin(this.depth, 'other', base + at))
        return at
    }
  }

  /** Goes on where nothing is reported: to a string, or to the end of a value that is. */
  private throughDeep(piece: Buffer, from: number, base: number): number {
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at] as number // within the piece
      if (byte === quote) {
        this.beginString(base + at)
        return at + 1
      }
      // Brackets differ from braces by this bit.
      if ((byte | 0x20) === 0x7b) this.depth += 1
      else if ((byte | 0x20) === 0x7d) {
        this.close(base + at + 1)
        if (this.depth <= this.deepest) return at + 1
      }
    }
    return piece.length
  }

  private open(isObject: boolean, at: number): void {
    if (this.depth <= this.deepest) this.events.begin(this.depth, isObject ? 'object' : 'array', at)
    this.depth += 1
    if (this.depth > this.deepest) return
    this.isObject[this.depth] = isObject
    this.isNameNext = isObject
  }

  private close(at: number): void {
    if (this.depth === 0) return
    this.depth -= 1
    this.isNameNext = false
    if (this.depth <= this.deepest) this.events.end(this.depth, at, undefined)
  }

  private beginString(at: number): void {
    this.token = 'string'
    this.isEscaped = false
    if (this.depth > this.deepest) return
    this.isName = this.isNameNext
    this.nameAt = at
    this.hold(this.isName || this.events.begin(this.depth, 'string', at))
  }

  private throughString(piece: Buffer, from: number, base: number): number {
    for (let search = from; ; ) {
      const end = quoteFrom(piece, search)
      const to = end < 0 ? piece.length : end
      let slashes = 0
      while (to - slashes > from && piece[to - slashes - 1] === backslash) slashes++
      // A run that reaches back into the last piece goes on there.
      const isEscaped = (slashes + (to - slashes === from && this.isEscaped ? 1 : 0)) % 2 === 1
      if (end < 0) {
        this.keep(piece, from)
        this.isEscaped = isEscaped
        return piece.length
      }
      if (isEscaped) {
        search = end + 1
        continue
      }
      this.endToken(base + end + 1, piece, from, end)
      return end + 1
    }
  }

  private throughOther(piece: Buffer, from: number, base: number): number {
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at] as number // within the piece
      const isPart =
        !isSpace(byte) && byte !== 0x2c && byte !== 0x3a && byte !== quote && byte !== 0
      if (isPart && (byte | 0x20) !== 0x7d && (byte | 0x20) !== 0x7b) continue
      this.endToken(base + at, piece, from, at)
      return at
    }
    this.keep(piece, from)
    return piece.length
  }

  /** The token ends with the bytes of a piece from `from` to `to`. */
  private endToken(at: number, piece: Buffer, from: number, to: number): void {
    const isString = this.token === 'string'
    this.token = 'none'
    if (this.depth > this.deepest) return
    const text = this.textHeld(piece, from, to, isString)
    if (isString && this.isName) {
      this.isNameNext = false
      this.events.key(this.depth, text, this.nameAt)
    } else this.events.end(this.depth, at, text)
  }

  private hold(isWanted: boolean): void {
    this.isHeld = isWanted
    this.held = undefined
    this.heldBytes = 0
  }

  /** Keeps the beginning of a token that goes on in the next piece. */
  private keep(piece: Buffer, from: number): void {
    if (!this.isHeld || this.depth > this.deepest) return
    this.heldBytes += piece.length - from
    if (this.heldBytes > longestTextBytes) this.hold(false)
    else {
      this.held ??= []
      this.held.push(Uint8Array.prototype.slice.call(piece, from))
    }
  }

  private textHeld(piece: Buffer, from: number, to: number, isString: boolean): string | undefined {
    const { isHeld, held } = this
    const isLong = this.heldBytes + (to - from) > longestTextBytes
    this.hold(false)
    if (!isHeld || isLong) return undefined
    const text =
      held === undefined
        ? piece.toString('utf8', from, to)
        : Buffer.concat([...held, piece.subarray(from, to)]).toString('utf8')
    return isString ? unescaped(text) : text
  }
}

const noBytes = Buffer.alloc(0)

/** Names and most values are shorter than what it takes to ask for the place of a byte. */
const shortBytes = 32

/** The place of the next quote; -1 where there is none. */
function quoteFrom(piece: Buffer, from: number): number {
  const near = Math.min(piece.length, from + shortBytes)
  for (let at = from; at < near; at++) if (piece[at] === quote) return at
  return piece.indexOf(quote, near)
}

/** The text of a JSON string without its quotes; as it is where that is none. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  try {
    const value: unknown = JSON.parse(`"${text}"`)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}
