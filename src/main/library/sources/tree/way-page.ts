import { createHash } from 'node:crypto'
import { AppError } from '../../../../shared/model/basics/errors'
import type { EntryId } from '../../../../shared/model/conversation/entry'
import {
  Cursor,
  type PageFrom,
  type TranscriptPage,
  type TranscriptRow,
  type WayName,
} from '../../../../shared/model/conversation/transcript'
import { isFurtherPart } from '../../../../shared/model/family/tree-record'
import type { Way } from '../../../../shared/model/family/ways'
import { type PlacedRecord, type RowTree, recordName } from './row-tree'

/** A page ends early at this many bytes of lines. */
const pageBytes = 8 * 1024 * 1024

/** Reads the rows of records, which are given in the order of a path; one list for each. */
type RowsOfRecords = (
  records: readonly PlacedRecord[],
) => Promise<readonly (readonly TranscriptRow[])[]>

/**
 * Reads a page of a way through a tree: of the one to where the conversation is now, unless a place or a name says
 * another. A record is never divided between pages.
 *
 * @param way of `TranscriptPage.branches`; a cursor names its own
 * @throws AppError `bad-argument`, `not-found`
 */
export async function wayPage(
  tree: RowTree,
  from: PageFrom,
  limit: number,
  wanted: WayName | undefined,
  rowsOf: RowsOfRecords,
): Promise<TranscriptPage> {
  const { way, name, begin, end } = rangeOf(tree, from, limit, wanted)
  const { messages } = way
  const recordsOf = (first: number, last: number) =>
    messages.slice(first, last).flatMap((at) => tree.records[at] ?? [])
  // Databases and documents are written anew in place: an answer grows without another record.
  const lastState = async (count: number) => stateOf(await rowsOf(recordsOf(count - 1, count)))
  const known = typeof from === 'object' && 'after' in from ? namesOf(from.after).state : ''
  if (known !== '' && (await lastState(begin)) !== known) throw replaced()
  const records = recordsOf(begin, end)
  const groups = await rowsOf(records)
  const bytesTo = (count: number) =>
    messages.slice(0, count).reduce((sum, at) => sum + (tree.records[at]?.place.length ?? 0), 0)
  const isTorn = end === messages.length && records.at(-1)?.isTorn === true
  const last = isTorn ? end - 1 : end
  const state = last > begin ? stateOf(groups.slice(last - begin - 1, last - begin)) : known
  const elsewhere = entriesOff(tree, way)
  return {
    rows: groups.flat(),
    ...(begin > 0 ? { before: cursorAt(tree, way, name, begin) } : {}),
    after: cursorAt(tree, way, name, last, state),
    atEnd: end >= messages.length,
    totalBytes: bytesTo(messages.length),
    bytesBefore: bytesTo(begin),
    // A way that goes on beyond the current one has all of it, and is another all the same.
    ...(elsewhere > 0 || name !== undefined
      ? { branches: { elsewhere, ...nameOf(name), ...leafOf(tree, way) } }
      : {}),
  }
}

function nameOf(name: WayName | undefined): { readonly way?: WayName } {
  return name === undefined ? {} : { way: name }
}

function leafOf({ records }: RowTree, { messages }: Way): { readonly leaf?: EntryId } {
  const last = messages.findLast((at) => records[at]?.lastEntry !== undefined)
  const leaf = records[last ?? -1]?.lastEntry
  return leaf === undefined ? {} : { leaf }
}

interface Range {
  readonly way: Way
  /** Undefined for the way to where the conversation is now. */
  readonly name: WayName | undefined
  readonly begin: number
  readonly end: number
}

function rangeOf(tree: RowTree, from: PageFrom, limit: number, wanted: WayName | undefined): Range {
  if (from === 'start' || from === 'end') {
    const named = wayNamed(tree, wanted)
    const count = named.way.messages.length
    return from === 'start'
      ? { ...named, begin: 0, end: forward(tree, named.way, 0, limit) }
      : { ...named, begin: backward(tree, named.way, count, limit), end: count }
  }
  if ('near' in from) {
    const named = wayNamed(tree, wanted)
    const at = atBytes(tree, named.way, from.near)
    const half = Math.ceil(limit / 2)
    const begin = backward(tree, named.way, at, half)
    return { ...named, begin, end: forward(tree, named.way, at, half) }
  }
  if ('around' in from) {
    const through = recordAt(tree, from.around)
    const named = wayThrough(tree, through)
    const at = named.way.messages.indexOf(through)
    const half = Math.ceil(limit / 2)
    const begin = backward(tree, named.way, at, half)
    return { ...named, begin, end: forward(tree, named.way, at, half) }
  }
  const { index, ...named } = resolved(tree, 'before' in from ? from.before : from.after)
  return 'before' in from
    ? { ...named, begin: backward(tree, named.way, index, limit), end: index }
    : { ...named, begin: index, end: forward(tree, named.way, index, limit) }
}

/** The first message of a way that begins at so many bytes of it or after them; their number where there is none. */
function atBytes({ records }: RowTree, { messages }: Way, bytes: number): number {
  let before = 0
  const found = messages.findIndex((at) => {
    if (before >= bytes) return true
    before += records[at]?.place.length ?? 0
    return false
  })
  return found === -1 ? messages.length : found
}

function recordAt(
  { records }: RowTree,
  { file, offset, entry }: Extract<PageFrom, { around: unknown }>['around'],
): number {
  const isThere = ({ place }: PlacedRecord) => place.file === file && place.offset === offset
  // Records that were recovered from one line may be on two ways.
  const isMeant = ({ record: { id } }: PlacedRecord) =>
    entry !== undefined && (id === entry || isFurtherPart(entry, id))
  const found = [
    (record: PlacedRecord) => isThere(record) && isMeant(record),
    isThere,
    // A line that was written again further down no longer counts; its entry does.
    isMeant,
  ].map((is) => records.findIndex(is))
  const through = found.find((at) => at !== -1) ?? -1
  if (through === -1) throw new AppError('not-found', `${file} no longer has this line.`)
  return through
}

function forward(tree: RowTree, { messages }: Way, begin: number, limit: number): number {
  let end = begin
  for (const budget = budgetOf(limit); end < messages.length; end++)
    if (!budget.takes(tree.records[messages[end] ?? -1])) break
  return end
}

function backward(tree: RowTree, { messages }: Way, end: number, limit: number): number {
  let begin = end
  for (const budget = budgetOf(limit); begin > 0; begin--)
    if (!budget.takes(tree.records[messages[begin - 1] ?? -1])) break
  return begin
}

function budgetOf(limit: number) {
  let rows = 0
  let bytes = 0
  return {
    /** One at least. */
    takes(record: PlacedRecord | undefined): boolean {
      if (rows >= limit || (bytes >= pageBytes && rows > 0)) return false
      rows += record?.rows ?? 0
      bytes += record?.place.length ?? 0
      return true
    },
  }
}

function wayNamed(tree: RowTree, name: WayName | undefined): Pick<Range, 'way' | 'name'> {
  if (name === undefined) return { way: tree.now, name: undefined }
  const through = tree.records.findIndex((record) => recordName(record) === name)
  if (through === -1) throw replaced()
  return wayThrough(tree, through)
}

function wayThrough(tree: RowTree, through: number): Pick<Range, 'way' | 'name'> {
  const way = tree.through(through)
  const record = tree.records[through]
  const isNow = way === tree.now || record === undefined
  return { way, name: isNow ? undefined : (recordName(record) as WayName) } // a brand alone
}

/** The state of the rows of one record, by which it is noticed that they are others now; its parent may come later. */
function stateOf(groups: readonly (readonly TranscriptRow[])[]): string {
  const text = JSON.stringify(groups, (field, value) => (field === 'parent' ? undefined : value))
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

/** Names the way, and the record before, so that a changed order is noticed. @param state of the record before */
function cursorAt(
  tree: RowTree,
  { messages }: Way,
  name: WayName | undefined,
  index: number,
  state = '',
): Cursor {
  const before = tree.records[messages[index - 1] ?? -1]
  const names = [name ?? '', before === undefined ? '' : recordName(before), state]
  return Cursor.parse(`way|${index}|${JSON.stringify(names)}`)
}

function resolved(
  tree: RowTree,
  cursor: Cursor,
): Pick<Range, 'way' | 'name'> & { readonly index: number } {
  const { index, name, before } = namesOf(cursor)
  const named = wayNamed(tree, name === '' ? undefined : (name as WayName)) // a brand alone
  const record = tree.records[named.way.messages[index - 1] ?? -1]
  if ((record === undefined ? '' : recordName(record)) !== before) throw replaced()
  return { ...named, index }
}

interface CursorNames {
  readonly index: number
  readonly name: string
  readonly before: string
  readonly state: string
}

function namesOf(cursor: Cursor): CursorNames {
  const [, text, names = ''] = /^way\|(\d+)\|(\[.*\])$/s.exec(cursor) ?? []
  try {
    const [name, before, state]: unknown[] = JSON.parse(names)
    if (typeof name === 'string' && typeof before === 'string' && typeof state === 'string')
      return { index: Number(text), name, before, state }
  } catch {
    // Not one of ours.
  }
  throw new AppError('bad-argument', 'This is not a position in a transcript.')
}

function replaced(): AppError {
  return new AppError('not-found', 'The transcript was replaced; it must be read again.')
}

function entriesOff({ records }: RowTree, { messages }: Way): number {
  const all = records.reduce((sum, { rows }) => sum + rows, 0)
  return all - messages.reduce((sum, at) => sum + (records[at]?.rows ?? 0), 0)
}
