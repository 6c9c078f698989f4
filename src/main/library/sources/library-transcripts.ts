import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import {
  type LibraryKey,
  type LockState,
  parseLibraryKey,
} from '../../../shared/model/conversation/conversation'
import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import type { ModelMessage } from '../../../shared/model/conversation/model-view'
import { allowGaps, refuseFailed, requireWhole } from '../../../shared/model/conversation/reading'
import { savedFileName, savedOutputNote } from '../../../shared/model/conversation/tool-results'
import type {
  PageFrom,
  TranscriptPage,
  WayName,
  WindowStart,
} from '../../../shared/model/conversation/transcript'
import type { Disk } from '../../disk/interface/disk'
import type { TextPart } from '../../disk/reading/saved-text'
import { watchFolder } from '../../disk/writing/watch'
import { readOutput } from '../../readers/filled-output'
import { realFileOf } from '../../records/interface/record-format'
import type { Store, TranscriptReading } from '../../store/store'
import { conversationNotFound } from './conversation-not-found'
import type { Histories } from './histories'
import { historyLine, historyPage, historyRows, locateInTree } from './history-transcript'
import { libraryOriginal, type Original } from './originals'
import { openRowTrees } from './tree/row-trees'

/** The transcripts of all conversations of the library, ours and those of other systems; reading never writes. */
export interface Transcripts {
  /**
   * As `Store.readPage` has it, for any conversation; where entries have parents, of one way through it.
   *
   * @param way the one that `start` and `end` mean; without it the way to where the conversation is now
   * @throws AppError `not-found`, `unreadable`
   */
  page(
    key: LibraryKey,
    from: PageFrom,
    limit: number,
    signal?: AbortSignal,
    way?: WayName,
  ): Promise<TranscriptPage>
  /** The untouched bytes of a line and its number. @param entry the one that is meant @throws AppError `not-found`, `unreadable` */
  line(
    key: LibraryKey,
    file: string,
    offset: number,
    length: number,
    entry?: EntryId,
  ): Promise<{ readonly bytes: Uint8Array; readonly line: number }>
  /**
   * Reads a part of an output that its system saved beside the conversation.
   *
   * @param place the conversation's file that names it, and the output's own name
   * @param from in bytes, where the part before it ended @param most bytes
   * @throws AppError `not-found` also where it is no longer there, `unreadable`
   */
  output(
    key: LibraryKey,
    place: { readonly file: string; readonly output: string },
    from: number,
    most: number,
  ): Promise<TextPart>
  /** Finds the place of an entry, the first of that id; reads up to it. @throws AppError `not-found`, `unreadable` */
  locate(
    key: LibraryKey,
    entry: EntryId,
    signal?: AbortSignal,
  ): Promise<{ readonly file: string; readonly offset: number } | undefined>
  /** Every row in order, with the ledgers and gaps; streams. @throws AppError `not-found`, `unreadable` */
  whole(key: LibraryKey, signal?: AbortSignal): Promise<TranscriptReading>
  /** The bytes that it is read from. @throws AppError `not-found`, `unreadable` */
  original(key: LibraryKey): Promise<Original>
  /** Reads what its system sends its model of it; undefined where that is simply what was said. @throws AppError `not-found`, `unreadable` */
  modelView(key: LibraryKey): Promise<ModelMessage[] | undefined>
  /** Where the window of a context of ours begins. @throws AppError `not-found`, `unreadable` */
  windowStart(key: LibraryKey): Promise<WindowStart | undefined>
  /** Always free where nobody but the other system writes. */
  lockState(key: LibraryKey): Promise<LockState>
  /** Calls `changed` when its files change; returns a disposer. */
  watch(key: LibraryKey, changed: () => void): () => void
}

/** Opens the transcripts of a home and of other systems' histories. */
export function openTranscripts(options: {
  readonly disk: Disk
  readonly store: Store
  readonly histories: Histories
}): Transcripts {
  const { disk, store, histories } = options
  const trees = openRowTrees(disk)

  async function historyOf(key: LibraryKey) {
    const history = await histories.now(key)
    if (history === undefined) throw conversationNotFound(histories, key)
    const { reader, ref } = history
    if (reader.withBeginning === undefined) return history
    const signal = new AbortController().signal
    return { ...history, ref: await reader.withBeginning(ref, disk, signal) }
  }

  const transcripts: Transcripts = {
    async page(key, from, limit, signal, way) {
      if (isOurs(key)) return store.readPage(key, from, limit, signal)
      return historyPage(disk, trees, await historyOf(key), { from, limit, way, signal })
    },
    async line(key, file, offset, length, entry) {
      if (isOurs(key)) return store.readLine(key, file, offset, length, entry)
      return historyLine(disk, await historyOf(key), file, offset, length)
    },
    async output(key, { file, output }, from, most) {
      const history = isOurs(key) ? undefined : await historyOf(key)
      const name = (history?.reader.savedOutputs?.fileOf ?? savedFileName)(output)
      const isOwn = history?.ref.files.some((one) => one.file === file) === true
      if (history === undefined || name === undefined || !isOwn)
        throw new AppError('not-found', `${output} is not an output of this conversation.`)
      const place = { reader: history.reader, root: history.ref.root }
      const found = await readOutput(disk, place, file, { file: name }, from, most)
      if (found.type === 'read') return found.value
      const note = savedOutputNote({ file: name, from: 0, to: 0, missing: found.type })
      const code = found.type === 'unreadable' ? 'unreadable' : 'not-found'
      throw new AppError(code, note ?? `${name} is not read.`)
    },
    async locate(key, entry, signal) {
      if (!isOurs(key)) {
        const found = await locateInTree(disk, trees, await historyOf(key), entry, signal)
        if (found !== 'unknown') return found
      }
      const { rows } = await transcripts.whole(key, signal)
      for await (const row of allowGaps(rows, refuseFailed(key)))
        if (row.type === 'entry' && row.entry.id === entry)
          return { file: row.entry.file, offset: row.entry.offset }
      return undefined
    },
    async whole(key, signal) {
      if (isOurs(key)) return store.readWhole(key, signal)
      return historyRows(disk, await historyOf(key), signal)
    },
    original: (key) => libraryOriginal({ store, histories }, key, disk),
    async modelView(key) {
      if (isOurs(key)) return undefined
      const { reader, ref } = await historyOf(key)
      const view = reader.modelView
      if (view === undefined || reader.isNeverSent?.(ref) === true) return undefined
      const entries: Entry[] = []
      for await (const row of requireWhole((await transcripts.whole(key)).rows))
        if (row.type === 'entry') entries.push(row.entry)
      return [...view(entries)]
    },
    async windowStart(key) {
      return isOurs(key) ? store.windowStart(key) : undefined
    },
    async lockState(key) {
      return isOurs(key) ? store.lockState(key) : { state: 'free' }
    },
    watch(key, changed) {
      if (isOurs(key)) return store.watch(key, changed)
      let closed = false
      let watched: readonly (() => void)[] = []
      // One that is gone is not watched: the list reports when it comes back.
      void histories.find(key).then((history) => {
        if (history === undefined || closed) return
        const { root, files } = history.ref
        const folders = new Set(
          files.map(({ file }) => path.dirname(realFileOf(path.join(root, file)))),
        )
        watched = [...folders].map((folder) => watchFolder(disk, folder, changed))
      })
      return () => {
        closed = true
        for (const unwatch of watched) unwatch()
      }
    },
  }
  return transcripts
}

function isOurs(key: LibraryKey): boolean {
  return parseLibraryKey(key).source === 'chibi'
}
