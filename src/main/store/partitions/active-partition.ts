import path from 'node:path'
import type { Entry } from '../../../shared/model/conversation/entry'
import type { Cursor } from '../../../shared/model/conversation/transcript'
import type { DiskFile } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { isNameTaken, namesInFolder } from '../../disk/reading/read'
import { appendLine, endsInLineFeed } from '../../disk/writing/append'
import { homeRelativePath } from '../core/home-paths'
import type { WritingScope } from '../core/writing-scope'
import type { TranscriptFile } from '../files/context-files'
import { cursorAt } from '../lines/cursor'
import type { EncodedEntry } from '../lines/encoded-entry'
import { FileMovedError, openUnmoved } from '../lines/file-facts'
import { countPartition, PartitionCount } from './partition-count'

/** `begin-end.jsonl`; of several of one second the next is `begin-end-2.jsonl`. */
function byTime(a: string, b: string): number {
  const [[beginA, endA, nthA], [beginB, endB, nthB]] = [numbersIn(a), numbersIn(b)]
  return beginA - beginB || endA - endB || nthA - nthB
}

function numbersIn(name: string): readonly [number, number, number] {
  const [begin = 0, end = 0, nth = 1] = (name.match(/\d+/g) ?? []).map(Number)
  return [begin, end, nth]
}

/** An entry that was written, with its line. */
export interface WrittenLine {
  readonly entry: Entry
  readonly line: Uint8Array
  /** A line feed was written before it, because torn bytes stood there. */
  readonly afterTorn: boolean
}

const lineFeed = 0x0a

/**
 * The active partition as its writer knows it: where it ends, and how full it is. It stays open for append while its
 * context is written.
 */
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
    const file = await openUnmoved(scope.disk, found)
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
   * Appends one entry by one write and fsync. Its bytes are durable on return; whether they stand where readers find them
   * is for the caller to see: `isUnchanged`, else `find`. After a failure, what we know is not to be trusted.
   *
   * `meanwhile` is called once the line is written, and runs beside the fsync; it must not throw.
   *
   * @throws FileMovedError: nothing was written; DiskError
   */
  async append(
    { line, asWritten }: EncodedEntry,
    meanwhile: (entry: Entry, line: Uint8Array) => Promise<void>,
  ): Promise<WrittenLine> {
    const isNew = this.identity === undefined
    this.file ??= await this.openSame()
    const afterTorn = !this.endsInLineFeed
    await appendLine(this.file, this.path, line, afterTorn)
    // The fsync is under way while the line is read back and counted.
    const synced = this.file.sync()
    const other = this.take(line, asWritten, afterTorn, meanwhile)
    const [entry] = await Promise.all([other, synced])
    if (isNew) await this.scope.disk.syncFolder(path.dirname(this.path))
    return { entry, line, afterTorn }
  }

  /** Takes note of a line that was written; what it is for its readers. */
  private async take(
    line: Uint8Array,
    asWritten: EncodedEntry['asWritten'],
    afterTorn: boolean,
    meanwhile: (entry: Entry, line: Uint8Array) => Promise<void>,
  ): Promise<Entry> {
    const offset = this.sizeBytes + (afterTorn ? 1 : 0)
    this.sizeBytes = offset + line.length + 1
    this.endsInLineFeed = true
    const written = asWritten()
    this.count.addLine(written)
    const place = { file: this.place, line: this.count.lines, offset, length: line.length }
    const entry = { ...written, ...place }
    await meanwhile(entry, line)
    return entry
  }

  /** The file's; undefined until there is one. */
  get fileIdentity(): string | undefined {
    return this.identity
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

  /**
   * Finds a line that was written when the file was not any more, or not alone, what we knew: it may have been archived
   * right before, or others may have appended to it. The file is known by its identity, the line by its bytes.
   *
   * @returns undefined where no file of the context has it @throws DiskError
   */
  async find(files: readonly TranscriptFile[], { entry, line }: WrittenLine) {
    const file = files.find((one) => one.identity === this.identity)
    if (file === undefined) return undefined
    const opened = await this.scope.disk.open(file.path, 'read')
    try {
      const { identity, sizeBytes } = await opened.stat()
      if (identity !== this.identity) return undefined
      // Nobody takes bytes away: it stands where it was meant to, or behind what came in between.
      const from = entry.offset
      const bytes = await readExactly(opened, from, Math.max(0, sizeBytes - from))
      const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(line)
      if (at < 0) return undefined
      const between = bytes.subarray(0, at).filter((byte) => byte === lineFeed).length
      const place = { file: file.place, offset: from + at, line: (entry.line ?? 1) + between }
      return { file, entry: { ...entry, ...place } }
    } finally {
      await opened.close()
    }
  }

  /**
   * Finds a line that was written to another file, and is the last one of this: a loading appends what context.jsonl alone
   * has, byte for byte.
   *
   * @throws DiskError
   */
  async findLast({ entry, line }: WrittenLine): Promise<Entry | undefined> {
    const offset = this.sizeBytes - line.length - (this.endsInLineFeed ? 1 : 0)
    if (this.identity === undefined || offset < 0) return undefined
    const file = await this.scope.disk.open(this.path, 'read')
    try {
      if (Buffer.compare(await readExactly(file, offset, line.length), line) !== 0) return undefined
      return { ...entry, file: this.place, line: this.count.lines, offset, length: line.length }
    } finally {
      await file.close()
    }
  }

  private async openSame(): Promise<DiskFile> {
    const file = await this.open()
    try {
      const { identity, sizeBytes } = await file.stat()
      if (sizeBytes !== this.sizeBytes || identity !== (this.identity ?? identity))
        throw new FileMovedError(`${this.path} was changed before it was opened`)
      this.identity = identity
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Where there was no file, only a new one is ours: one that another process has made is read first. */
  private async open(): Promise<DiskFile> {
    const { disk } = this.scope
    if (this.identity !== undefined) return disk.open(this.path, 'append')
    try {
      return await disk.open(this.path, 'create-new', { like: await this.before() })
    } catch (error) {
      const there = isNameTaken(error) ? disk.statNow(this.path) : undefined
      if (there?.kind !== 'file') throw error
      throw new FileMovedError(`${this.path} was made by another process`)
    }
  }

  /** The archived partition that a new one goes on from. */
  private async before(): Promise<readonly string[]> {
    const { disk, paths } = this.scope
    const names = await namesInFolder(disk, paths.partitions)
    const last = names
      .filter((name) => /^\d.*\.jsonl/.test(name))
      .sort(byTime)
      .at(-1)
    return last === undefined ? [] : [path.join(paths.partitions, last)]
  }

  private get place(): string {
    return homeRelativePath(this.scope.home, this.path)
  }
}
