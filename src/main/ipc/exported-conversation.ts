import path from 'node:path'
import {
  type ConversationSummary,
  type LibraryKey,
  parseLibraryKey,
} from '../../shared/model/conversation/conversation'
import { allowGaps, type UnreadPart } from '../../shared/model/conversation/reading'
import type { ExportFormat } from '../../shared/model/export'
import type { Exportable } from '../exporters/parts/exporter'
import { unreadTitlePart } from '../library/families/titles'
import { conversationNotFound } from '../library/library'
import type { LibraryRoot } from '../library/sources/roots'
import type { OpenHome } from './open-home'

/** Roots, and files wherever they lie, that are read and never written to. */
export interface KeptFromExports {
  readonly roots: readonly LibraryRoot[]
  readonly files: readonly string[]
}

/** Counts of what passes while a conversation is read. */
export interface Counts {
  entries: number
  damaged: number
  readonly unread: UnreadPart[]
}

/** Begins a count. */
export function noCounts(): Counts {
  return { entries: 0, damaged: 0, unread: [] }
}

/** Lists what an export of the conversation must not be written to. @throws AppError `not-found`, `unreadable` */
export async function keptOf(
  { store, histories }: OpenHome,
  key: LibraryKey,
): Promise<KeptFromExports> {
  const { source, key: own } = parseLibraryKey(key)
  const roots = [{ source: 'chibi', path: store.home } as const, ...histories.roots]
  if (source === 'chibi')
    return { roots, files: (await store.listFiles(own)).files.map((file) => file.path) }
  const ref = (await histories.find(key))?.ref
  return { roots, files: ref?.files.map(({ file }) => path.join(ref.root, file)) ?? [] }
}

/** Finds what the library tells of it. @throws AppError `not-found`, `unreadable` */
export async function summaryOf(
  { library, histories }: OpenHome,
  key: LibraryKey,
): Promise<ConversationSummary> {
  const summary = await library.find(key)
  if (summary === undefined) throw conversationNotFound(histories, key)
  return summary
}

/** Makes a conversation what exporters take, read from the disk while it is written; counts what passes. */
export async function exportableOf(
  home: OpenHome,
  summary: ConversationSummary,
  signal: AbortSignal,
  counts: Counts,
  format: ExportFormat,
): Promise<Exportable> {
  const { source, key, title, project, tags, created, updated, unreadable } = summary
  if (unreadable !== undefined)
    counts.unread.push({
      file: parseLibraryKey(key).key,
      fromByte: 0,
      cause: 'failed',
      sentence: `What the library knows of it (its title, its times) was not read: ${unreadable.replace(/\.$/, '')}.`,
    })
  const titleFault = home.titleFault(key)
  // Bytes that are copied have no title of ours in any case.
  if (titleFault !== undefined && format !== 'original')
    counts.unread.push(unreadTitlePart(parseLibraryKey(key).key, titleFault))
  const reading = await home.transcripts.whole(key, signal)
  async function* rows() {
    for await (const row of allowGaps(reading.rows, (part) => counts.unread.push(part))) {
      if (row.type === 'entry') counts.entries += 1
      else counts.damaged += 1
      yield row
    }
  }
  async function* originals() {
    yield* (await home.transcripts.original(key)).bytes(signal)
  }
  return {
    source,
    key: parseLibraryKey(key).key,
    title,
    project,
    ...(tags === undefined ? {} : { tags }),
    created,
    updated,
    models: [],
    parent: null,
    active: undefined,
    rows: rows(),
    files: () => reading.ledgers,
    originals,
  }
}
