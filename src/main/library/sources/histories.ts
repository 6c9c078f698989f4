import path from 'node:path'
import type { BackupReason } from '../../../shared/model/backup/backup'
import { largestOf } from '../../../shared/model/basics/long-lists'
import { type LibraryKey, libraryKeyOf } from '../../../shared/model/conversation/conversation'
import { type SourceId, sourceLabel } from '../../../shared/model/conversation/sources'
import type { Disk } from '../../disk/interface/disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import type {
  HistoryReader,
  LookElsewhere,
  SourceFile,
  SourceRef,
} from '../../readers/common/reader'
import { readers } from '../../readers/index'
import { shownUnder } from './backed-up'
import { watchHistories } from './history-watch'
import type { LibraryRoot } from './roots'

export { realFileOf } from '../../records/interface/record-format'

/** A conversation of another system: its reader's listing, under the library's key. */
export interface History {
  readonly key: LibraryKey
  readonly reader: HistoryReader
  readonly ref: SourceRef
  /** Why it is read from a backup, where it is. */
  readonly backup?: BackupReason | undefined
}

/** The histories of other systems, read-only. */
export interface Histories {
  readonly roots: readonly LibraryRoot[]
  /**
   * Everything under the roots now, in their order: names, sizes and times. A root that cannot be listed is reported, and
   * left out.
   *
   * @param found is called with the conversations of each system as soon as all of its roots are listed: no other system
   *   has a say in their keys
   */
  list(
    signal?: AbortSignal,
    found?: (some: readonly History[]) => void,
  ): Promise<readonly History[]>
  /** Returns those that were listed last. */
  known(): readonly History[]
  /** One by its library key, as it was last listed; lists again for one that is not known. */
  find(key: LibraryKey): Promise<History | undefined>
  /** One as it is now: what was listed may have grown since; undefined where it is gone. */
  now(key: LibraryKey): Promise<History | undefined>
  /** Whether a root of this source could not be listed to its end: what is not found may be there. */
  isPartial(source: SourceId): boolean
  /** Returns why a root of this source could not be listed to its end, for people; undefined where all were. */
  faultOf(source: string): string | undefined
  /** Returns the roots that could not be listed to their ends, with the reason for people. */
  unlisted(): readonly { readonly root: LibraryRoot; readonly words: string }[]
  /** Calls `changed` when files come, go or change. Returns a disposer. */
  watch(changed: () => void): () => void
}

/** With the number of the root that it was found under. */
interface Known extends History {
  readonly root: number
}

/**
 * Opens the roots of other systems; a chibi root is the store's and is left out. Touches nothing.
 *
 * @param noticed is called with the fault of a root that cannot be listed, once as long as it is the same
 *
 * @param by the readers in use
 *
 * @param elsewhere reads files in threads, for a list
 */
export function openHistories(
  disk: Disk,
  roots: readonly LibraryRoot[],
  noticed: (words: string) => void = () => {},
  by: readonly HistoryReader[] = readers,
  elsewhere?: LookElsewhere,
): Histories {
  const others = roots.filter(({ source }) => source !== 'chibi')
  // A conversation has the key that it has where it comes from: copies are known after it.
  const foreign = [
    ...others.filter(({ backup }) => backup === undefined),
    ...others.filter(({ backup }) => backup !== undefined),
  ]
  const systems = [...new Set(foreign.map(({ source }) => source))]
  /** Faults of roots, by path; each is reported once. */
  const faults = new Map<string, string>()
  /** Conversations that were found under each root, in their order; of a list that goes on, those of systems it has ended. */
  let found: readonly (readonly SourceRef[])[] = foreign.map(() => [])
  let known: ReadonlyMap<LibraryKey, Known> = new Map()
  /** The list that was begun last, while it goes on. */
  let listing: Promise<unknown> | undefined
  const watches = new Set<{ follow(histories: Iterable<History>): void }>()

  async function refsUnder(
    { source, path: root }: LibraryRoot,
    signal: AbortSignal,
  ): Promise<readonly SourceRef[]> {
    const refs: SourceRef[] = []
    const reader = by.find(({ id }) => id === source)
    if (reader === undefined) return refs
    try {
      if ((await disk.stat(root)) !== undefined)
        for await (const ref of reader.list(root, disk, signal, elsewhere)) refs.push(ref)
      faults.delete(root)
    } catch (error) {
      signal.throwIfAborted()
      const words = `${sourceLabel(source)}: ${error instanceof Error ? error.message : String(error)}`
      if (faults.get(root) !== words) noticed(words)
      faults.set(root, words)
    }
    return refs
  }

  /** The conversations that were found under some roots, of which all of their systems are among them. */
  async function keyed(
    refs: readonly (readonly SourceRef[])[],
  ): Promise<ReadonlyMap<LibraryKey, Known>> {
    const shown = await Promise.all(
      refs.map((listed, at) => shownUnder(disk, foreign, refs, listed, at)),
    )
    const next = new Map<LibraryKey, Known>()
    for (const [root, listed] of shown.entries())
      for (const { ref, backup } of listed) {
        const reader = by.find(({ id }) => id === ref.source)
        if (reader === undefined) continue
        // A copy takes no other's place.
        const key = backup === undefined ? keyAmong(next, reader, ref) : freeKey(next, ref)
        const reason = backup === undefined ? {} : { backup }
        if (key !== undefined) next.set(key, { key, reader, ref, root, ...reason })
      }
    return next
  }

  async function know(refs: readonly (readonly SourceRef[])[]): Promise<void> {
    const next = await keyed(refs)
    found = refs
    known = next
    for (const watch of watches) watch.follow(known.values())
  }

  async function listAll(
    signal: AbortSignal,
    tell: ((some: readonly History[]) => void) | undefined,
  ): Promise<readonly History[]> {
    // In parallel: threads read the files of one while the names under another are read here.
    const underRoots = foreign.map((root) => refsUnder(root, signal))
    if (tell !== undefined) await Promise.all(systems.map((source) => tellSystem(source)))
    await know(await Promise.all(underRoots))
    return [...known.values()]

    async function tellSystem(source: SourceId): Promise<void> {
      const refs = await Promise.all(underRoots.map((under, at) => (isOf(source, at) ? under : [])))
      // Who opens one before all are found need not wait for the others.
      tell?.(await knowSystem(source, refs))
    }
  }

  function isOf(source: SourceId, root: number): boolean {
    return foreign[root]?.source === source
  }

  /** Takes in what was found under the roots of one system; what others have found meanwhile stays. */
  async function knowSystem(
    source: SourceId,
    refs: readonly (readonly SourceRef[])[],
  ): Promise<readonly History[]> {
    const some = await keyed(refs)
    found = found.map((before, at) => (isOf(source, at) ? (refs[at] ?? []) : before))
    const others = [...known].filter(([, { root }]) => !isOf(source, root))
    known = new Map([...others, ...some])
    return [...some.values()]
  }

  function list(
    signal = new AbortController().signal,
    tell?: (some: readonly History[]) => void,
  ): Promise<readonly History[]> {
    const now = listAll(signal, tell)
    listing = now
    const forget = () => {
      if (listing === now) listing = undefined
    }
    now.then(forget, forget)
    return now
  }

  function faultOf(source: string): string | undefined {
    return foreign
      .filter((root) => root.source === source)
      .map((root) => faults.get(root.path))
      .find((fault) => fault !== undefined)
  }

  async function find(key: LibraryKey): Promise<Known | undefined> {
    // One that lists already finds it, unless it is stopped.
    if (!known.has(key)) await listing?.catch(() => undefined)
    // It may have come after its folder was listed.
    if (!known.has(key)) await (listing?.catch(() => list()) ?? list())
    return known.get(key)
  }

  return {
    roots: foreign,
    list,
    known: () => [...known.values()],
    find,
    async now(key) {
      const history = await find(key)
      if (history === undefined) return undefined
      const root = foreign[history.root]
      if (history.reader.accounts === undefined || root === undefined) {
        const present = await historyNow(disk, history)
        if (present !== undefined || foreign.every(({ backup }) => backup === undefined))
          return present
        // It is gone: a backup may have it.
        await list()
        return known.get(key)
      }
      // The lines of shared files, and the files themselves, are found only by listing all under its root.
      const refs = await refsUnder(root, new AbortController().signal)
      const { source } = root
      await knowSystem(
        source,
        found.map((before, at) => (at === history.root ? refs : isOf(source, at) ? before : [])),
      )
      for (const watch of watches) watch.follow(known.values())
      return known.get(key)
    },
    isPartial: (source) => faultOf(source) !== undefined,
    faultOf,
    unlisted: () =>
      foreign.flatMap((root) => {
        const words = faults.get(root.path)
        return words === undefined ? [] : [{ root, words }]
      }),
    watch(changed) {
      const watch = watchHistories(disk, foreign, changed)
      watches.add(watch)
      watch.follow(known.values())
      return () => {
        watches.delete(watch)
        watch.close()
      }
    },
  }
}

/**
 * Returns the stamp of a history: another one whenever a file came, was replaced or changed, or a title beside it; undefined
 * where that cannot be known.
 */
export function stampOf({ files, unread, storedTitle }: SourceRef): string | undefined {
  if (unread !== undefined) return undefined
  const stamps: string[] = storedTitle === undefined ? [] : [JSON.stringify(storedTitle)]
  for (const { identity = '', bytes, mtimeMs, part, outputs } of files) {
    if (mtimeMs === undefined) return undefined
    const place = part === undefined ? '' : ` ${part.offset} ${part.end}`
    const saved = outputs === undefined ? '' : ` ${outputs}`
    stamps.push(`${identity} ${bytes} ${mtimeMs}${place}${saved}`)
  }
  return stamps.join('|')
}

async function historyNow(disk: Disk, history: History): Promise<History | undefined> {
  const { ref } = history
  const looks = await mapConcurrent(ref.files, (file) => fileNow(disk, ref.root, file))
  if (looks.length > 0 && looks.every((file) => file === undefined)) return undefined
  const files = looks.filter((file) => file !== undefined)
  const times = files.flatMap(({ mtimeMs }) => mtimeMs ?? [])
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const updatedAtMs = times.length === 0 ? ref.updatedAtMs : largestOf(times)
  return { ...history, ref: { ...ref, files, bytes, updatedAtMs } }
}

async function fileNow(
  disk: Disk,
  root: string,
  file: SourceFile,
): Promise<SourceFile | undefined> {
  const stat = await disk.stat(path.join(root, file.file)).catch(() => 'unknown' as const)
  if (stat === 'unknown') return file
  // One that has no stat, such as a link to nothing, is reported by its reader.
  if (stat === undefined) return file.mtimeMs === undefined ? file : undefined
  const { sizeBytes: bytes, mtimeMs, identity } = stat
  return { ...file, bytes, mtimeMs, identity }
}

/**
 * The key of a conversation among those that were found before it; undefined where one of them counts in its place. Two roots
 * of one system may hold conversations of the same key: a copy of a history, or another store of one conversation.
 */
function keyAmong(
  found: ReadonlyMap<LibraryKey, History>,
  { isRicher }: HistoryReader,
  ref: SourceRef,
): LibraryKey | undefined {
  if (isRicher === undefined) return freeKey(found, ref)
  const key = libraryKeyOf(ref.source, ref.key)
  const other = found.get(key)
  return other === undefined || isRicher(ref, other.ref) ? key : undefined
}

function freeKey(found: ReadonlyMap<LibraryKey, History>, ref: SourceRef): LibraryKey {
  for (let copy = 1; ; copy++) {
    const key = libraryKeyOf(ref.source, copy === 1 ? ref.key : `${ref.key}@${copy}`)
    if (!found.has(key)) return key
  }
}
