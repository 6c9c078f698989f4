import type { DiskFile, FileStat } from '../interface/disk'
import type { MeasuredArchive, PackFormat } from './unpack-format'

/** Measured at once: each keeps a core busy, and search and display need the others. */
const atOnce = 2

/** Some 200 bytes each: a library of as many packed files is measured once. */
const mostKnown = 50_000

/** A cache of measured archives by `stateKey`, each read once for as long as it does not change. */
export class UnpackedSizes {
  private readonly known = new Map<string, MeasuredArchive>()
  private readonly running = new Map<string, Promise<MeasuredArchive>>()
  private readonly waiting: (() => void)[] = []
  private free = atOnce

  /** The measure from an earlier reading. */
  get(key: string): MeasuredArchive | undefined {
    return this.known.get(key)
  }

  /** True while a reading for its size runs or waits. */
  isRunning(key: string): boolean {
    return this.running.has(key)
  }

  /** Reads a file unless it is known; asked for twice at once, it is read once. @throws DiskError, and then nothing is kept */
  async of(
    key: string,
    format: PackFormat,
    file: DiskFile,
    packedBytes: number,
  ): Promise<MeasuredArchive> {
    const known = this.known.get(key)
    if (known !== undefined) return known
    let running = this.running.get(key)
    if (running === undefined) {
      running = this.withSlot(() => format.measure(file, packedBytes))
        .then((measured) => this.remember(key, measured))
        .finally(() => this.running.delete(key))
      this.running.set(key, running)
    }
    return running
  }

  private remember(key: string, measured: MeasuredArchive): MeasuredArchive {
    this.known.set(key, measured)
    if (this.known.size > mostKnown)
      for (const oldest of this.known.keys()) {
        this.known.delete(oldest)
        break
      }
    return measured
  }

  private async withSlot<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1
    // The one that ends hands its place on, so a later one cannot get in between.
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.free += 1
      else next()
    }
  }
}

/** Returns a key for one state of a packed file: its measure is valid until identity, size or time change. */
export function stateKey(extension: string, { identity, sizeBytes, mtimeMs }: FileStat): string {
  return `${identity}:${sizeBytes}:${mtimeMs}${extension}`
}
