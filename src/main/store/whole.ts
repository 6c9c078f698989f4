import path from 'node:path'
import type { FileLedger, TranscriptRow } from '../../shared/model/transcript'
import type { Disk } from '../disk/disk'
import { DiskError } from '../disk/disk'
import { type ContextFiles, findFiles, type TranscriptFile } from './context-files'
import { noContext, unreadable } from './errors'
import { FileMoved, fileFacts } from './file-facts'
import { type ContextPaths, contextPaths } from './home'
import type { LineFact } from './line-facts'
import type { TranscriptReading } from './store'

/** Takes in what a reading finds besides lines. */
export interface ReadingNotes {
  ledger(ledger: FileLedger): void
  notice(notice: string): void
}

/**
 * Every line of a context's files as they stood at the start, in order. A file that a rotation moved in between is
 * found again by its identity; one that cannot be read is told as a notice, and the others are read.
 */
async function* contextFacts(
  disk: Disk,
  home: string,
  paths: ContextPaths,
  found: ContextFiles,
  notes: ReadingNotes,
  signal?: AbortSignal,
): AsyncGenerator<readonly LineFact[], void> {
  for (const snapshot of found.files) {
    let file: TranscriptFile | undefined = snapshot
    for (let tries = 0; file !== undefined; tries++) {
      try {
        notes.ledger(yield* fileFacts(disk, file, paths.name, signal))
        break
      } catch (error) {
        const moved = error instanceof FileMoved || isGone(error)
        if (!moved && !(error instanceof DiskError)) throw error
        const name = path.basename(snapshot.path)
        const again = moved && tries < 3 ? await findFiles(disk, home, paths) : undefined
        file = again?.files.find((other) => other.identity === snapshot.identity)
        if (file === undefined)
          notes.notice(
            moved ? `${name} is gone.` : `${name} was not read: ${(error as Error).message}`,
          )
      }
    }
  }
}

/** A whole reading for people who want rows: the ledgers are complete once the rows have ended. */
export function wholeReading(
  disk: Disk,
  home: string,
  paths: ContextPaths,
  found: ContextFiles,
  signal?: AbortSignal,
): TranscriptReading {
  const ledgers: FileLedger[] = []
  const notices = [...found.notices]
  const notes: ReadingNotes = {
    ledger: (ledger) => ledgers.push(ledger),
    notice: (notice) => notices.push(notice),
  }
  return {
    rows: rowsOf(contextFacts(disk, home, paths, found, notes, signal)),
    ledgers,
    partitions: found.files.filter((file) => file.kind === 'partition').length,
    strays: found.strays.map((file) => file.place),
    notices,
  }
}

async function* rowsOf(facts: AsyncIterable<readonly LineFact[]>): AsyncGenerator<TranscriptRow> {
  for await (const batch of facts) for (const fact of batch) yield* fact.rows
}

function isGone(error: unknown): boolean {
  return error instanceof DiskError && error.code === 'not-found'
}

/** A piece of a context as a reader tells it. */
export type ContextPiece =
  | { readonly type: 'line'; readonly fact: LineFact }
  | { readonly type: 'file'; readonly ledger: FileLedger }
  | { readonly type: 'notice'; readonly notice: string }

/** Everything of a context in order, blank lines too; for chibi's reader. @throws AppError `not-found`, `unreadable` */
export async function* contextReading(
  disk: Disk,
  home: string,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<ContextPiece> {
  const paths = contextPaths(home, name)
  const found = await findFiles(disk, home, paths).catch((error: unknown) => {
    throw unreadable(name, error)
  })
  if (found === undefined) throw noContext(name)
  const told: ContextPiece[] = found.notices.map((notice) => ({ type: 'notice', notice }))
  const notes: ReadingNotes = {
    ledger: (ledger) => told.push({ type: 'file', ledger }),
    notice: (notice) => told.push({ type: 'notice', notice }),
  }
  for await (const batch of contextFacts(disk, home, paths, found, notes, signal)) {
    yield* told.splice(0)
    for (const fact of batch) yield { type: 'line', fact }
  }
  yield* told
}
