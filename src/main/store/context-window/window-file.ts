import type { Entry } from '../../../shared/model/conversation/entry'
import { isAnchor } from '../../../shared/model/conversation/entry'
import type { DiskFile, FileStat } from '../../disk/interface/disk'
import { appendLine, endsInLineFeed } from '../../disk/writing/append'
import type { WritingScope } from '../core/writing-scope'
import { markDirty } from './clear'
import { belongsToWindow, windowPermissions } from './window-entries'

const lineFeed = Buffer.from('\n')

/**
 * Lines are written together up to this many bytes. The window is derived, so nothing hangs on each; and a file system
 * with a journal lets the transcript's fsync wait for what was written to other files.
 */
const togetherBytes = 64 * 1024

/**
 * context.jsonl while its context is written: entries are appended in batches. The last line of a batch is written when all
 * before it is durable: so a power failure can tear that line alone, and then its id, by which a window is known to be right,
 * is not there.
 */
export class WindowFile {
  private readonly scope: WritingScope
  private file: DiskFile | undefined
  private identity: string | undefined
  private sizeBytes: number
  private isBehind = false
  private waiting: Uint8Array[] = []
  private waitingBytes = 0

  /** @param found the file as it was when it was known to be right; undefined where there was none */
  constructor(scope: WritingScope, found: FileStat | undefined) {
    this.scope = scope
    this.identity = found?.identity
    this.sizeBytes = found?.sizeBytes ?? 0
  }

  /**
   * Takes an entry that is in the transcript; written with those after it, at the latest when the file is closed, which
   * is before the lock is given back. Never throws: a window that is behind is left so, without a gap, and is rebuilt
   * at the next opening, since its last id is not the transcript's.
   */
  async append(entry: Entry, line: Uint8Array): Promise<void> {
    // An anchor begins a new window: the writer that appends one rebuilds it.
    if (this.isBehind || !belongsToWindow(entry) || isAnchor(entry)) return
    this.waiting.push(line)
    this.waitingBytes += line.length
    if (this.waitingBytes >= togetherBytes) await this.flush()
  }

  async close(): Promise<void> {
    await this.flush()
    const file = this.file
    this.file = undefined
    await file?.close()
  }

  private async flush(): Promise<void> {
    if (this.waiting.length === 0 || this.isBehind) return
    const before = this.waiting.slice(0, -1)
    const last = this.waiting.slice(-1)
    this.waiting = []
    this.waitingBytes = 0
    try {
      await this.scope.mustHold()
      const file = await this.openSame()
      if (before.length > 0) await this.write(file, before)
      await file.sync()
      await this.write(file, last)
      // Another may have taken the lock, and built the window, right before the write.
      await this.scope.mustHold()
    } catch (error) {
      this.isBehind = true
      // Others may append to it: then its last entry no longer shows that some are missing.
      await markDirty(this.scope.disk, this.scope.paths).catch(() => undefined)
      this.scope.noticed(`context.jsonl will be rebuilt: ${(error as Error).message}`)
    }
  }

  private async write(file: DiskFile, batch: readonly Uint8Array[]): Promise<void> {
    const lines = Buffer.concat(batch.flatMap((line) => [lineFeed, line])).subarray(1)
    const endsInFeed = await endsInLineFeed(file, this.sizeBytes)
    await appendLine(file, this.scope.paths.window, lines, !endsInFeed)
    this.sizeBytes += lines.length + (endsInFeed ? 1 : 2)
  }

  /** @throws Error others have written to the file, or replaced it */
  private async openSame(): Promise<DiskFile> {
    const { disk, paths } = this.scope
    this.file ??= await disk.open(paths.window, 'append', windowPermissions(this.scope))
    const { identity, sizeBytes } = await this.file.stat()
    const isSame = identity === (this.identity ?? identity) && sizeBytes === this.sizeBytes
    if (!isSame || disk.statNow(paths.window)?.identity !== identity)
      throw new Error('another process has written it')
    this.identity = identity
    return this.file
  }
}
