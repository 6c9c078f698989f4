import { parse } from 'smol-toml'

/** The position of a key and its value in a text; offsets count UTF-16 units. */
export interface KeyPosition {
  /** From the root. */
  readonly path: readonly string[]
  readonly keyStart: number
  readonly valueStart: number
  /** After its last character. */
  readonly valueEnd: number
  /** True where the value has a comment in it. */
  readonly hasComment: boolean
  /** The table that it is in, by index; for a key of an inline table the outermost one's. */
  readonly table: number
  /** The inline table that it is in, by the index of that table's key. */
  readonly inline?: number
  readonly isInlineTable: boolean
}

/** A `[table]`, or the root, which comes first. */
export interface TablePosition {
  readonly path: readonly string[]
  readonly headerStart: number
  /** After the bracket that closes it. */
  readonly headerEnd: number
  /** One of several under a name, `[[name]]`, or below such a one: no path leads to it. */
  readonly isOfArray: boolean
}

/** The positions of all tables and keys of a text. */
export interface TomlPositions {
  readonly tables: readonly TablePosition[]
  /** In the order of the text. Those below `[[name]]` and in arrays are left out. */
  readonly keys: readonly KeyPosition[]
}

/**
 * Finds all keys and tables of a text that a parser accepts as TOML; undefined where the scanner does not understand
 * it.
 */
export function findTomlPositions(text: string): TomlPositions | undefined {
  try {
    return new Scanner(text).scan()
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined
    throw error
  }
}

class NotUnderstood extends Error {}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

class Scanner {
  readonly #text: string
  #at = 0
  #table = 0
  readonly #tables: TablePosition[] = [{ path: [], headerStart: 0, headerEnd: 0, isOfArray: false }]
  readonly #keys: KeyPosition[] = []
  #comments = 0
  readonly #arrays = new Set<string>()

  constructor(text: string) {
    this.#text = text
  }

  scan(): TomlPositions {
    for (;;) {
      this.#skipSpace()
      const next = this.#text[this.#at]
      if (next === undefined) break
      if (next === '[') this.#header()
      else this.#keyAndValue(this.#current().path, undefined)
    }
    return { tables: this.#tables, keys: this.#keys }
  }

  #current(): TablePosition {
    const table = this.#tables[this.#table]
    if (table === undefined) throw new NotUnderstood()
    return table
  }

  #header(): void {
    const headerStart = this.#at
    const isArray = this.#text.startsWith('[[', this.#at)
    this.#at += isArray ? 2 : 1
    const path = this.#keyPath()
    this.#expect(isArray ? ']]' : ']')
    if (isArray) this.#arrays.add(JSON.stringify(path))
    const isOfArray = path.some((_, at) => this.#arrays.has(JSON.stringify(path.slice(0, at + 1))))
    this.#table = this.#tables.push({ path, headerStart, headerEnd: this.#at, isOfArray }) - 1
  }

  /**
   * @param inline the inline table that it is in, by the index of that table's key; null in an array, where no path
   * leads
   */
  #keyAndValue(base: readonly string[], inline: number | null | undefined): void {
    const keyStart = this.#at
    const path = [...base, ...this.#keyPath()]
    this.#expect('=')
    this.#skipBlanks()
    const isInlineTable = this.#text[this.#at] === '{'
    const isLost = inline === null || this.#current().isOfArray
    const comments = this.#comments
    const place: Mutable<KeyPosition> = {
      path,
      keyStart,
      valueStart: this.#at,
      valueEnd: this.#at,
      hasComment: false,
      table: this.#table,
      ...(typeof inline === 'number' ? { inline } : {}),
      isInlineTable,
    }
    const index = isLost ? null : this.#keys.push(place) - 1
    this.#value(path, index)
    place.valueEnd = this.#at
    place.hasComment = this.#comments > comments
  }

  #value(path: readonly string[], index: number | null): void {
    const next = this.#text[this.#at]
    if (next === '"' || next === "'") this.#string()
    else if (next === '[') this.#listed(']', () => this.#value(path, null))
    else if (next === '{') this.#listed('}', () => this.#keyAndValue(path, index))
    else this.#scalar()
  }

  /** Skips the items between brackets, with their commas. */
  #listed(end: string, item: () => void): void {
    this.#at++
    for (;;) {
      this.#skipSpace()
      if (this.#text[this.#at] === end) break
      item()
      this.#skipSpace()
      if (this.#text[this.#at] === ',') this.#at++
      else if (this.#text[this.#at] !== end) throw new NotUnderstood()
    }
    this.#at++
  }

  #scalar(): void {
    const found = /[^,\]}#\r\n]*/y
    found.lastIndex = this.#at
    const value = (found.exec(this.#text)?.[0] ?? '').trimEnd()
    if (value === '') throw new NotUnderstood()
    this.#at += value.length
  }

  #string(): void {
    const quote = this.#text[this.#at] ?? ''
    const long = quote.repeat(3)
    const isLong = this.#text.startsWith(long, this.#at)
    const end = isLong ? long : quote
    this.#at += end.length
    while (!this.#text.startsWith(end, this.#at)) {
      if (this.#at >= this.#text.length) throw new NotUnderstood()
      this.#at += quote === '"' && this.#text[this.#at] === '\\' ? 2 : 1
    }
    this.#at += end.length
    // A text over several lines may end with one or two quotes of its own.
    for (let more = 0; isLong && more < 2 && this.#text[this.#at] === quote; more++) this.#at++
  }

  #keyPath(): readonly string[] {
    const path: string[] = []
    for (;;) {
      this.#skipBlanks()
      path.push(this.#keyPart())
      this.#skipBlanks()
      if (this.#text[this.#at] !== '.') return path
      this.#at++
    }
  }

  #keyPart(): string {
    const start = this.#at
    const quote = this.#text[start]
    if (quote !== '"' && quote !== "'") {
      const bare = /[^\s.=\]"'#{},[]+/y
      bare.lastIndex = start
      const [part] = bare.exec(this.#text) ?? []
      if (part === undefined) throw new NotUnderstood()
      this.#at += part.length
      return part
    }
    this.#string()
    // The parser knows the escapes.
    const { key } = parse(`key = ${this.#text.slice(start, this.#at)}`)
    if (typeof key !== 'string') throw new NotUnderstood()
    return key
  }

  #expect(what: string): void {
    this.#skipBlanks()
    if (!this.#text.startsWith(what, this.#at)) throw new NotUnderstood()
    this.#at += what.length
  }

  #skipBlanks(): void {
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at++
  }

  /** Blanks, line ends and comments. */
  #skipSpace(): void {
    for (;;) {
      const next = this.#text[this.#at]
      if (next === '#') {
        this.#comments++
        const end = this.#text.indexOf('\n', this.#at)
        this.#at = end < 0 ? this.#text.length : end
      } else if (next === ' ' || next === '\t' || next === '\r' || next === '\n') this.#at++
      else return
    }
  }
}
