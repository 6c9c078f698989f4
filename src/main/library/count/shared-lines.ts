import type { DiskFile, FileStat } from '../../disk/interface/disk'
import { readLines } from '../../disk/reading/lines'
import type { ReadBuffers } from '../../disk/reading/read-buffers'
import type { TranscriptFile } from '../../store/transcript-files'
import type { CountedLine, CountLine } from './counted-line'

/** A line of a shared file; `offset` in bytes from the file's start. */
interface PlacedLine extends CountedLine {
  readonly offset: number
}

/** Of files whose lines are held: what is counted of more takes more memory than reading it again takes time. */
const heldBytes = 64 * 1024 * 1024

interface Held {
  readonly sizeBytes: number
  readonly lines: Promise<readonly PlacedLine[]>
}

/**
 * A cache of the counted lines of files that several conversations share: each file is read and parsed once for all of
 * them. Holds the lines of up to 64 MB of files.
 */
export class SharedLines {
  /** The most recently used are last. */
  private readonly files = new Map<string, Held>()
  private readonly buffers: ReadBuffers

  constructor(buffers: ReadBuffers) {
    this.buffers = buffers
  }

  /**
   * The lines of a conversation's part of a file, also those of others; undefined where the file is none that is
   * shared, is too large, or is not as it was listed: then it has to be read for this one alone.
   */
  async linesIn(
    opened: DiskFile,
    file: TranscriptFile,
    countLine: CountLine,
    signal?: AbortSignal,
  ): Promise<readonly PlacedLine[] | undefined> {
    const { begin, sizeBytes: end } = file
    if (begin === undefined) return undefined
    const stat = await opened.stat()
    if (stat.mtimeMs !== file.mtimeMs || stat.sizeBytes > heldBytes) return undefined
    try {
      const lines = await this.wholeFile(opened, file.path, stat, countLine, signal)
      return lines.slice(firstFrom(lines, begin.offset), firstFrom(lines, end))
    } catch (error) {
      signal?.throwIfAborted()
      // The reading was another caller's, who has cancelled it; or it fails again, and reports why.
      void error
      return undefined
    }
  }

  private wholeFile(
    opened: DiskFile,
    path: string,
    { identity, mtimeMs, sizeBytes }: FileStat,
    countLine: CountLine,
    signal: AbortSignal | undefined,
  ): Promise<readonly PlacedLine[]> {
    const name = JSON.stringify([path, identity, mtimeMs, sizeBytes])
    const known = this.files.get(name) ?? {
      sizeBytes,
      lines: this.buffers.use((buffer) => allLines(opened, sizeBytes, buffer, countLine, signal)),
    }
    this.files.delete(name)
    this.files.set(name, known)
    known.lines.catch(() => this.files.delete(name))
    this.dropOldest()
    return known.lines
  }

  private dropOldest(): void {
    let bytes = 0
    for (const [name, { sizeBytes }] of [...this.files].reverse()) {
      bytes += sizeBytes
      if (bytes > heldBytes) this.files.delete(name)
    }
  }
}

async function allLines(
  opened: DiskFile,
  sizeBytes: number,
  buffer: Buffer,
  countLine: CountLine,
  signal: AbortSignal | undefined,
): Promise<readonly PlacedLine[]> {
  const all: PlacedLine[] = []
  for await (const lines of readLines(opened, { to: sizeBytes, buffer, signal }))
    for (const line of lines) {
      const { kind, values, drift } = countLine(line)
      all.push({ offset: line.offset, kind, values, ...(drift === undefined ? {} : { drift }) })
    }
  return all
}

/** The index of the first line that begins at an offset or behind it. */
function firstFrom(lines: readonly PlacedLine[], offset: number): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((lines[middle]?.offset ?? offset) < offset) low = middle + 1
    else high = middle
  }
  return low
}
