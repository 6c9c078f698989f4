import type { EntryDraft, Place } from '../../shared/model/entry'
import type { DamagedLine, FileLedger, TranscriptRow } from '../../shared/model/transcript'
import type { RawLine } from '../disk/lines'
import { decodeLine } from './entry-line'

/** What one line of a file gives: rows in the line's own order, or none where it is blank. */
export interface LineFact {
  readonly kind: 'entry' | 'damaged' | 'blank'
  readonly place: Place
  readonly ended: boolean
  /** A damaged line comes before what was recovered from it. */
  readonly rows: readonly TranscriptRow[]
}

const shownBytes = 4096

/** Decodes a line at its place. `line` counts from 1, where it is known. */
export function factOf(file: string, raw: RawLine, line: number | undefined): LineFact {
  const decoded = decodeLine(raw)
  const { offset, length, ended } = raw
  const place: Place =
    line === undefined ? { file, offset, length } : { file, line, offset, length }
  if (decoded.type === 'blank') return { kind: 'blank', place, ended, rows: [] }
  if (decoded.type === 'entry')
    return { kind: 'entry', place, ended, rows: [entryRow(decoded.draft, place)] }
  const damaged: DamagedLine = {
    ...place,
    reason: decoded.reason,
    bytes: base64(raw.bytes),
    ...(decoded.torn ? { torn: true } : {}),
  }
  const recovered = decoded.recovered.map((draft) => entryRow(draft, place))
  return { kind: 'damaged', place, ended, rows: [{ type: 'damaged', damaged }, ...recovered] }
}

/** Counts a file's lines so that they add up. */
export class LedgerCount {
  private lines = 0
  private entryLines = 0
  private blank = 0
  private torn = false
  private readonly damaged: FileLedger['damaged'] = []
  private readonly file: string
  private readonly unit: FileLedger['unit']

  constructor(file: string, unit: FileLedger['unit']) {
    this.file = file
    this.unit = unit
  }

  /** The number of the line that comes next. */
  get nextLine(): number {
    return this.lines + 1
  }

  add(fact: LineFact): void {
    this.lines += 1
    if (fact.kind === 'entry') this.entryLines += 1
    if (fact.kind === 'blank') this.blank += 1
    const row = fact.rows[0]
    if (row?.type !== 'damaged') return
    const { offset, length, reason, bytes, torn } = row.damaged
    this.damaged.push({ line: this.lines, offset, length, reason, bytes })
    if (torn) this.torn = true
  }

  ledger(): FileLedger {
    const { file, unit, lines, entryLines, blank, damaged, torn } = this
    return { file, unit, lines, entryLines, control: 0, blank, damaged, torn }
  }
}

/** The draft was made for this row alone: it is completed, not copied. */
function entryRow(draft: EntryDraft, place: Place): TranscriptRow {
  return { type: 'entry', entry: Object.assign(draft, place) }
}

function base64(bytes: Uint8Array): string {
  const shown = bytes.subarray(0, shownBytes)
  return Buffer.from(shown.buffer, shown.byteOffset, shown.byteLength).toString('base64')
}
