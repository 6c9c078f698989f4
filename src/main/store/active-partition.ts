import path from 'node:path'
import type { Entry, EntryDraft } from '../../shared/model/entry'
import type { Cursor } from '../../shared/model/transcript'
import { appendLine, endsInLineFeed } from '../disk/append'
import type { DiskFile } from '../disk/disk'
import { namesIn } from '../disk/read'
import type { TranscriptFile } from './context-files'
import { cursorAt } from './cursor'
import { encodeEntry } from './entry-line'
import { FileMoved } from './file-facts'
import { placeName } from './home'
import { countPartition, PartitionCount } from './partition-count'
import type { WritingScope } from './writing'

/** `begin-end.jsonl`; of several of one second the next is `begin-end-2.jsonl`. */
function byTime(a: string, b: string): number {
  const [[beginA, endA, nthA], [beginB, endB, nthB]] = [numbersIn(a), numbersIn(b)]
  return beginA - beginB || endA - endB || nthA - nthB
}

function numbersIn(name: string): readonly [number, number, number] {
  const [begin = 0, end = 0, nth = 1] = (name.match(/\d+/g) ?? []).map(Number)
  return [begin, end, nth]
}

/** The active partition as we know it: where it ends, and how full it is. Opened for append while its context is written. */
export class ActivePartition {
  readonly count: PartitionCount
  private readonly scope: WritingScope
  private readonly path: string
  private file: DiskFile | undefined
  private identity: string | undefined
  private sizeBytes: number
  private endsInLineFeed: boolean

  private constructor(
    scope: WritingScope,
    target: string,
    found: TranscriptFile | undefined,
    count: PartitionCount,
    endsInFeed: boolean,
  ) {
    this.scope = scope
    this.path = target
    this.identity = found?.identity
    this.sizeBytes = found?.sizeBytes ?? 0
    this.count = count
    this.endsInLineFeed = endsInFeed
  }

  /** Counts what stands in it; `found` is undefined where there is no file. */
  static async load(
    scope: WritingScope,
    target: string,
    found: TranscriptFile | undefined,
    bytesPerToken: number,
  ): Promise<ActivePartition> {
    if (found === undefined)
      return new ActivePartition(scope, target, found, new PartitionCount(bytesPerToken), true)
    const count = await countPartition(scope, found, bytesPerToken, () => {})
    const file = await scope.disk.open(target, 'read')
    try {
      const endsInFeed = await endsInLineFeed(file, found.sizeBytes)
      return new ActivePartition(scope, target, found, count, endsInFeed)
    } finally {
      await file.close()
    }
  }

  /** Whether the file is still what we know; false when another process has appended, rotated or replaced it. */
  isUnchanged(): boolean {
    const stat = this.scope.disk.statNow(this.path)
    if (stat === undefined) return this.identity === undefined
    return stat.identity === this.identity && stat.sizeBytes === this.sizeBytes
  }

  /**
   * Appends one entry by one write and fsync. Durable on return. After a failure, what we know is not to be trusted.
   *
   * `meanwhile` is called once the line is written, and runs beside the fsync; it must not throw.
   *
   * @throws FileMoved: nothing was written; DiskError
   */
  async append(
    draft: EntryDraft,
    meanwhile: (entry: Entry, line: Uint8Array) => Promise<void>,
  ): Promise<Entry> {
    const line = encodeEntry(draft, Math.floor(this.scope.now() / 1000))
    const isNew = this.identity === undefined
    this.file ??= await this.openSame()
    const afterTorn = !this.endsInLineFeed
    await appendLine(this.file, this.path, line, afterTorn)
    // The fsync is under way while the line is read back and counted.
    const synced = this.file.sync()
    const other = this.take(line, afterTorn, meanwhile)
    const [entry] = await Promise.all([other, synced])
    if (isNew) await this.scope.disk.syncFolder(path.dirname(this.path))
    return entry
  }

  /** Takes note of a line that was written; what it is for its readers. */
  private async take(
    line: Uint8Array,
    afterTorn: boolean,
    meanwhile: (entry: Entry, line: Uint8Array) => Promise<void>,
  ): Promise<Entry> {
    const offset = this.sizeBytes + (afterTorn ? 1 : 0)
    this.sizeBytes = offset + line.length + 1
    this.endsInLineFeed = true
    const written = asWritten(line)
    this.count.addLine(written)
    const place = { file: this.place, line: this.count.lines, offset, length: line.length }
    const entry = { ...written, ...place }
    await meanwhile(entry, line)
    return entry
  }

  /** Where it ends, in bytes, as far as we know. */
  get endBytes(): number {
    return this.sizeBytes
  }

  /** The position after its last line. */
  get end(): Cursor {
    const { path: target, place, identity = '', sizeBytes } = this
    const file = { path: target, place, identity, sizeBytes, kind: 'active' as const, mtimeMs: 0 }
    return cursorAt(file, sizeBytes, this.count.lines + 1)
  }

  async close(): Promise<void> {
    const file = this.file
    this.file = undefined
    await file?.close()
  }

  private async openSame(): Promise<DiskFile> {
    const permissions = this.identity === undefined ? { like: await this.before() } : undefined
    const file = await this.scope.disk.open(this.path, 'append', permissions)
    let isSame = false
    try {
      const { identity, sizeBytes } = await file.stat()
      isSame = sizeBytes === this.sizeBytes && identity === (this.identity ?? identity)
      if (isSame) this.identity = identity
    } finally {
      if (!isSame) await file.close()
    }
    if (!isSame) throw new FileMoved(`${this.path} was changed before it was opened`)
    return file
  }

  /** The archived partition that a new one goes on from. */
  private async before(): Promise<readonly string[]> {
    const { disk, paths } = this.scope
    const names = await namesIn(disk, paths.partitions)
    const last = names
      .filter((name) => /^\d.*\.jsonl/.test(name))
      .sort(byTime)
      .at(-1)
    return last === undefined ? [] : [path.join(paths.partitions, last)]
  }

  private get place(): string {
    return placeName(this.scope.home, this.path)
  }
}

/**
 * The entry as every reader will have it: with whole seconds and well-formed strings. Parsed, not decoded as a line of
 * unknown origin is: `encodeEntry` made it a moment ago, and this stands between two appends.
 */
function asWritten(line: Uint8Array): EntryDraft {
  return JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8'))
}
