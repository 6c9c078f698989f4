import path from 'node:path'
import type { Contract } from '../../shared/ipc/contract'
import type { Handlers } from '../../shared/ipc/primitives'
import { type ConversationSummary, type LibraryKey, partsOf } from '../../shared/model/conversation'
import { AppError } from '../../shared/model/errors'
import { allowGaps, type UnreadPart } from '../../shared/model/reading'
import type { Exportable, Exporter } from '../exporters/exporter'
import { exporterOf } from '../exporters/index'
import { lossesOf } from '../exporters/losses'
import { noConversation } from '../library/no-conversation'
import type { LibraryRoot } from '../library/roots'
import type { CurrentHome, OpenHome } from './open-home'

/** What is read and never written to: roots, and files wherever they lie. */
interface KeptFromExports {
  readonly roots: readonly LibraryRoot[]
  readonly files: readonly string[]
}

/** What saving needs of the system; main/index gives it. */
export interface ExportPlace {
  /** Asks where to write; undefined when the dialog was cancelled. */
  ask(
    suggestedName: string,
    kind: Pick<Exporter, 'label' | 'extension'>,
  ): Promise<string | undefined>
  /** Writes the file whole or not at all, and never into what is kept; returns its bytes. */
  write(
    file: string,
    pieces: AsyncIterable<string | Uint8Array>,
    kept: KeptFromExports,
  ): Promise<number>
  shown(file: string): string
}

export function exportHandlers(
  home: CurrentHome,
  place: ExportPlace,
): Handlers<Contract['exports']> {
  let counting = new AbortController()
  return {
    async losses({ key, format }) {
      counting.abort()
      counting = new AbortController()
      const { signal } = counting
      try {
        const exporter = exporterOf(format)
        const counts = noCounts()
        const summary = await summaryOf(home(), key)
        const conversation = await exportableOf(home(), summary, signal, counts)
        const options = { branches: exporter.branches, unread: () => counts.unread }
        return await lossesOf(exporter, conversation, options, signal)
      } catch (error) {
        if (!signal.aborted) throw error
        throw new AppError('cancelled', 'What has no place there is counted for another format.')
      }
    },

    async save({ key, format }) {
      counting.abort()
      const exporter = exporterOf(format)
      const { label } = exporter
      const name = await suggestedName(home(), key, exporter)
      const file = await place.ask(name, { label, extension: extensionOf(name) })
      if (file === undefined) return null
      const counts = noCounts()
      const { signal } = new AbortController()
      const summary = await summaryOf(home(), key)
      const conversation = await exportableOf(home(), summary, signal, counts)
      // Bytes are copied past the rows. Counted before: what fails later would be told of a file that is there.
      if (format === 'original') for await (const _ of conversation.rows);
      const pieces = exporter.write(conversation, { branches: exporter.branches }, signal)
      const bytes = await place.write(file, pieces, await keptOf(home(), key))
      const unread = counts.unread.map(({ sentence }) => sentence)
      return { file: place.shown(file), bytes, ...counts, unread }
    },
  }
}

/** What passes while a conversation is read. */
interface Counts {
  entries: number
  damaged: number
  readonly unread: UnreadPart[]
}

function noCounts(): Counts {
  return { entries: 0, damaged: 0, unread: [] }
}

async function keptOf({ store, histories }: OpenHome, key: LibraryKey): Promise<KeptFromExports> {
  const { source, key: own } = partsOf(key)
  const roots = [{ source: 'chibi', path: store.home } as const, ...histories.roots]
  if (source === 'chibi')
    return { roots, files: (await store.listFiles(own)).files.map((file) => file.path) }
  const ref = (await histories.find(key))?.ref
  return { roots, files: ref?.files.map(({ file }) => path.join(ref.root, file)) ?? [] }
}

/** What the library tells of it. @throws AppError `not-found`, `unreadable` */
async function summaryOf(
  { library, histories }: OpenHome,
  key: LibraryKey,
): Promise<ConversationSummary> {
  const summary = await library.find(key)
  if (summary === undefined) throw noConversation(histories, key)
  return summary
}

/** A conversation as exporters take it, read from the disk while it is written; counts what passes. */
async function exportableOf(
  home: OpenHome,
  summary: ConversationSummary,
  signal: AbortSignal,
  counts: Counts,
): Promise<Exportable> {
  const { source, key, title, project, created, updated, unreadable } = summary
  if (unreadable !== undefined)
    counts.unread.push({
      file: partsOf(key).key,
      fromByte: 0,
      cause: 'failed',
      sentence: `What the library knows of it (its title, its times) was not read: ${unreadable.replace(/\.$/, '')}.`,
    })
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
    key: partsOf(key).key,
    title,
    project,
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

/** The name under which the format's own system finds it, or its original's; else the conversation's key. */
async function suggestedName(home: OpenHome, key: LibraryKey, exporter: Exporter): Promise<string> {
  if (exporter.id === 'original') return safeName((await home.transcripts.original(key)).name)
  if (exporter.fileName !== undefined) return exporter.fileName(await summaryOf(home, key))
  return `${safeName(partsOf(key).key)}.${exporter.extension}`
}

/** A name without what a file system or a shell would take for something else. */
function safeName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'conversation'
}

function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1] ?? 'jsonl'
}
