import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Entry, EntryId, LineSpan } from '../../../shared/model/conversation/entry'
import { LedgerCount } from '../../../shared/model/conversation/ledger'
import { Gap } from '../../../shared/model/conversation/reading'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import { type Disk, DiskError, type DiskFile } from '../../disk/interface/disk'
import type { AcceptValue } from '../../disk/json/json-accept'
import { damageExcerpt, decodeJsonLineInSlices, type JsonLine } from '../../disk/json/json-line'
import { type FileLine, readLines } from '../../disk/reading/lines'
import { isNotFound } from '../../disk/reading/read'
import { unpackFault } from '../../disk/unpack/unpacked-file'
import { parseRecordPath } from '../../records/interface/record-format'
import { LineCopies } from './line-copies'
import { LineLinks } from './line-links'
import type { SourceFact } from './reader'
import type { RecordLink, ValueMeaning } from './value-meaning'

const largestChunkBytes = 1024 * 1024

/** The part of a file that is read, where it is not all of it. */
interface FilePart extends OwnLines {
  /** In bytes; the whole file without it. */
  readonly to?: number | undefined
  /** Those of the files before it, where a conversation goes on over several. */
  readonly links?: LineLinks
}

/**
 * Reads every line of a file with one JSON value per line, as facts in order; its ledger last, and before it the leaves
 * where records name their parents, and a gap where the file is packed and cannot be unpacked any further. A line that
 * repeats an earlier record byte for byte is `control`. Holds one chunk, the line that spans it, and the ids of records.
 *
 * @param file as places name it
 *
 * @param part of the file: where it ends, in bytes, whose lines are read, and the suffix of their ids
 *
 * @throws DiskError
 */
export async function* jsonLineFacts(
  opened: DiskFile,
  file: string,
  accept: AcceptValue<ValueMeaning>,
  signal: AbortSignal,
  part: FilePart = {},
): AsyncGenerator<SourceFact | Gap> {
  const count = new LedgerCount(file, parseRecordPath(file) === undefined ? 'line' : 'message')
  const links = part.links ?? new LineLinks()
  const copies = new LineCopies()
  const { sizeBytes } = await opened.stat()
  // Histories are thousands of small files: no buffer is larger than its file.
  const chunkBytes = Math.min(Math.max(sizeBytes + 1, 4096), largestChunkBytes)
  for await (const lines of readLines(opened, { chunkBytes, to: part.to, signal }))
    for (const line of lines) {
      const coming = decodeSourceLine(line, file, count.nextLine, accept, part)
      const decoded = coming instanceof Promise ? await coming : coming
      const asked = copies.isCopy(opened, line, recordIdOf(decoded))
      const isCopy: boolean = asked instanceof Promise ? await asked : asked
      // A copy tells where the conversation is now, as the record did.
      const rows = links.add(decoded)
      if (isCopy) {
        count.add({ kind: 'control', rows: [] })
        yield { type: 'control', place: decoded.place }
        continue
      }
      // The ledger is the file's, whatever is read of it.
      count.add(decoded.isOthers ? { kind: 'entry', rows: [] } : decoded)
      yield* rows
      const { kind, isOthers } = decoded
      if ((kind === 'control' && !isOthers) || kind === 'blank')
        yield { type: kind, place: decoded.place }
    }
  const { leaves } = links
  if (leaves.length > 0) yield { type: 'leaf', leaves }
  const gap = unpackGap(opened, file, sizeBytes)
  if (gap !== undefined) yield gap
  yield { type: 'file', ledger: count.ledger() }
}

/**
 * Returns the gap at the end of a packed file that cannot be unpacked completely, once its other lines were read;
 * undefined for a complete one.
 *
 * @param file as places name it
 */
export function unpackGap(opened: DiskFile, file: string, fromByte: number): Gap | undefined {
  const fault = unpackFault(opened)
  if (fault === undefined) return undefined
  return new Gap({ file, fromByte, cause: 'damaged', sentence: `${file}: ${fault}.` })
}

/** A line of such a file with its rows, in the line's own order; none where it is blank or `control`. */
export interface SourceLine {
  readonly kind: 'entry' | 'control' | 'blank' | 'damaged'
  /** Set on a control line that has entries of another conversation. */
  readonly isOthers?: true
  readonly place: LineSpan
  readonly ended: boolean
  readonly rows: readonly TranscriptRow[]
  /** Of its records, where the format has parents; parents are as the file names them. */
  readonly links: readonly RecordLink[]
}

/** Returns the id of the record that a line is; undefined for a line without entries, and where the format has no ids. */
export function recordIdOf({ kind, links }: SourceLine): string | undefined {
  return kind === 'entry' ? links[0]?.id : undefined
}

/** The conversation whose lines are read from a file, and the suffix of its ids. */
export interface OwnLines {
  /** Lines of other conversations are `control`, and `isOthers`. */
  readonly key?: string | undefined
  /** See `SourceFile.idSuffix`. */
  readonly idSuffix?: string | undefined
}

/**
 * Decodes one line by itself, for reading a file from either end; yields to other work where the line is long or
 * damaged. `number` counts from 1. Never throws.
 *
 * @param own what is read of a file that several conversations share, or of one of several files
 */
export function decodeSourceLine(
  line: FileLine,
  file: string,
  number: number,
  accept: AcceptValue<ValueMeaning>,
  own: OwnLines = {},
): SourceLine | Promise<SourceLine> {
  const decoded = decodeJsonLineInSlices(line, accept)
  if (decoded instanceof Promise)
    return decoded.then((one) => sourceLineOf(one, line, file, number, own))
  return sourceLineOf(decoded, line, file, number, own)
}

function sourceLineOf(
  decoded: JsonLine<ValueMeaning>,
  line: FileLine,
  file: string,
  number: number,
  { key, idSuffix = '' }: OwnLines,
): SourceLine {
  const place = { file, line: number, offset: line.offset, length: line.length }
  const { ended } = line
  switch (decoded.type) {
    case 'blank':
      return { kind: 'blank', place, ended, rows: [], links: noLinks }
    case 'value': {
      const { value, hasBadBytes } = decoded
      const isOthers = !isOf(value, key)
      const links = !isOthers && value.link !== undefined ? [value.link] : noLinks
      if (isOthers) return { kind: 'control', isOthers, place, ended, rows: [], links }
      if (value.type === 'control') return { kind: 'control', place, ended, rows: [], links }
      const flag = hasBadBytes ? { damaged: true as const } : undefined
      return { kind: 'entry', place, ended, rows: entryRows([value], place, idSuffix, flag), links }
    }
    case 'damaged': {
      const { reason, torn, recovered } = decoded
      const damaged = { ...place, reason, bytes: damageExcerpt(line), ...(torn ? { torn } : {}) }
      const own = recovered.filter((one) => isOf(one, key))
      const rows = entryRows(own, place, idSuffix, { recovered: true })
      const links = own.flatMap(({ link }) => link ?? [])
      return { kind: 'damaged', place, ended, rows: [{ type: 'damaged', damaged }, ...rows], links }
    }
  }
}

/** Returns the id of an entry in formats without ids: by its line and its index `part` there, from 0. */
export function lineId(line: number, part: number, suffix = ''): EntryId {
  return `L${line}${suffix}${part === 0 ? '' : `#${part + 1}`}` as EntryId // a brand alone, of any text
}

/** Returns true for a line of the conversation that is read; one that names none is of whichever it lies in. */
function isOf(meaning: ValueMeaning, key: string | undefined): boolean {
  return (
    key === undefined ||
    meaning.type !== 'entries' ||
    meaning.key === undefined ||
    meaning.key === key
  )
}

const noLinks: readonly RecordLink[] = []

function entryRows(
  meanings: readonly ValueMeaning[],
  place: LineSpan & { readonly line: number },
  idSuffix: string,
  flag: Readonly<Record<string, true>> | undefined,
): readonly TranscriptRow[] {
  let first = 0
  return meanings.flatMap((meaning): readonly TranscriptRow[] => {
    if (meaning.type === 'control') return []
    const { entries, link } = meaning
    const begin = first
    first += entries.length
    return entries.map((nameless, part) => {
      const id = entryIdOf(link, part, () => lineId(place.line, begin + part, idSuffix))
      const entry: Entry = { id, ...nameless, ...place }
      const parent = parentOf(link, part)
      if (parent !== undefined) entry.parent = parent
      if (flag !== undefined) entry.metadata = { ...entry.metadata, ...flag }
      return { type: 'entry', entry }
    })
  })
}

/** Returns the id of an entry: its record's, `#2` and so on for further ones; else the one that its line gives it. */
export function entryIdOf(
  link: RecordLink | undefined,
  part: number,
  byLine: () => EntryId,
): EntryId {
  if (link?.id === undefined) return byLine()
  return `${link.id}${part === 0 ? '' : `#${part + 1}`}` as EntryId // a brand alone, of any text
}

/** Further parts of a record go on from the one before them; a record without an id has no parent to name. */
function parentOf(link: RecordLink | undefined, part: number): EntryId | null | undefined {
  if (link?.id === undefined) return undefined
  if (part > 0) return entryIdOf(link, part - 1, () => link.id as EntryId)
  return link.parent as EntryId | null | undefined // a brand alone, of any text
}

/**
 * Opens a file of a source for reading.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function openSource(disk: Disk, file: string): Promise<DiskFile> {
  try {
    return await disk.open(file, 'read')
  } catch (error) {
    throw unreadableSource(file, error)
  }
}

/**
 * Converts a DiskError to the AppError `not-found` or `unreadable` of a file; any other error is returned unchanged.
 */
export function unreadableSource(file: string, error: unknown): unknown {
  if (!(error instanceof DiskError)) return error
  // Of a record file it is its container that a person knows.
  const name = path.basename(parseRecordPath(file)?.container ?? file)
  const options = { detail: `${error.code}: ${error.path}`, cause: error }
  return isNotFound(error)
    ? new AppError('not-found', `${name} no longer exists.`, options)
    : new AppError('unreadable', `${name} cannot be read: ${reasonOf(error)}.`, options)
}

/** Without what the sentence says already. */
function reasonOf({ message, path: target }: DiskError): string {
  const said = `${target} cannot be read: `
  return message.startsWith(said) ? message.slice(said.length) : message
}
