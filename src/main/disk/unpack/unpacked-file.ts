import { DiskError, type DiskFile, type FileStat } from '../interface/disk'
import { blockBytes } from './unpack-blocks'
import type { UnpackedContent } from './unpacked-content'

/** A packed file that reads as its content, in the state that it had when it was opened. */
export class UnpackedFile implements DiskFile {
  private measuredFault: string | undefined
  private isClosed = false
  private readonly path: string
  private readonly content: UnpackedContent
  private readonly release: () => Promise<void>

  /** @param release called once, by `close` */
  constructor(path: string, content: UnpackedContent, release: () => Promise<void>) {
    this.path = path
    this.content = content
    this.release = release
  }

  /** Known after the first `read` or `stat`; of a member of a zip once the damage was met. */
  get fault(): string | undefined {
    return this.measuredFault ?? this.content.fault
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    const sizeBytes = await this.measure()
    let filled = 0
    while (filled < into.length && position + filled < sizeBytes) {
      const at = position + filled
      const block = await this.content.block(Math.floor(at / blockBytes), () => !this.isClosed)
      const piece = block.subarray(at % blockBytes, (at % blockBytes) + into.length - filled)
      // The file was changed under us: it ends here, as a plain one that was cut.
      if (piece.length === 0) break
      into.set(piece, filled)
      filled += piece.length
    }
    return filled
  }

  write(): Promise<number> {
    return Promise.reject(new DiskError('denied', this.path, `${this.path} is opened for reading`))
  }

  async sync(): Promise<void> {}

  async stat(): Promise<FileStat> {
    return { ...this.content.packed, sizeBytes: await this.measure() }
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    await this.release()
  }

  private async measure(): Promise<number> {
    if (this.isClosed) throw new DiskError('io', this.path, `${this.path} was closed`)
    const { sizeBytes, fault } = await this.content.measure()
    this.measuredFault = fault
    return sizeBytes
  }
}

/** Returns why a file's content is not complete; see `DiskFile.fault`. */
export function unpackFault(file: DiskFile): string | undefined {
  return file.fault
}
