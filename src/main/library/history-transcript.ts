import path from 'node:path'
import { AppError } from '../../shared/model/errors'
import type {
  FileLedger,
  PageFrom,
  TranscriptPage,
  TranscriptRow,
} from '../../shared/model/transcript'
import type { Disk } from '../disk/disk'
import { toldOfLine, unreadable } from '../readers/json-lines'
import type { TranscriptFile } from '../store/context-files'
import { FileMoved } from '../store/file-facts'
import type { LineDecode } from '../store/line-facts'
import { type PageSource, readPage } from '../store/page'
import { readLineAt } from '../store/raw-line'
import type { TranscriptReading } from '../store/store'
import type { History } from './histories'

/**
 * A page of another system's conversation, read from either end as a context's is.
 *
 * Entries have the ids that the file itself gives them, which for a format without ids are numbers of lines: every line
 * feed before the page is looked at, at gigabytes a second.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export function historyPage(
  disk: Disk,
  history: History,
  from: PageFrom,
  limit: number,
  signal?: AbortSignal,
): Promise<TranscriptPage> {
  return settled(disk, history, (source) => readPage(source, from, limit, signal))
}

/** The untouched bytes of a line and its number. @throws AppError `not-found`, `unreadable` */
export function historyLine(
  disk: Disk,
  history: History,
  file: string,
  offset: number,
  length: number,
): Promise<{ readonly bytes: Uint8Array; readonly line: number }> {
  return settled(disk, history, ({ name, files }) => {
    const found = files.find(({ place }) => place === file)
    if (found === undefined)
      throw new AppError('not-found', `${file} is not a file of this conversation.`)
    return readLineAt(disk, name, found, offset, length)
  })
}

/** Every row in order as its reader tells it, with the ledgers. */
export function historyWhole(
  disk: Disk,
  { reader, ref }: History,
  signal: AbortSignal = new AbortController().signal,
): TranscriptReading {
  const ledgers: FileLedger[] = []
  const notices: string[] = []
  async function* rows(): AsyncGenerator<TranscriptRow> {
    for await (const fact of reader.read(ref, disk, signal)) {
      if (fact.type === 'file') ledgers.push(fact.ledger)
      else if (fact.type === 'notice') notices.push(fact.notice)
      else if (fact.type === 'entry') yield { type: 'entry', entry: fact.entry }
      else if (fact.type === 'damaged') yield { type: 'damaged', damaged: fact.damaged }
    }
  }
  return { rows: rows(), ledgers, partitions: 0, strays: [], notices }
}

/** Reads from the file as it is now; again when it was replaced in between, as systems do that write a file anew. */
async function settled<T>(
  disk: Disk,
  history: History,
  read: (source: PageSource) => Promise<T>,
): Promise<T> {
  const { root, file = '' } = history.ref
  for (let tries = 0; ; tries++) {
    try {
      return await read(await sourceOf(disk, history))
    } catch (error) {
      if (error instanceof FileMoved && tries < 5) continue
      throw unreadable(path.join(root, file), error)
    }
  }
}

async function sourceOf(disk: Disk, { reader, ref }: History): Promise<PageSource> {
  const { root, key, file } = ref
  const { meaningOf } = reader
  if (file === undefined || meaningOf === undefined)
    throw new Error(`${reader.label} has no file of lines for ${key}`)
  const whole = path.join(root, file)
  const stat = await disk.stat(whole)
  if (stat === undefined) throw new AppError('not-found', `${file} is not there any more.`)
  const { sizeBytes, mtimeMs, identity } = stat
  const found: TranscriptFile = {
    path: whole,
    place: file,
    kind: 'active',
    sizeBytes,
    mtimeMs,
    identity,
  }
  const decode: LineDecode = (place, raw, line) => ({
    // Numbers are counted, since `isNumbered` asks for them.
    ...toldOfLine(raw, place, line ?? 1, meaningOf),
    ended: raw.ended,
  })
  return { disk, name: key, files: [found], decode, isNumbered: true }
}
