import type { Entry, LineSpan } from '../../../../shared/model/conversation/entry'
import type { TranscriptRow } from '../../../../shared/model/conversation/transcript'
import type { TreeRecord } from '../../../../shared/model/family/tree'
import { isFurtherPart, treeRecordOf } from '../../../../shared/model/family/tree-record'
import type { PlacedRecord } from './row-tree'

/** The rows of one record: an entry with the further parts of its record, and what was damaged before it on its line. */
type RecordRows = readonly TranscriptRow[]

/** Parts rows, in file order, into those of single records. */
export function recordsIn(rows: readonly TranscriptRow[]): readonly RecordRows[] {
  const records: TranscriptRow[][] = []
  let first: string | undefined
  let isOpen = false
  for (const row of rows) {
    const last = records.at(-1)
    const isPart = row.type === 'entry' && isFurtherPart(row.entry.id, first)
    // A damaged line comes before what was recovered from it.
    const isRecovered = row.type === 'entry' && isOpen && row.entry.metadata?.recovered === true
    if (last !== undefined && (isPart || isRecovered)) last.push(row)
    else records.push([row])
    if (row.type === 'entry' && !isPart) first = row.entry.id
    isOpen = row.type === 'damaged'
  }
  return records
}

/** Converts the rows of a line, or of a whole document, to the records of a tree. @param line the span of all of them */
export function placedRecords(
  rows: readonly TranscriptRow[],
  line?: LineSpan,
): readonly PlacedRecord[] {
  const parts = new Map<string, number>()
  return recordsIn(rows).map((some) => {
    const place = line ?? placeOf(some)
    const name = `${place.offset} ${place.file}`
    const part = parts.get(name) ?? 0
    parts.set(name, part + 1)
    const [first] = some
    const isTorn = first?.type === 'damaged' && first.damaged.torn === true
    const last = some.at(-1)
    const lastEntry = last?.type === 'entry' ? last.entry.id : undefined
    return { place, part, rows: some.length, record: treeRecordIn(some), lastEntry, isTorn }
  })
}

function placeOf([row]: RecordRows): LineSpan {
  const { file, line, offset, length } =
    (row?.type === 'damaged' ? row.damaged : row?.entry) ?? nowhere
  return { file, ...(line === undefined ? {} : { line }), offset, length }
}

const nowhere: LineSpan = { file: '', offset: 0, length: 0 }

/** A damaged line has no id, and follows what comes before it in the file. */
function treeRecordIn(rows: RecordRows): TreeRecord {
  const entries = rows.flatMap((row): readonly Entry[] => (row.type === 'entry' ? [row.entry] : []))
  if (entries.length > 0) return treeRecordOf(entries)
  return { id: '', parent: undefined, isBoundary: false, speaks: 'silent' }
}
