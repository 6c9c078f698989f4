/** Small enough to stay in a processor's own memory while its lines are read. */
const bufferBytes = 256 * 1024
const mostKept = 8

/**
 * A pool of buffers for files that are read one after the other: a new one for each would cost more than reading it.
 */
export class ReadBuffers {
  private readonly free: Buffer[] = []

  /** Gives the work a buffer that nobody else has meanwhile. */
  async use<T>(work: (buffer: Buffer) => Promise<T>): Promise<T> {
    const buffer = this.free.pop() ?? Buffer.allocUnsafeSlow(bufferBytes)
    try {
      return await work(buffer)
    } finally {
      if (this.free.length < mostKept) this.free.push(buffer)
    }
  }
}
