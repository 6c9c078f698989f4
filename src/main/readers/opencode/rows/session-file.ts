import { DiskError, type DiskFile, type FileStat } from '../../../disk/interface/disk'
import { lineAt, refuseWrite } from '../../../records/interface/record-lines'
import type { SessionLine } from './session-lines'

/** Bytes of lines that were laid out before. */
export interface WrittenLines {
  readonly bytes: Uint8Array
  /** The reason why not all could be read, as a sentence without its full stop. */
  readonly fault: string | undefined
  /** The lines end early: what follows is not what it was when they were laid out. */
  readonly isChanged?: boolean
}

/** A function that writes lines, one after the other. */
export type WriteLines = (lines: readonly SessionLine[]) => Promise<WrittenLines>

/** Bytes of lines that are written at once, at least; one line at least. */
const pieceBytes = 1024 * 1024

/**
 * The rows of a session that read as a file of lines, in the state that they had when it was opened. Where rows are others
 * by then it ends early, and has a fault.
 */
export class SessionFile implements DiskFile {
  fault: string | undefined
  private readonly path: string
  private readonly known: FileStat
  private readonly lines: readonly SessionLine[]
  private readonly writeLines: WriteLines
  /** Where each line begins, and at the end the size. */
  private readonly starts: Float64Array
  private held: Uint8Array = new Uint8Array(0)
  private heldAt = 0
  private isClosed = false

  /** @param fault the reason why lines are missing, where some are */
  constructor(
    path: string,
    known: FileStat,
    lines: readonly SessionLine[],
    writeLines: WriteLines,
    fault?: string,
  ) {
    this.fault = fault
    this.path = path
    this.known = known
    this.lines = lines
    this.writeLines = writeLines
    this.starts = new Float64Array(lines.length + 1)
    for (const [at, { bytes }] of lines.entries())
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
    this.isClosed = true
    this.held = new Uint8Array(0)
  }

  /** Holds lines from the one that a byte is in; false where the file ends before that byte. */
  private async hold(position: number, wanted: number): Promise<boolean> {
    if (position >= (this.starts[this.lines.length] ?? 0)) return false
    const first = lineAt(this.starts, this.lines.length, position)
    const end = position + Math.max(pieceBytes, wanted)
    let last = first + 1
    while (last < this.lines.length && (this.starts[last + 1] ?? 0) <= end) last += 1
    const { bytes, fault } = await this.writeLines(this.lines.slice(first, last))
    this.fault ??= fault
    this.held = bytes
    this.heldAt = this.starts[first] ?? 0
    return position < this.heldAt + bytes.length
  }
}
