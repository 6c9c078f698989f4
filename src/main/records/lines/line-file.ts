import { DiskError, type DiskFile, type FileStat } from '../../disk/interface/disk'
import { lineAt, refuseWrite } from '../interface/record-lines'

/** A line of a record file that was laid out: how long it is, in bytes, with its line feed. */
export interface SizedLine {
  readonly bytes: number
}

/** Bytes of lines that were laid out before. */
export interface WrittenLines {
  readonly bytes: Uint8Array
  /** The reason why not all could be read, as a sentence without its full stop. */
  readonly fault: string | undefined
  /** The lines end early: what follows is not what it was when they were laid out. */
  readonly isChanged?: boolean
}

/** The lines of a record file in the state that they had when it was opened. */
export interface LineSource<L extends SizedLine> {
  readonly lines: readonly L[]
  /** Writes lines, one after the other. */
  readonly write: (lines: readonly L[]) => Promise<WrittenLines>
  /** The reason why lines are missing, where some are. */
  readonly fault?: string | undefined
  /** Called once, when the file is closed. */
  readonly release?: () => Promise<void>
}

/**
 * Bytes of lines that are written at once; one line at least. A list reads the ends of thousands of conversations, and little of
 * each: only who reads on gets more.
 */
const leastPieceBytes = 64 * 1024
const mostPieceBytes = 1024 * 1024

/**
 * A record file whose lines are written when they are read. Holds some lines, up to 1 MB or one of them. Where what they are made
 * of is another by then it ends early, and has a fault.
 */
export class LineFile<L extends SizedLine> implements DiskFile {
  fault: string | undefined
  private readonly path: string
  private readonly known: FileStat
  private readonly source: LineSource<L>
  /** The byte at which each line begins, and at the end the size. */
  private readonly starts: Float64Array
  private held: Uint8Array = new Uint8Array(0)
  private heldAt = 0
  private pieceBytes = leastPieceBytes
  private isClosed = false

  constructor(path: string, known: FileStat, source: LineSource<L>) {
    this.fault = source.fault
    this.path = path
    this.known = known
    this.source = source
    this.starts = new Float64Array(source.lines.length + 1)
    for (const [at, { bytes }] of source.lines.entries())
      this.starts[at + 1] = (this.starts[at] ?? 0) + bytes
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    if (this.isClosed) throw new DiskError('io', this.path, `${this.path} was closed`)
    let filled = 0
    while (filled < into.length) {
      const at = position + filled
      const isHeld = at >= this.heldAt && at < this.heldAt + this.held.length
      if (!isHeld && !(await this.hold(at, into.length - filled))) break
      const from = at - this.heldAt
      const piece = this.held.subarray(from, from + into.length - filled)
      into.set(piece, filled)
      filled += piece.length
    }
    return filled
  }

  write(): Promise<number> {
    return refuseWrite(this.path)
  }

  async sync(): Promise<void> {}

  async stat(): Promise<FileStat> {
    return this.known
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    this.held = new Uint8Array(0)
    await this.source.release?.()
  }

  /** Holds lines from the one that a byte is in; false where the file ends before that byte. */
  private async hold(position: number, wanted: number): Promise<boolean> {
    const { lines } = this.source
    if (position >= (this.starts[lines.length] ?? 0)) return false
    const first = lineAt(this.starts, lines.length, position)
    const goesOn = this.held.length > 0 && position === this.heldAt + this.held.length
    this.pieceBytes = goesOn ? Math.min(2 * this.pieceBytes, mostPieceBytes) : leastPieceBytes
    const end = position + Math.max(this.pieceBytes, wanted)
    let last = first + 1
    while (last < lines.length && (this.starts[last + 1] ?? 0) <= end) last += 1
    const { bytes, fault } = await this.source.write(lines.slice(first, last))
    this.fault ??= fault
    this.held = bytes
    this.heldAt = this.starts[first] ?? 0
    return position < this.heldAt + bytes.length
  }
}
