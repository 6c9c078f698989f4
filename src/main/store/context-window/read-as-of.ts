import { AppError } from '../../../shared/model/basics/errors'
import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import {
  type Gap,
  type OnGap,
  type Reading,
  readingOf,
} from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import type { TranscriptFiles } from '../files/context-files'
import { withContextFiles } from '../files/with-context-files'
import { endPosition, type Position } from '../lines/cursor'
import { gapsBetween, stepsBackward, stepsForward } from '../lines/line-steps'
import { readWindowEntries } from './window-entries'

/** A context right before one of its entries was written. Its parts are read when they are asked for. */
export interface ContextAsOf {
  /** The entry itself. */
  readonly entry: Entry
  /** The entries before it in the order of the files, newest first. Reads little more than what is taken. */
  before(): Reading<Entry>
  /** The entries after it, oldest first. */
  after(): Reading<Entry>
  /** The context window as it was: see `readWindowEntries`. @throws AppError `unreadable` where `onGap` is to refuse */
  window(onGap: OnGap): Promise<readonly Entry[]>
}

/**
 * Finds an entry and passes the context as of it to `read`. Only reads, also while another process holds the lock.
 * Where a rotation moves a file in between, `read` is called again from the start.
 *
 * Searches from the end: the cost grows with the entry's distance from there.
 *
 * @throws AppError `not-found` (no such context, no such entry), `unreadable`
 */
export function readAsOf<T>(
  where: { readonly disk: Disk; readonly home: string; readonly name: string },
  id: EntryId,
  read: (context: ContextAsOf) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { disk, name } = where
  return withContextFiles(where, async (found, paths) => {
    const place = await locateEntry(disk, name, found, id, signal)
    if (place === undefined)
      throw new AppError('not-found', 'This entry is no longer in the transcript.')
    const { entry, entries, index, line } = place
    const past = until(found, line.from)
    return read({
      entry,
      before: () => readingOf(name, before(disk, name, found, place, signal)),
      after: () => readingOf(name, after(disk, name, found, place, signal)),
      async window(onGap) {
        const window: Entry[] = []
        for await (const one of readWindowEntries({ disk, paths }, past, onGap)) {
          // A document is read as a whole.
          if (one.id === id && one.offset === entry.offset && one.file === entry.file) return window
          window.push(one)
        }
        // Its line can hold others, where a line feed was lost.
        return [...window, ...entries.slice(0, index)]
      },
    })
  })
}

/** The place of an entry: its line, and its index among the entries of that. */
interface LocatedEntry {
  readonly entry: Entry
  readonly index: number
  readonly entries: readonly Entry[]
  readonly line: { readonly from: Position; readonly to: Position }
}

async function locateEntry(
  disk: Disk,
  name: string,
  { files }: TranscriptFiles,
  id: EntryId,
  signal: AbortSignal | undefined,
): Promise<LocatedEntry | undefined> {
  const end = endPosition(files)
  for await (const { fact, from, to } of stepsBackward(disk, name, files, end, signal)) {
    const entries = fact.rows.flatMap((row) => (row.type === 'entry' ? [row.entry] : []))
    const index = entries.findLastIndex((one) => one.id === id)
    const entry = entries[index]
    if (entry !== undefined) return { entry, index, entries, line: { from, to } }
  }
  return undefined
}

async function* before(
  disk: Disk,
  name: string,
  { files, missing }: TranscriptFiles,
  { entries, index, line }: LocatedEntry,
  signal: AbortSignal | undefined,
): AsyncGenerator<Entry | Gap, void> {
  yield* entries.slice(0, index).reverse()
  let at = line.from.file
  for await (const { fact, from } of stepsBackward(disk, name, files, line.from, signal)) {
    yield* gapsBetween(missing, at, from.file)
    at = from.file
    for (const row of [...fact.rows].reverse()) if (row.type === 'entry') yield row.entry
  }
  yield* gapsBetween(missing, at, -1)
}

async function* after(
  disk: Disk,
  name: string,
  { files, missing }: TranscriptFiles,
  { entries, index, line }: LocatedEntry,
  signal: AbortSignal | undefined,
): AsyncGenerator<Entry | Gap, void> {
  yield* entries.slice(index + 1)
  let at = line.from.file
  for await (const { fact, from } of stepsForward(disk, name, files, line.to, signal)) {
    yield* gapsBetween(missing, at, from.file)
    at = from.file
    for (const row of fact.rows) if (row.type === 'entry') yield row.entry
  }
  yield* gapsBetween(missing, at, files.length)
}

/** The files as they were when the last of them ended at a position. */
function until({ files, missing }: TranscriptFiles, at: Position): TranscriptFiles {
  const file = files[at.file]
  if (file === undefined) return { files, missing }
  const past = missing.filter(({ before }) => before <= at.file)
  const earlier = files.slice(0, at.file)
  if (file.kind === 'document') return { files: [...earlier, file], missing: past }
  const begin = file.begin ?? { offset: 0, line: 1 }
  return { files: [...earlier, { ...file, begin, sizeBytes: at.offset }], missing: past }
}
