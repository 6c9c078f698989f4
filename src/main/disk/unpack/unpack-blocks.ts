/** Size of a block of content; the last block of a file may be shorter. */
export const blockBytes = 1024 * 1024

/** Bytes of content that all packed files of a disk may hold together. */
const heldBytes = 64 * 1024 * 1024

/** A cache of unpacked blocks of all files; it drops the least recently used first. */
export class UnpackedBlocks {
  private bytes = 0
  /** In order of use. */
  private readonly held = new Map<string, Uint8Array>()

  get(file: string, number: number): Uint8Array | undefined {
    const name = `${file}#${number}`
    const block = this.held.get(name)
    if (block === undefined) return undefined
    this.held.delete(name)
    this.held.set(name, block)
    return block
  }

  keep(file: string, number: number, block: Uint8Array): void {
    const name = `${file}#${number}`
    this.bytes += block.length - (this.held.get(name)?.length ?? 0)
    this.held.delete(name)
    this.held.set(name, block)
    for (const [oldest, dropped] of this.held) {
      if (this.bytes <= heldBytes) return
      this.held.delete(oldest)
      this.bytes -= dropped.length
    }
  }
}

/** A stream of content, cut into blocks. */
export class BlockStream {
  /** The number of the block that comes next. */
  next = 0
  private rest: Uint8Array = new Uint8Array(0)
  private readonly pieces: AsyncGenerator<Uint8Array, unknown>

  constructor(pieces: AsyncGenerator<Uint8Array, unknown>) {
    this.pieces = pieces
  }

  /** The next block, of `length` bytes; fewer where the content ends before. */
  async take(length: number): Promise<Uint8Array> {
    const block = Buffer.allocUnsafeSlow(length)
    return block.subarray(0, await this.advance(length, (piece, at) => block.set(piece, at)))
  }

  /** Passes a whole block over, without holding it; false where the content ends before. */
  async skip(): Promise<boolean> {
    return (await this.advance(blockBytes, () => undefined)) === blockBytes
  }

  /** Ends after the last block: its format may have to check what it gave. */
  async finish(): Promise<void> {
    if (this.rest.length === 0) await this.pieces.next()
  }

  /** Frees what the stream holds. */
  async stop(): Promise<void> {
    this.rest = new Uint8Array(0)
    await this.pieces.return(undefined)
  }

  private async advance(
    length: number,
    give: (piece: Uint8Array, at: number) => void,
  ): Promise<number> {
    let filled = 0
    while (filled < length) {
      if (this.rest.length === 0) {
        const next = await this.pieces.next()
        if (next.done === true) break
        this.rest = next.value
      }
      const piece = this.rest.subarray(0, length - filled)
      give(piece, filled)
      filled += piece.length
      this.rest = this.rest.subarray(piece.length)
    }
    this.next += 1
    return filled
  }
}
