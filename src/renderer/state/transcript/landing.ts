import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import type { FoundPlace, WantedText } from '../../../shared/model/find/find'

/** Target of a landing in a conversation: a line, or an entry by its id. */
export type LandingTarget = LinePoint | { readonly entry: EntryId }

/** Start of a line: its file and its offset in bytes; with an entry where one of several that the line gives is meant. */
export interface LinePoint {
  readonly file: string
  readonly offset: number
  readonly entry?: EntryId | undefined
}

/** A match in a conversation, and what it matches. */
export interface ShownMatch {
  readonly wanted: WantedText
  readonly place: FoundPlace
}

/** Landing in the open transcript. */
export interface Landing {
  /** Number of the landing: two landings at one place differ by it. */
  readonly id: number
  readonly key: LibraryKey
  readonly place: LinePoint
  /** Words to highlight there. */
  readonly marked: readonly string[]
  /** A match that is brought into view; where it is there already, nothing moves. */
  readonly found?: ShownMatch | undefined
  /** The focus stays where it is. */
  readonly keepsFocus?: boolean | undefined
  /** The rows were replaced for it, so the list does not scroll there from where it was. */
  readonly isJump: boolean
  /** Where it is brought to: a third of the height from the top, or pixels from the top. */
  readonly at: 'third' | number
  /** Block of its turn that is brought to a place of its own instead, where it is there. */
  readonly within?: PlaceInTurn | undefined
  /**
   * How it came about: the conversation was opened by it, the reader moved in the open one, or came back to a place of
   * before, which is shown as it was.
   */
  readonly by: 'opening' | 'moving' | 'returning'
  /** Its turn was brought into view and has the focus. */
  readonly isDone: boolean
}

/** Options of a landing: highlights, and where the turn is brought to. */
export interface LandingOptions {
  readonly marked?: readonly string[]
  readonly found?: ShownMatch | undefined
  readonly keepsFocus?: boolean | undefined
  /** Pixels from the transcript's top to the turn; without it, a third of the transcript. */
  readonly at?: number
  /** What is brought to its own place instead, where it is there. */
  readonly within?: PlaceInTurn | undefined
  /** True where a reader comes back: the turn does not glow, and no fold is opened for it. */
  readonly isReturn?: boolean
}

/** Place in what a turn says: a block of one of its texts, whose top is so many pixels below the transcript's top. */
export interface PlaceInTurn {
  /** Number of the text among those of the turn, or of the block, that are in no other text of it. */
  readonly text: number
  /** Number of the block in it. */
  readonly block: number
  readonly at: number
  /** Place in a text of that block, which may not be there later. */
  readonly inner?: PlaceInTurn | undefined
}

/** Turn in view, by its line: pixels from the transcript's top to it, and where it begins above that, what of it is there. */
export interface ReadPlace {
  readonly place: LinePoint
  readonly at: number
  /** Says more than `at` where not all above is drawn, or is drawn with another width by the time. */
  readonly within?: PlaceInTurn | undefined
}

/** Position of the reader in a transcript: its end, or a line whose turn is some pixels below the transcript's top. */
export type ReadingSpot = {
  readonly key: LibraryKey
  /** The same text for two spots between which no row came, went or moved. */
  readonly layout: string
} & (
  | { readonly type: 'end' }
  | ({
      readonly type: 'line'
      /** All turns in view, from the first one. */
      readonly inView: readonly ReadPlace[]
    } & ReadPlace)
)

/**
 * Finds a target in the page that was read around it. After a rotation the line has another file at the same offset,
 * which is found too; undefined where it is not a row any more.
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

/** Returns the start of a row. */
export function linePointOf(row: TranscriptRow): LinePoint {
  const { file, offset } = row.type === 'entry' ? row.entry : row.damaged
  return { file, offset }
}

/** Returns true where a row begins at a place. */
function beginsAt(row: TranscriptRow, place: LinePoint): boolean {
  const { file, offset } = linePointOf(row)
  return offset === place.offset && file === place.file
}

/** Finds a target among rows; undefined where none matches, or where several rows have the entry's id. */
export function findAmongRows(
  rows: readonly TranscriptRow[],
  target: LandingTarget,
): LinePoint | undefined {
  if ('file' in target) return rows.some((row) => beginsAt(row, target)) ? target : undefined
  const found = rows.filter((row) => row.type === 'entry' && row.entry.id === target.entry)
  const [only] = found
  if (found.length !== 1 || only?.type !== 'entry') return undefined
  return { file: only.entry.file, offset: only.entry.offset, entry: only.entry.id }
}
