import type { LibraryKey } from '../../../../shared/model/conversation/conversation'
import type { EntryId } from '../../../../shared/model/conversation/entry'
import type {
  PageFrom,
  TranscriptPage,
  TranscriptRow,
  WayName,
} from '../../../../shared/model/conversation/transcript'
import type { ForkRule } from '../../../../shared/model/family/tree'
import { Mutex } from '../../../async/mutex'
import type { Disk } from '../../../disk/interface/disk'
import { readExactly } from '../../../disk/reading/lines'
import { openUnmoved, type TranscriptFile } from '../../../store/transcript-files'
import { type DecodeSourceLine, LineTree } from './line-tree'
import { placedRecords, recordsIn } from './record-rows'
import { layRowTree, type PlacedRecord, type RowTree, recordOfEntry } from './row-tree'
import { wayPage } from './way-page'

/** Conversations of which the tree is held. */
const mostTrees = 4

/** The files of a conversation with parents, as they are now. */
export interface TreeSource {
  readonly key: LibraryKey
  readonly files: readonly TranscriptFile[]
  readonly decode: DecodeSourceLine
  readonly rule: ForkRule
}

/** The position and name of the page that is asked for. */
interface WayRequest {
  readonly from: PageFrom
  readonly limit: number
  /** The way that `start` and `end` mean; without it the one to where the conversation is now. */
  readonly way: WayName | undefined
  readonly signal: AbortSignal | undefined
}

/** The trees of conversations with parents, read once and extended. */
export interface RowTrees {
  /** Reads a page of a way. @throws AppError `bad-argument`, `not-found`; FileMovedError, DiskError */
  page(source: TreeSource, request: WayRequest): Promise<TranscriptPage>
  /** Finds the line of an entry. @throws FileMovedError, DiskError */
  locate(
    source: TreeSource,
    entry: EntryId,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly file: string; readonly offset: number } | undefined>
}

/** Opens the trees of conversations; holds those of the last few that were read. */
export function openRowTrees(disk: Disk): RowTrees {
  const trees = new Map<LibraryKey, { readonly tree: LineTree; readonly turns: Mutex }>()

  function heldTree({ key, files, decode, rule }: TreeSource) {
    const known = trees.get(key)
    const isGood = known?.tree.canRead(files) === true
    const held =
      known !== undefined && isGood
        ? known
        : { tree: new LineTree(disk, decode, rule), turns: new Mutex() }
    trees.delete(key)
    trees.set(key, held)
    for (const [oldest] of trees) if (trees.size > mostTrees) trees.delete(oldest)
    return held
  }

  async function treeOf(source: TreeSource, signal: AbortSignal | undefined): Promise<RowTree> {
    const held = heldTree(source)
    try {
      return await held.turns.run(() => held.tree.read(source.files, signal))
    } catch (error) {
      // It may know the half of a line.
      if (trees.get(source.key) === held) trees.delete(source.key)
      throw error
    }
  }

  return {
    async page(source, { from, limit, way, signal }) {
      const tree = await treeOf(source, signal)
      return wayPage(tree, from, limit, way, (records) => rowsOfRecords(disk, source, records))
    },
    async locate(source, entry, signal) {
      const tree = await treeOf(source, signal)
      const place = tree.records[recordOfEntry(tree, entry)]?.place
      return place === undefined ? undefined : { file: place.file, offset: place.offset }
    },
  }
}

/** Returns a page of a way through rows that are all in memory. @param leaves where the conversation may be now */
export async function wayPageOfRows(
  rows: readonly TranscriptRow[],
  leaves: readonly EntryId[],
  rule: ForkRule,
  { from, limit, way }: WayRequest,
): Promise<TranscriptPage> {
  const tree = await layRowTree(placedRecords(rows), leaves, rule)
  const groups = new Map(recordsIn(rows).map((some, at) => [tree.records[at], some]))
  return wayPage(tree, from, limit, way, async (records) =>
    records.map((record) => groups.get(record) ?? []),
  )
}

/** Lines that follow one another are read at once. */
async function rowsOfRecords(
  disk: Disk,
  { files, decode }: TreeSource,
  records: readonly PlacedRecord[],
): Promise<readonly (readonly TranscriptRow[])[]> {
  const rows = new Map<PlacedRecord, readonly TranscriptRow[]>()
  for (const file of files) {
    const own = records.filter(({ place }) => place.file === file.place)
    if (own.length === 0) continue
    const opened = await openUnmoved(disk, file)
    try {
      for (const record of own) {
        const { offset, length, line = 1 } = record.place
        const bytes = await readExactly(opened, offset, length)
        const ended = offset + length < file.sizeBytes
        const decoded = await decode(file.place, { bytes, offset, length, ended }, line)
        rows.set(record, placedRows(recordsIn(decoded.rows)[record.part] ?? [], record))
      }
    } finally {
      await opened.close()
    }
  }
  return records.map((record) => rows.get(record) ?? [])
}

/** The parent of a record is the entry that it goes on from, whatever its line names. */
function placedRows(
  rows: readonly TranscriptRow[],
  { record: { id, parent } }: PlacedRecord,
): readonly TranscriptRow[] {
  return rows.map((row) => {
    if (row.type !== 'entry' || row.entry.id !== id || parent === undefined) return row
    return { ...row, entry: { ...row.entry, parent: parent as EntryId | null } } // a brand alone
  })
}
