import path from 'node:path'
import { type LibraryKey, libraryKeyOf } from '../../shared/model/conversation'
import type { Disk } from '../disk/disk'
import { watchFolder } from '../disk/watch'
import { readers } from '../readers/index'
import type { HistoryReader, SourceRef } from '../readers/reader'
import type { LibraryRoot } from './roots'

/** A conversation of another system: what its reader listed, under the name that the library has for it. */
export interface History {
  readonly key: LibraryKey
  readonly reader: HistoryReader
  readonly ref: SourceRef
}

/** The histories of other systems, read-only. */
export interface Histories {
  readonly roots: readonly LibraryRoot[]
  /** Everything under the roots now, in their order: names, sizes and times. A root that cannot be listed is told of, and left out. */
  list(signal?: AbortSignal): Promise<readonly History[]>
  /** One by its library key, as it was last listed; lists again for one that is not known. */
  find(key: LibraryKey): Promise<History | undefined>
  /** Tells when files come, go or change. Returns a disposer. */
  watch(changed: () => void): () => void
}

/**
 * Opens the roots of other systems; a chibi root is the store's and is left out. Touches nothing.
 *
 * @param noticed is told in words of a root that cannot be listed, once as long as it is the same
 */
export function openHistories(
  disk: Disk,
  roots: readonly LibraryRoot[],
  noticed: (words: string) => void = () => {},
): Histories {
  const foreign = roots.filter(({ source }) => source !== 'chibi')
  const faults = new Map<string, string>()
  let known = new Map<LibraryKey, History>()

  async function refsUnder(
    reader: HistoryReader,
    root: string,
    signal: AbortSignal,
  ): Promise<readonly SourceRef[]> {
    const refs: SourceRef[] = []
    try {
      if ((await disk.stat(root)) === undefined) return []
      for await (const ref of reader.list(root, disk, signal)) refs.push(ref)
      faults.delete(root)
    } catch (error) {
      signal.throwIfAborted()
      const words = `${reader.label}: ${error instanceof Error ? error.message : String(error)}`
      if (faults.get(root) !== words) noticed(words)
      faults.set(root, words)
    }
    return refs
  }

  async function list(signal = new AbortController().signal): Promise<readonly History[]> {
    const found = new Map<LibraryKey, History>()
    for (const root of foreign)
      for (const reader of readers) {
        if (reader.id !== root.source) continue
        for (const ref of await refsUnder(reader, root.path, signal)) {
          const key = freeKey(found, ref)
          found.set(key, { key, reader, ref })
        }
      }
    known = found
    return [...found.values()]
  }

  return {
    roots: foreign,
    list,
    async find(key) {
      if (!known.has(key)) await list()
      return known.get(key)
    },
    watch(changed) {
      const disposers = foreign.flatMap(({ path: root }) =>
        foldersOf(disk, root).map((folder) => watchFolder(disk, folder, changed)),
      )
      return () => {
        for (const dispose of disposers) dispose()
      }
    },
  }
}

/** Two roots of one system may hold conversations of the same key, such as a copy of a history. */
function freeKey(found: ReadonlyMap<LibraryKey, History>, ref: SourceRef): LibraryKey {
  for (let copy = 1; ; copy++) {
    const key = libraryKeyOf(ref.source, copy === 1 ? ref.key : `${ref.key}@${copy}`)
    if (!found.has(key)) return key
  }
}

/** A reader's files lie in the root itself or one folder further down; a root that is a file is seen from its folder. */
function foldersOf(disk: Disk, root: string): readonly string[] {
  if (kindOf(disk, root) === 'file') return [path.dirname(root)]
  return [root, path.join(root, 'history'), path.join(root, 'exceptions')]
}

function kindOf(disk: Disk, root: string) {
  try {
    return disk.statNow(root)?.kind
  } catch {
    return undefined // What cannot be looked at now is watched as the folder that most roots are.
  }
}
