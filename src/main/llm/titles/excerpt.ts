import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { type EntryId, shownText, speakerOf } from '../../../shared/model/conversation/entry'
import { allowGaps, type Reading, refuseFailed } from '../../../shared/model/conversation/reading'
import type {
  PageFrom,
  TranscriptPage,
  TranscriptRow,
} from '../../../shared/model/conversation/transcript'
import { contextOrigin } from '../../../shared/model/family/family'

/** One whole message of a person or a model. */
export interface Spoken {
  readonly speaker: 'user' | 'agent'
  readonly text: string
}

/** The beginning and the end of a conversation; for a branch, of its own part. */
export interface Excerpt {
  readonly beginning: readonly Spoken[]
  /** Messages of the beginning are not repeated. */
  readonly end: readonly Spoken[]
  readonly isBranch: boolean
}

/** The transcripts that excerpts are read from. */
export interface ExcerptSource {
  page(
    key: LibraryKey,
    from: PageFrom,
    limit: number,
    signal?: AbortSignal,
  ): Promise<Pick<TranscriptPage, 'rows' | 'atEnd'>>
  whole(key: LibraryKey, signal?: AbortSignal): Promise<{ readonly rows: Reading<TranscriptRow> }>
}

const rowsLooked = 60
const spokenFirst = 6
const spokenLast = 4

/**
 * Reads a conversation's beginning and end; for a branch, all of it once. Holds a few messages.
 *
 * @param own the first entry of a branch that its parent has not, where that is known; a branch of ours has it itself
 * @throws AppError `not-found`, `unreadable`
 */
export async function readExcerpt(
  source: ExcerptSource,
  key: LibraryKey,
  own: EntryId | undefined,
  signal: AbortSignal,
): Promise<Excerpt> {
  const first = await source.page(key, 'start', rowsLooked, signal)
  const [anchor] = first.rows
  const origin = anchor?.type === 'entry' ? contextOrigin(anchor.entry) : undefined
  if (own !== undefined || (origin?.entries ?? 0) > 0) {
    const isOwn = own === undefined ? afterCopies(origin?.entries ?? 0) : from(own)
    const { rows } = await source.whole(key, signal)
    // A title is given once and stays: what may be readable the next time is waited for.
    const spoken = await ownWords(allowGaps(rows, refuseFailed(key)), isOwn, signal)
    // A branch without a message of its own is about what it begins with.
    if (spoken.beginning.length > 0) return { ...spoken, isBranch: true }
  }
  const last = first.atEnd ? first : await source.page(key, 'end', rowsLooked, signal)
  const beginning = spokenIn(first.rows).slice(0, spokenFirst)
  const shown = new Set(beginning.map(({ place }) => place))
  const end = spokenIn(last.rows)
    .filter(({ place }) => !shown.has(place))
    .slice(-spokenLast)
  return { beginning: beginning.map(words), end: end.map(words), isBranch: false }
}

interface Placed extends Spoken {
  readonly place: string
}

function spokenIn(rows: readonly TranscriptRow[]): readonly Placed[] {
  return rows.flatMap((row) => {
    if (row.type !== 'entry') return []
    const { entry } = row
    const speaker = speakerOf(entry)
    const text = shownText(entry)
    if ((speaker !== 'user' && speaker !== 'agent') || text.trim() === '') return []
    return [{ speaker, text, place: `${entry.file}:${entry.offset}:${entry.id}` }]
  })
}

function words({ speaker, text }: Placed): Spoken {
  return { speaker, text }
}

type IsOwn = (entry: EntryId) => boolean

/** Skips the copies behind the anchor. */
function afterCopies(copies: number): IsOwn {
  let before = -1
  return () => ++before > copies
}

function from(first: EntryId): IsOwn {
  let isThere = false
  return (entry) => {
    isThere ||= entry === first
    return isThere
  }
}

async function ownWords(
  rows: AsyncIterable<TranscriptRow>,
  isOwn: IsOwn,
  signal: AbortSignal,
): Promise<Pick<Excerpt, 'beginning' | 'end'>> {
  const beginning: Spoken[] = []
  const end: Spoken[] = []
  for await (const row of rows) {
    signal.throwIfAborted()
    if (row.type !== 'entry' || !isOwn(row.entry.id)) continue
    for (const spoken of spokenIn([row]).map(words)) {
      if (beginning.length < spokenFirst) beginning.push(spoken)
      else end.push(spoken)
      if (end.length > spokenLast) end.shift()
    }
  }
  return { beginning, end }
}
