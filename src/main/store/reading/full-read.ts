import path from 'node:path'
import {
  Gap,
  type Reading,
  readingOf,
  type UnreadPart,
} from '../../../shared/model/conversation/reading'
import type { FileLedger, TranscriptRow } from '../../../shared/model/conversation/transcript'
import type { Disk } from '../../disk/interface/disk'
import { DiskError } from '../../disk/interface/disk'
import { contextNotFoundError, toReadError } from '../core/errors'
import { type ContextPaths, contextPaths } from '../core/home-paths'
import { type ContextFiles, findContextFiles, type TranscriptFile } from '../files/context-files'
import { FileMovedError, readFileFacts } from '../lines/file-facts'
import type { LineFact } from '../lines/line-facts'

/** A full read of a transcript. Its consumer decides about gaps. */
export interface TranscriptReading {
  readonly rows: Reading<TranscriptRow>
  /** Of the files that were read to their end; complete once `rows` has ended. */
  readonly ledgers: readonly FileLedger[]
  readonly partitions: number
  readonly strays: readonly string[]
  readonly notices: readonly string[]
}

/**
 * Every line of a context's files as they stood at the start, in order. A file that a rotation moved in between is
 * found again by its identity. One that cannot be read, or not to its end, leaves a gap, and the others are read.
 *
 * @param ended is called with the ledger of each file that was read to its end
 */
async function* contextFacts(
  disk: Disk,
  home: string,
  paths: ContextPaths,
  found: ContextFiles,
  ended: (ledger: FileLedger) => void,
  signal?: AbortSignal,
): AsyncGenerator<readonly LineFact[] | Gap, void> {
  for (const [index, file] of found.files.entries()) {
    yield* gapsAt(found, index)
    const end = yield* factsWherever(disk, home, paths, file, signal)
    if (end instanceof Gap) yield end
    else ended(end)
  }
  yield* gapsAt(found, found.files.length)
}

function* gapsAt({ missing }: ContextFiles, index: number): Generator<Gap> {
  for (const { before, part } of missing) if (before === index) yield new Gap(part)
}

/** The lines of one file, wherever it is by now, each once; returns its ledger, or what could not be read of it. */
async function* factsWherever(
  disk: Disk,
  home: string,
  paths: ContextPaths,
  snapshot: TranscriptFile,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly LineFact[], FileLedger | Gap> {
  const name = path.basename(snapshot.path)
  let fromByte = 0
  const gap = (cause: UnreadPart['cause'], sentence: string) =>
    new Gap({ file: snapshot.place, fromByte, cause, sentence })
  let file: TranscriptFile = snapshot
  for (let tries = 0; ; tries++) {
    try {
      return yield* readFileFacts(disk, file, paths.name, signal, (byte) => {
        fromByte = byte
      })
    } catch (error) {
      const moved = fromByte === 0 && (error instanceof FileMovedError || isGone(error))
      if (!moved && !(error instanceof DiskError)) throw error
      if (!moved) return gap('failed', `${name} was not read: ${messageOf(error)}.`)
      const again = tries < 3 ? await foundAgain(disk, home, paths, snapshot) : undefined
      if (again === undefined) return gap('missing', `${name} is gone.`)
      if (again instanceof DiskError)
        return gap('failed', `${name} was not read: ${again.message}.`)
      file = again
    }
  }
}

async function foundAgain(
  disk: Disk,
  home: string,
  paths: ContextPaths,
  { identity }: TranscriptFile,
): Promise<TranscriptFile | DiskError | undefined> {
  try {
    const now = await findContextFiles(disk, home, paths, 'where-it-ends-otherwise')
    return now?.files.find((other) => other.identity === identity)
  } catch (error) {
    if (error instanceof DiskError) return error
    throw error
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Starts a full read of a context's files, as rows; the ledgers are complete once the rows have ended. */
export function readFully(
  disk: Disk,
  home: string,
  paths: ContextPaths,
  found: ContextFiles,
  signal?: AbortSignal,
): TranscriptReading {
  const ledgers: FileLedger[] = []
  const ended = (ledger: FileLedger) => void ledgers.push(ledger)
  const facts = contextFacts(disk, home, paths, found, ended, signal)
  return {
    rows: readingOf(paths.name, rowsOf(facts)),
    ledgers,
    partitions: found.files.filter((file) => file.kind === 'partition').length,
    strays: found.strays.map((file) => file.place),
    notices: found.notices,
  }
}

async function* rowsOf(
  facts: AsyncIterable<readonly LineFact[] | Gap>,
): AsyncGenerator<TranscriptRow | Gap> {
  for await (const batch of facts) {
    if (batch instanceof Gap) yield batch
    else for (const fact of batch) yield* fact.rows
  }
}

function isGone(error: unknown): boolean {
  return error instanceof DiskError && error.code === 'not-found'
}

/** A piece of a context's full read: a line, the ledger of a file, or a notice. */
export type ContextPiece =
  | { readonly type: 'line'; readonly fact: LineFact }
  | { readonly type: 'file'; readonly ledger: FileLedger }
  | { readonly type: 'notice'; readonly notice: string }

/**
 * Reads everything of a context in order, with blank lines; for chibi's reader.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function* streamContext(
  disk: Disk,
  home: string,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<ContextPiece | Gap> {
  const paths = contextPaths(home, name)
  const check = 'where-it-ends-otherwise'
  const found = await findContextFiles(disk, home, paths, check).catch((error: unknown) => {
    throw toReadError(name, error)
  })
  if (found === undefined) throw contextNotFoundError(name)
  for (const notice of found.notices) yield { type: 'notice', notice }
  const ended: FileLedger[] = []
  const takeEnded = () => ended.splice(0).map((ledger) => ({ type: 'file' as const, ledger }))
  const take = (ledger: FileLedger) => void ended.push(ledger)
  for await (const batch of contextFacts(disk, home, paths, found, take, signal)) {
    yield* takeEnded()
    if (batch instanceof Gap) yield batch
    else for (const fact of batch) yield { type: 'line', fact }
  }
  yield* takeEnded()
}
