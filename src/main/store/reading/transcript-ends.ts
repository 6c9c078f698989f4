import { firstWords } from '../../../shared/model/basics/first-words'
import {
  type EntryDraft,
  isWrittenByPerson,
  shownText,
} from '../../../shared/model/conversation/entry'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { type FileLine, readLines, readLinesBackward } from '../../disk/reading/lines'
import type { TranscriptFile } from '../files/context-files'
import { decodeLineAsync } from '../lines/entry-line'
import { openUnmoved, readFileFacts } from '../lines/file-facts'

/** The ends of a transcript; undefined where no entry near an end tells. */
export interface TranscriptEnds {
  /** When the first entry was said, in Unix seconds. */
  readonly first: number | undefined
  /** When the last entry was said, in Unix seconds. */
  readonly last: number | undefined
  /** The first words that a person wrote, on one line. */
  readonly words: string | undefined
}

/** Lines read from either end of a file: some are damaged or have no time. */
const mostLines = 8
/** Lines read for a person's first words, which entries of the system may precede. */
const mostLinesForWords = 32
/** Files read for them. */
const filesForWords = 2
const chunkBytes = 16 * 1024

/**
 * Reads the times at both ends of a transcript and a person's first words: a short read of each end, whatever the size. The
 * first time and the words are left out unless asked for.
 *
 * @throws FileMovedError, DiskError
 */
export async function readTranscriptEnds(
  disk: Disk,
  files: readonly TranscriptFile[],
  wants: { readonly first: boolean; readonly words: boolean },
): Promise<TranscriptEnds> {
  const opened = new OneOpen(disk)
  try {
    return {
      words: wants.words
        ? await firstOf(files.slice(0, filesForWords), (file) => wordsIn(opened, file))
        : undefined,
      first: wants.first ? await firstOf(files, (file) => firstTime(opened, file)) : undefined,
      last: await firstOf([...files].reverse(), (file) => lastTime(opened, file)),
    }
  } finally {
    await opened.close()
  }
}

/** Keeps the file that was opened last: most transcripts have one alone, whose both ends are read. */
class OneOpen {
  readonly disk: Disk
  private current: { readonly file: TranscriptFile; readonly opened: DiskFile } | undefined

  constructor(disk: Disk) {
    this.disk = disk
  }

  /** @throws FileMovedError, DiskError */
  async get(file: TranscriptFile): Promise<DiskFile> {
    if (this.current?.file === file) return this.current.opened
    await this.close()
    const opened = await openUnmoved(this.disk, file)
    this.current = { file, opened }
    return opened
  }

  async close(): Promise<void> {
    const { current } = this
    this.current = undefined
    await current?.opened.close()
  }
}

async function firstOf<T>(
  files: readonly TranscriptFile[],
  read: (file: TranscriptFile) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const file of files) {
    const found = file.sizeBytes === 0 ? undefined : await read(file)
    if (found !== undefined) return found
  }
  return undefined
}

async function wordsIn(opened: OneOpen, file: TranscriptFile): Promise<string | undefined> {
  if (file.kind === 'document') {
    for await (const facts of readFileFacts(opened.disk, file, ''))
      for (const row of facts.flatMap((fact) => fact.rows)) {
        const words = row.type === 'entry' ? wordsOfPerson(row.entry) : undefined
        if (words !== undefined) return words
      }
    return undefined
  }
  const firstBytes = Math.min(file.sizeBytes + 1, chunkBytes)
  let seen = 0
  for await (const lines of readLines(await opened.get(file), { chunkBytes: firstBytes }))
    for (const line of lines) {
      const entry = await entryOf(line)
      const words = entry === undefined ? undefined : wordsOfPerson(entry)
      if (words !== undefined) return words
      seen += 1
      if (seen === mostLinesForWords) return undefined
    }
  return undefined
}

function wordsOfPerson(entry: EntryDraft): string | undefined {
  return (isWrittenByPerson(entry) && firstWords(shownText(entry))) || undefined
}

async function firstTime(opened: OneOpen, file: TranscriptFile): Promise<number | undefined> {
  if (file.kind === 'document') return (await documentTimes(opened.disk, file)).at(0)
  const firstBytes = Math.min(file.sizeBytes + 1, chunkBytes)
  return timeAmong(readLines(await opened.get(file), { chunkBytes: firstBytes }))
}

async function lastTime(opened: OneOpen, file: TranscriptFile): Promise<number | undefined> {
  if (file.kind === 'document') return (await documentTimes(opened.disk, file)).at(-1)
  const last = { firstChunkBytes: chunkBytes }
  return timeAmong(readLinesBackward(await opened.get(file), file.sizeBytes, last))
}

/** chibi's oldest files are small and one JSON value: there is no reading of an end alone. */
async function documentTimes(disk: Disk, file: TranscriptFile): Promise<readonly number[]> {
  const times: number[] = []
  for await (const facts of readFileFacts(disk, file, ''))
    for (const row of facts.flatMap((fact) => fact.rows))
      if (row.type === 'entry' && row.entry.timestamp !== null) times.push(row.entry.timestamp)
  return times
}

async function timeAmong(batches: AsyncIterable<readonly FileLine[]>): Promise<number | undefined> {
  let seen = 0
  for await (const lines of batches)
    for (const line of lines) {
      const entry = await entryOf(line)
      if (entry?.timestamp != null) return entry.timestamp
      seen += 1
      if (seen === mostLines) return undefined
    }
  return undefined
}

async function entryOf(line: FileLine): Promise<EntryDraft | undefined> {
  const decoded = await decodeLineAsync(line)
  if (decoded.type === 'entry') return decoded.draft
  return decoded.type === 'damaged' ? decoded.recovered.at(-1) : undefined
}
