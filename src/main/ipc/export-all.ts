import path from 'node:path'
import { AppError } from '../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../shared/model/conversation/conversation'
import type { LossReport, SavedAll, SavedSoFar } from '../../shared/model/export'
import { createFreeNames, exportFileName, type FreeNames } from '../exporters/file-names'
import { countLosses, sumLosses } from '../exporters/losses'
import type { Exporter } from '../exporters/parts/exporter'
import type { ExportPlace } from './export-place'
import { exportableOf, keptOf, noCounts, summaryOf } from './exported-conversation'
import type { OpenHome } from './open-home'

/** Conversations to write, their format, and the folder to write them into. */
interface SavedInto {
  readonly keys: readonly LibraryKey[]
  readonly exporter: Exporter
  readonly folder: string
}

/** Failures that are told in words; the others are counted. */
const mostFailures = 100

/**
 * Writes conversations into a folder, one after the other, a file each under a name that was free. What cannot be read is
 * told, and the others are written. Ends with what is written when the signal aborts: the files are whole.
 *
 * @throws AppError `bad-argument` where the folder lies among what is read, `disk-full`
 */
export async function saveAll(
  home: OpenHome,
  place: ExportPlace,
  { keys, exporter, folder }: SavedInto,
  told: (progress: SavedSoFar) => void,
  signal: AbortSignal,
): Promise<SavedAll> {
  const names = createFreeNames((name) => place.isTaken(path.join(folder, name)))
  const reports: LossReport[] = []
  const failures: string[] = []
  let [failed, bytes, done] = [0, 0, 0]
  const fail = (words: string) => {
    failed += 1
    if (failures.length < mostFailures) failures.push(words)
  }
  for (const key of keys) {
    if (signal.aborted) break
    told({ done, total: keys.length })
    try {
      const one = await saveOne(home, place, key, { exporter, folder }, names, signal)
      reports.push(one.losses)
      bytes += one.bytes
      if (one.unread !== undefined) fail(`${one.title} is not whole: ${one.unread}`)
    } catch (error) {
      if (signal.aborted) break
      // These meet every further one as well.
      const isForAll = !(error instanceof AppError) || endsAll.has(error.code)
      if (isForAll) throw error
      fail(`${parseLibraryKey(key).key} was not exported: ${error.message}`)
    }
    done += 1
  }
  return {
    folder: place.shown(folder),
    conversations: reports.length,
    bytes,
    losses: sumLosses(exporter, reports),
    failures,
    failed,
    stopped: signal.aborted,
  }
}

const endsAll: ReadonlySet<AppError['code']> = new Set(['bad-argument', 'disk-full'])

async function saveOne(
  home: OpenHome,
  place: ExportPlace,
  key: LibraryKey,
  { exporter, folder }: Pick<SavedInto, 'exporter' | 'folder'>,
  nameFor: FreeNames,
  signal: AbortSignal,
): Promise<{
  readonly title: string
  readonly bytes: number
  readonly losses: LossReport
  readonly unread: string | undefined
}> {
  const summary = await summaryOf(home, key)
  const counts = noCounts()
  const options = { branches: exporter.branches, unread: () => counts.unread }
  const counted = await exportableOf(home, summary, signal, counts, exporter.id)
  const losses = await countLosses(exporter, counted, options, signal)
  const original = exporter.id === 'original' ? await home.transcripts.original(key) : undefined
  const named = { ...summary, key: parseLibraryKey(key).key }
  const name = await nameFor(exportFileName(exporter, named, original?.name ?? ''))
  // What is written is read once more, and a disk may fail at either reading.
  const again = noCounts()
  const conversation = await exportableOf(home, summary, signal, again, exporter.id)
  const pieces = exporter.write(conversation, { branches: exporter.branches }, signal)
  const bytes = await place.writeNew(path.join(folder, name), pieces, await keptOf(home, key))
  const unread = [...new Set([...counts.unread, ...again.unread].map(({ sentence }) => sentence))]
  return {
    title: summary.title,
    bytes,
    losses,
    unread: unread.length === 0 ? undefined : unread.join(' '),
  }
}
