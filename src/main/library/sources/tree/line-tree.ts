import { pushAll } from '../../../../shared/model/basics/long-lists'
import type { EntryId } from '../../../../shared/model/conversation/entry'
import type { ForkRule } from '../../../../shared/model/family/tree'
import type { Disk } from '../../../disk/interface/disk'
import { chunkBytesFor, type FileLine, readLines } from '../../../disk/reading/lines'
import { recordIdOf, type SourceLine } from '../../../readers/common/json-lines'
import { LineCopies } from '../../../readers/common/line-copies'
import { LineLinks } from '../../../readers/common/line-links'
import { FileMovedError, openUnmoved, type TranscriptFile } from '../../../store/transcript-files'
import type { RepeatedLine } from './left-entries'
import { placedRecords } from './record-rows'
import { layRowTree, type PlacedRecord, type RowTree } from './row-tree'

/** A decoder of the lines of a conversation's files; `number` counts from 1. */
export type DecodeSourceLine = (
  place: string,
  line: FileLine,
  number: number,
) => SourceLine | Promise<SourceLine>

/**
 * The records of a conversation's files, without their texts: some 600 bytes each. Read once, and extended when the files
 * have grown.
 */
export class LineTree {
  private files: readonly TranscriptFile[] = []
  private readonly scans: FileScan[] = []
  private known: RowTree | undefined
  private readonly disk: Disk
  private readonly decode: DecodeSourceLine
  private readonly rule: ForkRule

  constructor(disk: Disk, decode: DecodeSourceLine, rule: ForkRule) {
    this.disk = disk
    this.decode = decode
    this.rule = rule
  }

  /** Returns true where these files are those that were read, or the same with more at their ends. */
  canRead(files: readonly TranscriptFile[]): boolean {
    return this.files.every((before, at) => {
      const now = files[at]
      if (now === undefined || now.identity !== before.identity) return false
      if (now.sizeBytes === before.sizeBytes) return now.mtimeMs === before.mtimeMs
      return now.sizeBytes > before.sizeBytes
    })
  }

  /** Lines of what was read that repeat a record. */
  get repeats(): readonly RepeatedLine[] {
    return this.scans.flatMap(({ repeats }) => repeats)
  }

  /**
   * Reads what is new in the files, and returns the tree of all. Yields to other work between two batches of lines.
   *
   * @throws FileMovedError also where a file was cut; DiskError
   */
  async read(files: readonly TranscriptFile[], signal: AbortSignal | undefined): Promise<RowTree> {
    for (const [at, file] of files.entries()) {
      const scan = this.scans[at] ?? new FileScan(this.scans[at - 1]?.handOver())
      this.scans[at] = scan
      if (await scan.extend(this.disk, file, this.decode, signal)) this.known = undefined
    }
    this.files = files
    this.known ??= await layRowTree(
      this.scans.flatMap(({ records }) => records),
      // The last file is the newest.
      [...this.scans].reverse().flatMap(({ leaves }) => leaves),
      this.rule,
    )
    return this.known
  }
}

/** Facts of one file. */
class FileScan {
  private readonly links: LineLinks
  private readonly copies = new LineCopies()
  private readonly ended: PlacedRecord[] = []
  private readonly repeated: RepeatedLine[] = []
  /** A last line without its end, which may be growing. */
  private last: LastLine = nothingRead
  private offset = 0
  private line = 1
  private sizeBytes = -1

  /** @param links of the files before it */
  constructor(links = new LineLinks()) {
    this.links = links
  }

  /** Returns what the next file goes on from. */
  handOver(): LineLinks {
    return this.links.copy()
  }

  get records(): readonly PlacedRecord[] {
    return [...this.ended, ...this.last.records]
  }

  get repeats(): readonly RepeatedLine[] {
    return [...this.repeated, ...this.last.repeats]
  }

  get leaves(): readonly EntryId[] {
    return [...this.last.leaves, ...this.links.leaves]
  }

  /** Resolves to true where there was something new. */
  async extend(
    disk: Disk,
    file: TranscriptFile,
    decode: DecodeSourceLine,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    if (file.sizeBytes === this.sizeBytes) return false
    const opened = await openUnmoved(disk, file)
    try {
      this.last = nothingRead
      const from = this.offset
      const chunkBytes = chunkBytesFor(file.sizeBytes - from)
      let reached = from
      for await (const lines of readLines(opened, { from, to: file.sizeBytes, chunkBytes, signal }))
        for (const line of lines) {
          const coming = decode(file.place, line, this.line)
          const decoded = coming instanceof Promise ? await coming : coming
          const asked = this.copies.isCopy(opened, line, recordIdOf(decoded))
          const isCopy: boolean = asked instanceof Promise ? await asked : asked
          reached = line.offset + line.length + (line.ended ? 1 : 0)
          if (line.ended) this.takeEnded(decoded, isCopy, reached)
          else this.takeLast(decoded, isCopy)
        }
      if (reached < file.sizeBytes)
        throw new FileMovedError(`${file.path} was cut while it was read`)
      this.sizeBytes = file.sizeBytes
      return true
    } finally {
      await opened.close()
    }
  }

  private takeEnded(decoded: SourceLine, isCopy: boolean, next: number): void {
    pushAll(this.ended, recordsOf(this.links, decoded, isCopy))
    if (isCopy) pushAll(this.repeated, repeatsOf(decoded))
    this.offset = next
    this.line += 1
  }

  /** It is read again when the file grows, so that what it tells is not kept. */
  private takeLast(decoded: SourceLine, isCopy: boolean): void {
    const links = this.links.copy()
    const records = recordsOf(links, decoded, isCopy)
    this.last = { records, leaves: links.leaves, repeats: isCopy ? repeatsOf(decoded) : [] }
  }
}

/** What a last line without its end tells. */
interface LastLine {
  readonly records: readonly PlacedRecord[]
  readonly leaves: readonly EntryId[]
  readonly repeats: readonly RepeatedLine[]
}

const nothingRead: LastLine = { records: [], leaves: [], repeats: [] }

function repeatsOf(decoded: SourceLine): readonly RepeatedLine[] {
  const id = recordIdOf(decoded)
  return id === undefined ? [] : [{ place: decoded.place, id }]
}

/** A copy of an earlier line has no records, and tells where the conversation is now all the same. */
function recordsOf(
  links: LineLinks,
  decoded: SourceLine,
  isCopy: boolean,
): readonly PlacedRecord[] {
  const rows = links.add(decoded)
  return isCopy ? [] : placedRecords(rows, decoded.place)
}
