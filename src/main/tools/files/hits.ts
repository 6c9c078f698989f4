import { truncateEnd } from '../base/short-text'

const shownOfLine = 1000

interface Line {
  readonly number: number
  readonly text: string
}

/** The form and the number of the matches that are shown. */
interface Wanted {
  readonly before: number
  readonly after: number
  /** Characters, and matches, of all that is written. */
  readonly fits: number
  readonly most: number
  /** The file's name before each line; '' where there is but one file. */
  readonly name: string
}

/** Collects the matches in a file with the lines around them, as grep writes them, until no more are wanted. */
export class LineHits {
  count = 0
  characters = 0
  isFull = false
  /** The number of the last line that was searched. */
  lastNumber = 0
  readonly written: string[] = []
  private lastWritten = 0
  private afterLeft = 0
  private recent: Line[] = []
  private readonly wanted: Wanted

  constructor(wanted: Wanted) {
    this.wanted = wanted
  }

  /** Lines that follow each other, and which of them match. */
  take(texts: readonly string[], linesBefore: number, matches: ReadonlySet<number>): void {
    for (const [i, text] of texts.entries()) {
      if (this.isFull) return
      this.line({ number: linesBefore + i + 1, text }, matches.has(i))
    }
  }

  private line(line: Line, matches: boolean): void {
    if (matches) {
      if (this.count >= this.wanted.most) this.isFull = true
      for (const before of this.recent) this.write(before, '-')
      this.write(line, ':')
      if (!this.isFull) this.count += 1
      this.afterLeft = this.wanted.after
    } else if (this.afterLeft > 0) {
      this.write(line, '-')
      this.afterLeft -= 1
    }
    if (!this.isFull) this.lastNumber = line.number
    if (this.wanted.before === 0) return
    this.recent.push(line)
    if (this.recent.length > this.wanted.before) this.recent.shift()
  }

  private write(line: Line, mark: ':' | '-'): void {
    if (this.isFull || line.number <= this.lastWritten) return
    const { before, after, fits, name } = this.wanted
    const isApart = before + after > 0 && this.lastWritten > 0 && line.number > this.lastWritten + 1
    const rest = line.text.length - shownOfLine
    const shown =
      rest > 0 ? `${truncateEnd(line.text, shownOfLine)}… (${rest} more characters)` : line.text
    const head = name === '' ? '' : `${name}${mark}`
    const text = `${isApart ? '--\n' : ''}${head}${line.number}${mark}${shown}`
    if (this.characters + text.length + 1 > fits) {
      this.isFull = true
      return
    }
    this.written.push(text)
    this.characters += text.length + 1
    this.lastWritten = line.number
  }
}
