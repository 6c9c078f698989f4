import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import {
  type EntryLabel,
  indexLabels,
  isSameEverywhere,
  type LabelIndex,
} from '../../../shared/model/conversation/entry-labels'
import { checkedLabel, type Label } from '../../../shared/model/conversation/label'
import type { UnreadPart } from '../../../shared/model/conversation/reading'
import { joinCalls } from '../../async/mutex'
import { whenExclusive } from '../../disk/process/exclusive'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { toWriteError } from '../../store/core/errors'
import {
  readKnownContexts,
  readLabels,
  type StoredLabel,
  withStateLock,
  writeLabel,
} from '../../store/given-titles'
import { contextPaths, homePaths } from '../../store/paths'
import { isOfHome, type TitlesOptions } from './titles'

/**
 * Labels that were given to entries in Skein: in the home for its contexts, in the person's own folder for all other
 * conversations. No file of a conversation is changed.
 */
export interface LabelStore {
  /** Reads the files again where they changed; cheap where not. Never rejects: a file that cannot be read stays as it was known. */
  look(): Promise<void>
  /** All labels as of the last `look`, in the order of the files. */
  readonly all: readonly EntryLabel[]
  /** The same, by entries. */
  readonly index: LabelIndex
  /** Returns why labels are unknown, for people: their file could not be read so far. */
  faultOf(key: LibraryKey): string | undefined
  /**
   * Gives an entry a label, durably; undefined takes it away. A copy of the entry in a branch has it too.
   *
   * @returns the label that it had before
   * @throws AppError `bad-argument`, `not-found` no such conversation, `read-only`, `disk-full`, `io`
   */
  set(key: LibraryKey, entry: EntryId, label: Label | undefined): Promise<EntryLabel | undefined>
  /** Another one whenever a `look` has found a change. */
  readonly version: number
}

/** The time for which another Skein may be in the middle of writing. */
const waitMs = 3000

/** Name of the file of labels of other systems' conversations. */
export const foreignLabelsFile = 'labels.json'

/** One of the two files, as it was last read. */
interface Book {
  stamp: string | undefined
  labels: readonly StoredLabel[]
  /** Why the last refresh could not read it. */
  fault: string | undefined
}

/** Creates the `LabelStore` of a home and of other systems' conversations; reads nothing at first. */
export function openLabels(options: TitlesOptions): LabelStore {
  const { disk, home, userFolder, note = () => {}, now: clock = Date.now } = options
  const paths = home === undefined ? undefined : homePaths(home)
  const foreign = path.join(userFolder, foreignLabelsFile)
  const ofHome: Book = { stamp: undefined, labels: [], fault: undefined }
  const ofOthers: Book = { stamp: undefined, labels: [], fault: undefined }
  let version = 0
  let all: readonly EntryLabel[] = []
  let index = indexLabels(all)

  async function refresh(
    book: Book,
    files: readonly string[],
    read: () => Promise<readonly StoredLabel[]>,
  ): Promise<boolean> {
    try {
      const stats = await Promise.all(files.map((file) => disk.stat(file)))
      const stamp = JSON.stringify(
        stats.map((stat) => [stat?.identity, stat?.sizeBytes, stat?.mtimeMs]),
      )
      book.fault = undefined
      if (stamp === book.stamp) return false
      const labels = await read()
      const isChanged = JSON.stringify(labels) !== JSON.stringify(book.labels)
      Object.assign(book, { stamp, labels })
      return isChanged
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error)
      if (book.fault === undefined) note(`labels: ${fault}`)
      book.fault = fault
      return false
    }
  }

  /** One file that cannot be read leaves the other one's labels. */
  async function refreshNow(): Promise<void> {
    const isHomeChanged =
      paths !== undefined &&
      (await refresh(ofHome, [paths.labels, paths.state], async () => {
        const labels = await readLabels(disk, paths.labels)
        // Where state.json cannot be read, a label counts for the context that has the name.
        const known = await readKnownContexts(disk, paths).catch(() => [])
        const createdAt = new Map<string, number | undefined>(
          known.map((one) => [one.name, one.createdAt]),
        )
        return labels.flatMap((label) => {
          const now = createdAt.get(label.key)
          if (!isSameEverywhere(label.key, label.entry))
            return isOfAnother(label, now) ? [] : [label]
          const isSame = now !== undefined && now === label.createdAt
          return [isSame ? label : { ...label, isAway: true as const }]
        })
      }))
    const isOtherChanged = await refresh(ofOthers, [foreign], () => readLabels(disk, foreign))
    if (!isHomeChanged && !isOtherChanged) return
    version++
    all = [...ofHome.labels, ...ofOthers.labels].map(({ createdAt: _, ...label }) => label)
    index = indexLabels(all)
  }

  /** One after the other: an older refresh must not undo a newer one. */
  const look = joinCalls(refreshNow)

  async function write<T>(key: LibraryKey, work: () => Promise<T>): Promise<T> {
    if (isOfHome(key) && paths !== undefined) return withStateLock(disk, paths, work)
    await makeDurableFolder(disk, userFolder)
    const done = await whenExclusive(disk, `${foreign}.writing`, waitMs, work)
    if (done === undefined) throw new Error('another Skein did not release the labels')
    return done.value
  }

  async function setNow(key: LibraryKey, entry: EntryId, label: Label | undefined) {
    const isOurs = isOfHome(key) && home !== undefined && paths !== undefined
    return write(key, async () => {
      // Renamed or removed meanwhile.
      if (label !== undefined && isOurs)
        if ((await disk.stat(contextPaths(home, key).folder)) === undefined)
          throw new AppError('not-found', `"${key}" no longer exists.`)
      // If state.json cannot be read now, the label must not count for another context of this name: it is given later.
      const known = isOurs ? await readKnownContexts(disk, paths) : []
      const createdAt = known.find(({ name }) => name === key)?.createdAt
      const on = { key, entry, createdAt, at: Math.floor(clock() / 1000) }
      return writeLabel(disk, isOurs ? paths.labels : foreign, on, label, note)
    })
  }

  return {
    look,
    get all() {
      return all
    },
    get index() {
      return index
    },
    faultOf(key) {
      const { stamp, fault } = isOfHome(key) ? ofHome : ofOthers
      return stamp === undefined ? fault : undefined
    },
    async set(key, entry, wanted) {
      const label = wanted && checkedLabel(wanted)
      try {
        const before = await setNow(key, entry, label)
        await look()
        if (before === undefined) return undefined
        const { createdAt: _, ...given } = before
        return given
      } catch (error) {
        throw toWriteError(`The label in "${key}"`, error)
      }
    },
    get version() {
      return version
    },
  }
}

/**
 * Returns the missing part for a conversation whose labels could not be read.
 *
 * @param fault of `LabelStore.faultOf`
 */
export function unreadLabelPart(file: string, fault: string): UnreadPart {
  const sentence = `Labels from Skein were not read: ${fault.replace(/\.$/, '')}.`
  return { file, fromByte: 0, cause: 'failed', sentence }
}

/** Returns an entry with its label, or as it is. */
export function labelledEntry(entry: Entry, label: Label | undefined): Entry {
  if (label === undefined) return entry
  const { word, color } = label
  return { ...entry, label: { word, color } }
}

/** Whether a label is of a context that was made at another time than the one that has the name now. */
function isOfAnother({ createdAt: then }: StoredLabel, now: number | undefined): boolean {
  return then !== undefined && now !== undefined && then !== now
}
