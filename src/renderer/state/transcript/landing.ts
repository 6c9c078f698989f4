import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'

/** Where somebody goes in a conversation: a line, or an entry by its id. */
export type LandingTarget = LinePoint | { readonly entry: EntryId }

/** Where a line begins. */
export interface LinePoint {
  readonly file: string
  readonly offset: number
}

/** A place in the open transcript that somebody went to. */
export interface Landing {
  /** Counts landings: going to the same place twice lands twice. */
  readonly id: number
  readonly key: LibraryKey
  readonly place: LinePoint
  /** Words to be marked there. */
  readonly marked: readonly string[]
  /** The rows were replaced for it: there is nothing to scroll from. */
  readonly isJump: boolean
  /** How it is brought into view: a third from the top, or where a turn stood on the screen before, in pixels. */
  readonly at: 'third' | number
  /** Its turn was brought into view and has the focus. */
  readonly isDone: boolean
}

export interface LandingOptions {
  readonly marked?: readonly string[]
  /** Pixels from the transcript's top at which the turn is to stand; a third of the transcript without it. */
  readonly at?: number
}

/**
 * The place of a target in a page that was asked for around it; undefined when its line is not a row any more.
 *
 * A rotation gives a line another file at the same offset.
 */
export function findInPage(
  rows: readonly TranscriptRow[],
  target: LandingTarget,
  asked: LinePoint,
): LinePoint | undefined {
  const known = findAmongRows(rows, target) ?? findAmongRows(rows, asked)
  if (known !== undefined) return known
  const moved = rows.map(linePointOf).filter(({ offset }) => offset === asked.offset)
  return moved.length === 1 ? moved[0] : undefined
}

/** Where a row begins. */
function linePointOf(row: TranscriptRow): LinePoint {
  const { file, offset } = row.type === 'entry' ? row.entry : row.damaged
  return { file, offset }
}

/** Whether a row begins at a place. */
function standsAt(row: TranscriptRow, place: LinePoint): boolean {
  const { file, offset } = linePointOf(row)
  return offset === place.offset && file === place.file
}

/** The place of a target among rows; undefined when none of them is it, or when several could be. */
export function findAmongRows(
  rows: readonly TranscriptRow[],
  target: LandingTarget,
): LinePoint | undefined {
  if (!('entry' in target)) return rows.some((row) => standsAt(row, target)) ? target : undefined
  const found = rows.filter((row) => row.type === 'entry' && row.entry.id === target.entry)
  const [only] = found
  if (found.length !== 1 || only?.type !== 'entry') return undefined
  return { file: only.entry.file, offset: only.entry.offset }
}
