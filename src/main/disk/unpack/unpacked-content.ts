import { Mutex } from '../../async/mutex'
import { DiskError, type DiskFile, type FileStat } from '../interface/disk'
import { BlockStream, blockBytes, type UnpackedBlocks } from './unpack-blocks'
import type { MeasuredArchive, PackFormat } from './unpack-format'
import type { UnpackedSizes } from './unpack-sizes'

/**
 * Blocks kept before one that was asked for: 32 MB. A walk from the end towards the start begins anew at the archive's
 * start once for so many blocks, and reads those between from memory.
 */
const keptBefore = 32

/** Two readers of one file, far from each other, do not send each other back to the start. */
const mostStreams = 2

/** The content of one state of a packed file, unpacked on demand and shared by all who have the file open. */
export class UnpackedContent {
  readonly key: string
  readonly packed: FileStat
  private readonly path: string
  private readonly file: DiskFile
  private readonly format: PackFormat
  private readonly sizes: UnpackedSizes
  private readonly blocks: UnpackedBlocks
  /** The most recently used is last. */
  private streams: BlockStream[] = []
  private readonly turns = new Mutex()

  /** @param file becomes this one's to close */
  constructor(
    path: string,
    key: string,
    packed: FileStat,
    file: DiskFile,
    format: PackFormat,
    sizes: UnpackedSizes,
    blocks: UnpackedBlocks,
  ) {
    this.path = path
    this.key = key
    this.packed = packed
    this.file = file
    this.format = format
    this.sizes = sizes
    this.blocks = blocks
  }

  /** Whether a stream waits to be read on, or the file is being measured. */
  get isUnderWay(): boolean {
    return this.streams.length > 0 || this.sizes.isRunning(this.key)
  }

  /** See `PackFormat.fault`. */
  get fault(): string | undefined {
    return this.format.fault
  }

  /** Reads the archive once, at the first call. @throws DiskError */
  measure(): Promise<MeasuredArchive> {
    return this.sizes.of(this.key, this.format, this.file, this.packed.sizeBytes)
  }

  /**
   * A block of the content, which must begin before the content's end. Shorter, or empty, where the file was changed
   * under us. Each call waits for those before it.
   *
   * @param isWanted asked between blocks that are passed over
   * @throws DiskError also when nobody wants it any more
   */
  async block(number: number, isWanted: () => boolean): Promise<Uint8Array> {
    const held = this.blocks.get(this.key, number)
    if (held !== undefined) return held
    const measured = await this.measure()
    return this.turns.run(async () => {
      // Somebody before us in the queue may have come past it.
      const come = this.blocks.get(this.key, number)
      if (come !== undefined) return come
      const stream = await this.streamTo(number, measured.packedTo)
      try {
        return await this.advance(stream, number, measured.sizeBytes, isWanted)
      } catch (error) {
        await this.drop(stream)
        throw error
      }
    })
  }

  /** Frees everything but the blocks, after what is under way. */
  close(): Promise<void> {
    return this.turns.run(async () => {
      // A measuring that has begun reads from our file; its result is kept for the next time.
      if (this.sizes.isRunning(this.key)) await this.measure().catch(() => undefined)
      for (const stream of [...this.streams]) await this.drop(stream)
      await this.file.close()
    })
  }

  private async advance(
    stream: BlockStream,
    to: number,
    sizeBytes: number,
    isWanted: () => boolean,
  ): Promise<Uint8Array> {
    for (;;) {
      if (!isWanted()) throw new DiskError('io', this.path, `${this.path} was closed`)
      const number = stream.next
      if (to - number >= keptBefore) {
        if (await stream.skip()) continue
        await this.drop(stream)
        return new Uint8Array(0)
      }
      const length = Math.min(blockBytes, sizeBytes - number * blockBytes)
      const block = await stream.take(length)
      const isCut = block.length < length
      // Cut: the file was changed under us, and what we read must not be shared.
      if (!isCut) this.blocks.keep(this.key, number, block)
      const isLast = (number + 1) * blockBytes >= sizeBytes
      if (isLast && !isCut) await stream.finish()
      if (isCut || isLast) await this.drop(stream)
      if (number === to) return block
      if (isCut) return new Uint8Array(0)
    }
  }

  /** A stream that has not come past the block: one that is near, or else one from the start if there is room for it. */
  private async streamTo(number: number, packedTo: number): Promise<BlockStream> {
    const before = this.streams
      .filter(({ next }) => next <= number)
      .sort((a, b) => b.next - a.next)[0]
    const isFull = this.streams.length >= mostStreams
    if (before !== undefined && (isFull || number - before.next < keptBefore)) {
      this.streams = [...this.streams.filter((one) => one !== before), before]
      return before
    }
    const oldest = this.streams[0]
    if (isFull && oldest !== undefined) await this.drop(oldest)
    const stream = new BlockStream(this.format.content(this.file, packedTo))
    this.streams.push(stream)
    return stream
  }

  private async drop(stream: BlockStream): Promise<void> {
    this.streams = this.streams.filter((one) => one !== stream)
    await stream.stop()
  }
}
