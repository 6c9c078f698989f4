import type { DiskFile, FileStat } from '../../disk/interface/disk'
import { lineAt, refuseWrite } from '../interface/record-lines'
import type { Cut } from './cut'

/** So much of the document is read at once: records of a conversation lie close together. */
const bufferBytes = 64 * 1024

const lineFeed = 0x0a
const space = 0x20

/** A conversation in a JSON document that reads as a file of lines. Its document is closed with it. */
export class DocumentRecordFile implements DiskFile {
  private readonly path: string
  private readonly document: DiskFile
  private readonly cut: Cut
  private readonly known: FileStat
  private buffer: Buffer = Buffer.alloc(0)
  private bufferAt = 0
  private buffered = 0

  /** @param known of the record file */
  constructor(path: string, document: DiskFile, cut: Cut, known: FileStat) {
    this.path = path
    this.document = document
    this.cut = cut
    this.known = known
  }

  /** See `unpackFault`. */
  get fault(): string | undefined {
    return this.document.fault
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    let filled = 0
    const { lineStarts } = this.cut
    let line = lineAt(lineStarts, lineStarts.length, position)
    while (filled < into.length && line < this.cut.starts.length) {
      const got = await this.readLine(into.subarray(filled), line, position + filled)
      if (got < 0) break
      filled += got
      line += 1
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

  close(): Promise<void> {
    return this.document.close()
  }

  /** Fills from one line, from a byte of the record file on; -1 where the document ends before it should. */
  private async readLine(into: Uint8Array, line: number, position: number): Promise<number> {
    const { lineStarts, starts, lengths, before, behind, isTorn } = this.cut
    let at = position - (lineStarts[line] ?? 0)
    let filled = 0
    const put = (byte: number) => {
      if (at > 0) at -= 1
      else if (filled < into.length) into[filled++] = byte
    }
    for (const byte of before.get(line) ?? []) put(byte)
    const length = lengths[line] ?? 0
    if (at < length) {
      const wanted = Math.min(length - at, into.length - filled)
      const stretch = into.subarray(filled, filled + wanted)
      if (!(await this.copy(stretch, (starts[line] ?? 0) + at))) return -1
      filled += wanted
      at = 0
    } else at -= length
    for (const byte of behind.get(line) ?? []) put(byte)
    if (!isTorn || line < starts.length - 1) put(lineFeed)
    return filled
  }

  /** A line feed between or inside of values would end the line: a space stands for it. False where the document ends. */
  private async copy(into: Uint8Array, from: number): Promise<boolean> {
    for (let done = 0; done < into.length; ) {
      const piece = await this.bytesAt(from + done, into.length - done)
      if (piece.length === 0) return false
      into.set(piece, done)
      done += piece.length
    }
    for (let at = into.indexOf(lineFeed); at >= 0; at = into.indexOf(lineFeed, at + 1))
      into[at] = space
    return true
  }

  private async bytesAt(from: number, most: number): Promise<Uint8Array> {
    if (from < this.bufferAt || from >= this.bufferAt + this.buffered) {
      if (this.buffer.length === 0) this.buffer = Buffer.allocUnsafeSlow(this.bufferSize())
      this.buffered = await this.document.read(this.buffer, from)
      this.bufferAt = from
    }
    const at = from - this.bufferAt
    return this.buffer.subarray(at, Math.min(at + most, this.buffered))
  }

  private bufferSize(): number {
    return Math.min(bufferBytes, Math.max(1024, this.cut.sizeBytes))
  }
}
