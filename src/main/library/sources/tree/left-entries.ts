import type { LineSpan } from '../../../../shared/model/conversation/entry'
import type { RowTree } from './row-tree'

/** Lines of one file whose records are on branches that were left. */
interface LeftLines {
  /** Offsets of lines of which every record is, in order; in memory that threads share. */
  readonly offsets: Float64Array
  /** By offset: the ids of the records of a line, and whether each is. Only lines where one offset does not decide. */
  readonly records: ReadonlyMap<number, ReadonlyMap<string, boolean>>
}

/**
 * Entries of a conversation that are on branches which were left: opened at its end it does not show them, opened at one of them it shows
 * another way. Plain data: it crosses to threads. 8 bytes for each of their lines; of a
 * conversation that is read whole also the ids of all records, some 300 bytes each.
 */
export interface LeftEntries {
  /** By the place of the file. */
  readonly byFile: ReadonlyMap<string, LeftLines>
  /** By the id of the record, for lines that are none of the tree's: others took their place. */
  readonly byId: ReadonlyMap<string, boolean>
}

/** Line that repeats an earlier record, and is no record of its own. */
export interface RepeatedLine {
  readonly place: LineSpan
  /** Of the record. */
  readonly id: string
}

/** Entries of a conversation without branches inside. */
export const nothingLeft: LeftEntries = { byFile: new Map(), byId: new Map() }

/**
 * Finds the entries on branches that were left. Linear in the records.
 *
 * @param repeats lines that repeat a record are on its branch
 * @param areAllNamed keeps the ids of all records: rows that were put in order may have lines that are no records
 */
export function leftOfTree(
  { records, now }: RowTree,
  repeats: readonly RepeatedLine[],
  areAllNamed: boolean,
): LeftEntries {
  const isShown = new Uint8Array(records.length)
  for (const at of now.messages) isShown[at] = 1
  const drafts = new Map<string, LinesDraft>()
  const byId = new Map<string, boolean>()
  const wantsIds = areAllNamed || repeats.length > 0
  for (let from = 0, to = 1; from < records.length; from = to++) {
    const place = records[from]?.place
    if (place === undefined) break
    // Records of one line follow each other.
    while (isAt(records[to]?.place, place)) to += 1
    const states = new Map<string, boolean>()
    for (let at = from; at < to; at++) {
      const id = records[at]?.record.id ?? ''
      const isLeft = isShown[at] !== 1
      // Of records with the same id the first counts.
      if (!states.has(id)) states.set(id, isLeft)
      if (wantsIds && !byId.has(id)) byId.set(id, isLeft)
    }
    const isDivided = new Set(states.values()).size > 1
    const draft: LinesDraft = drafts.get(place.file) ?? { offsets: [], records: new Map() }
    drafts.set(place.file, draft)
    if (areAllNamed || isDivided) {
      const known = draft.records.get(place.offset)
      draft.records.set(place.offset, known === undefined ? states : new Map([...states, ...known]))
    } else if (isShown[from] !== 1) draft.offsets.push(place.offset)
  }
  for (const { place, id } of repeats)
    if (byId.get(id) === true) drafts.get(place.file)?.offsets.push(place.offset)
  return {
    byFile: new Map([...drafts].map(([file, draft]) => [file, linesOf(draft)])),
    byId: areAllNamed ? byId : new Map(),
  }
}

/**
 * Returns true for an entry on a branch that was left: the one of this id on the line, else the line's first, else the record of this id
 * anywhere, as a page that is opened there finds it.
 *
 * @param id undefined for a damaged line
 */
export function isLeftEntry(
  { byFile, byId }: LeftEntries,
  file: string,
  offset: number,
  id: string | undefined,
): boolean {
  const lines = byFile.get(file)
  const own = lines?.records.get(offset)
  if (own !== undefined) {
    const [first = false] = own.values()
    return stateOf(own, id) ?? first
  }
  return (lines !== undefined && includes(lines.offsets, offset)) || stateOf(byId, id) === true
}

interface LinesDraft {
  readonly offsets: number[]
  readonly records: Map<number, ReadonlyMap<string, boolean>>
}

function linesOf({ offsets, records }: LinesDraft): LeftLines {
  const shared = new SharedArrayBuffer(offsets.length * Float64Array.BYTES_PER_ELEMENT)
  const sorted = new Float64Array(shared)
  sorted.set(offsets)
  return { offsets: sorted.sort(), records }
}

function isAt(place: LineSpan | undefined, { file, offset }: LineSpan): boolean {
  return place?.offset === offset && place.file === file
}

/** The state of a record by its own id, or by that of a further part of it. */
function stateOf(states: ReadonlyMap<string, boolean>, id: string | undefined) {
  return id === undefined ? undefined : (states.get(id) ?? states.get(id.replace(/#\d+$/, '')))
}

function includes(sorted: Float64Array, wanted: number): boolean {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((sorted[middle] ?? 0) < wanted) from = middle + 1
    else to = middle
  }
  return sorted[from] === wanted
}
