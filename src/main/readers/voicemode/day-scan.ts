import { decodeJsonLine, decodeJsonLineInSlices, type JsonLine } from '../../disk/json/json-line'
import type { FileLine } from '../../disk/reading/lines'
import { instantOf } from './instant'
import { type VoiceLine, voiceLine } from './line'
import { headAt, lineHeadBytes } from './line-key'
import { type KeptOpening, Opening } from './opening'

/** The part of a day file that holds a conversation. */
export interface DayPart {
  /** From its first line; from the file's start for the first conversation in it. */
  readonly offset: number
  /** The number of the line there. */
  readonly line: number
  /** The byte at which the next line with a conversation begins after its last one: blank and damaged lines between are in the part. */
  readonly end: number
  /** Its own lines alone, and their bytes. */
  readonly lines: number
  readonly bytes: number
  /** Its earliest and its latest instant there; undefined where no line has one. */
  readonly first: number | undefined
  readonly last: number | undefined
  /** Its instants never go back from line to line. */
  readonly isOrdered: boolean
  /** By its first lines there. */
  readonly opening: Opening
}

type Draft = { -readonly [Name in keyof DayPart]: DayPart[Name] }

/** A part as plain data, with its key. */
type KeptPart = Omit<DayPart, 'opening'> & { readonly key: string; readonly opening: KeptOpening }

/** A scan as plain data, which crosses to another thread. */
export interface KeptScan {
  readonly position: number
  readonly nextLine: number
  readonly parts: readonly KeptPart[]
  /** By their numbers among the parts. */
  readonly owners: readonly number[]
}

/**
 * A scan of a file's lines in order, which finds the conversation of each, as a rule by its beginning: parsing takes
 * several times as long. A damaged line with the usual beginning is of the conversation that it names; one with
 * several records is of all of theirs.
 */
export class DayScan {
  /** In bytes: the lines before it were taken. */
  position = 0
  private nextLine = 1
  private readonly parts = new Map<string, Draft>()
  private lastKey: string | undefined
  private lastPart: Draft | undefined
  /** Of the last line with a conversation: their parts continue. */
  private owners: readonly Draft[] = []

  copy(): DayScan {
    return DayScan.of(this.kept())
  }

  kept(): KeptScan {
    const { position, nextLine } = this
    const drafts = [...this.parts.values()]
    const parts = [...this.parts].map(([key, { opening, ...part }]) => ({
      ...part,
      key,
      opening: opening.kept(),
    }))
    return { position, nextLine, parts, owners: this.owners.map((part) => drafts.indexOf(part)) }
  }

  /** Goes on from there; shares nothing with the scan that it was. */
  static of({ position, nextLine, parts, owners }: KeptScan): DayScan {
    const scan = new DayScan()
    scan.position = position
    scan.nextLine = nextLine
    const drafts = parts.map(({ key, opening, ...part }) => {
      const draft: Draft = { ...part, opening: Opening.of(opening) }
      scan.parts.set(key, draft)
      return draft
    })
    scan.owners = owners.flatMap((at) => drafts[at] ?? [])
    return scan
  }

  /** The conversations by key, in order of their first lines. */
  index(): ReadonlyMap<string, DayPart> {
    return new Map([...this.parts].map(([key, part]) => [key, { ...part }]))
  }

  /** Takes every whole line of a piece of the file, which begins at `position`. */
  takeLines(piece: Buffer): void {
    const begin = this.position
    let start = 0
    for (;;) {
      const end = piece.indexOf(lineFeed, start)
      if (end === -1) return
      if (!this.takeUsual(piece, start, end)) {
        const bytes = piece.subarray(start, end)
        this.take({ bytes, offset: begin + start, length: end - start, ended: true })
      }
      start = end + 1
    }
  }

  /** Takes a line of any kind, which may be as long as one can be; gives way to others meanwhile. */
  async takeLong(line: FileLine): Promise<void> {
    const decoded = await decodeJsonLineInSlices(line, voiceLine)
    this.take(line, valuesIn(decoded, line))
  }

  private take(line: FileLine, { owners: found, values } = valuesOf(line)): void {
    if (found.length > 0)
      this.owners = [...new Set(found.map(({ key, instant }) => this.noted(key, instant)))]
    for (const { key, entries } of values) {
      const opening = this.parts.get(key)?.opening
      if (opening !== undefined && !opening.isComplete) opening.take(entries[0])
    }
    this.pass(line.length + (line.ended ? 1 : 0), found.length > 0)
  }

  /** Takes the line at `start` if its beginning is enough. */
  private takeUsual(piece: Buffer, start: number, end: number): boolean {
    // Each byte as a character: the search is for ASCII, and is faster in a text than in bytes.
    const text = piece.toString('latin1', start, end)
    const head = headAt(text, 0)
    if (head === undefined) return false
    // A second id on the line is another record's, or inside this one: parsing decides.
    if (text.includes(idMark, head.end)) return false
    const isWhole = piece[end - 1] === closing || piece[end - 2] === closing
    const part = this.noted(head.key, isWhole ? instantOf(head.timestamp) : undefined)
    if (!part.opening.isComplete && part.opening.count < mostParsed) {
      const bytes = piece.subarray(start, end)
      const line = { bytes, offset: this.position, length: end - start, ended: true }
      for (const value of valuesOf(line).values) part.opening.take(value.entries[0])
    }
    if (this.owners.length !== 1 || this.owners[0] !== part) this.owners = [part]
    this.pass(end + 1 - start, true)
    return true
  }

  private noted(key: string, instant: number | undefined): Draft {
    // Comparing with the last one takes less than looking among all.
    let part = key === this.lastKey ? this.lastPart : this.parts.get(key)
    if (part === undefined) {
      const isFirst = this.parts.size === 0
      const begin = isFirst
        ? { offset: 0, line: 1 }
        : { offset: this.position, line: this.nextLine }
      part = { ...begin, end: 0, lines: 0, bytes: 0, ...noInstants, opening: new Opening() }
      this.parts.set(ownText(key), part)
    }
    if (part !== this.lastPart) {
      this.lastPart = part
      this.lastKey = ownText(key)
    }
    if (instant !== undefined) {
      if (part.last !== undefined && instant < part.last) part.isOrdered = false
      if (part.first === undefined || instant < part.first) part.first = instant
      if (part.last === undefined || instant > part.last) part.last = instant
    }
    return part
  }

  private pass(bytes: number, isOwned: boolean): void {
    this.position += bytes
    this.nextLine += 1
    for (const part of this.owners) {
      part.end = this.position
      if (!isOwned) continue
      part.lines += 1
      part.bytes += bytes
    }
  }
}

/** Lines of a conversation that are parsed for a message of a person and a project: most have them in the first. */
const mostParsed = 64
const noInstants = { first: undefined, last: undefined, isOrdered: true }

/** A piece of a text would keep all of it in memory. */
function ownText(key: string): string {
  return Buffer.from(key).toString()
}

interface Owner {
  readonly key: string
  readonly instant: number | undefined
}

/** The conversations of a line, and its values. */
function valuesOf(line: FileLine): LineValues {
  return valuesIn(decodeJsonLine(line, voiceLine), line)
}

interface LineValues {
  readonly owners: readonly Owner[]
  readonly values: readonly VoiceLine[]
}

function valuesIn(decoded: JsonLine<VoiceLine>, line: FileLine): LineValues {
  if (decoded.type === 'blank') return { owners: [], values: [] }
  const values = decoded.type === 'value' ? [decoded.value] : decoded.recovered
  const owners: Owner[] = values.map(({ key, entries: [{ timestamp }] }) => ({
    key,
    instant: timestamp ?? undefined,
  }))
  if (decoded.type === 'value') return { owners, values }
  const bytes = Buffer.from(line.bytes.buffer, line.bytes.byteOffset, line.bytes.byteLength)
  const head = headAt(bytes.toString('latin1', 0, Math.min(lineHeadBytes, bytes.length)), 0)
  if (head === undefined) return { owners, values }
  return { owners: [{ key: head.key, instant: undefined }, ...owners], values }
}

const idMark = '"conversation_id"'
const lineFeed = 0x0a
const closing = '}'.charCodeAt(0)
