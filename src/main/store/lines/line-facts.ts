import type { EntryDraft, LineSpan } from '../../../shared/model/conversation/entry'
import type { DamagedLine, TranscriptRow } from '../../../shared/model/conversation/transcript'
import { damageExcerpt } from '../../disk/json/json-line'
import type { FileLine } from '../../disk/reading/lines'
import { type DecodedLine, decodeLineAsync } from './entry-line'

/**
 * A line of a file with its rows, in the line's own order; none where it is blank or `control`, which is nobody's
 * text.
 */
export interface LineFact {
  readonly kind: 'entry' | 'damaged' | 'blank' | 'control'
  readonly place: LineSpan
  readonly ended: boolean
  /** A damaged line comes before what was recovered from it. */
  readonly rows: readonly TranscriptRow[]
}

/** A decoder of a format's lines with their spans. `line` counts from 1, where it is known. */
export type LineDecode = (
  file: string,
  raw: FileLine,
  line: number | undefined,
) => LineFact | Promise<LineFact>

/**
 * Decodes a line of chibi's with its span; yields to other work where it is long or damaged. `line` counts from 1,
 * where it is known.
 */
export function decodeLineFact(
  file: string,
  raw: FileLine,
  line: number | undefined,
): LineFact | Promise<LineFact> {
  const decoded = decodeLineAsync(raw)
  if (decoded instanceof Promise) return decoded.then((one) => factFrom(one, file, raw, line))
  return factFrom(decoded, file, raw, line)
}

function factFrom(
  decoded: DecodedLine,
  file: string,
  raw: FileLine,
  line: number | undefined,
): LineFact {
  const { offset, length, ended } = raw
  const place: LineSpan =
    line === undefined ? { file, offset, length } : { file, line, offset, length }
  if (decoded.type === 'blank') return { kind: 'blank', place, ended, rows: [] }
  if (decoded.type === 'entry')
    return { kind: 'entry', place, ended, rows: [entryRow(decoded.draft, place)] }
  const damaged: DamagedLine = {
    ...place,
    reason: decoded.reason,
    bytes: damageExcerpt(raw),
    ...(decoded.torn ? { torn: true } : {}),
  }
  const recovered = decoded.recovered.map((draft) => entryRow(draft, place))
  return { kind: 'damaged', place, ended, rows: [{ type: 'damaged', damaged }, ...recovered] }
}

/** The draft was made for this row alone: it is completed, not copied. */
function entryRow(draft: EntryDraft, place: LineSpan): TranscriptRow {
  return { type: 'entry', entry: Object.assign(draft, place) }
}
