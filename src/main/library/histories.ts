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
  /** Everything under the roots now, in the order of the roots: names, sizes and times. @throws AppError `unreadable` */
  list(signal?: AbortSignal): Promise<readonly History[]>
  /** One by its library key, as it was last listed; lists again for one that is not known. */
  find(key: LibraryKey): Promise<History | undefined>
  /** Tells when files come, go or change. Returns a disposer. */
  watch(changed: () => void): () => void
}

/** Opens the roots of other systems; a chibi root is the store's and is left out. Touches nothing. */
export function openHistories(disk: Disk, roots: readonly LibraryRoot[]): Histories {
  const foreign = roots.filter(({ source }) => source !== 'chibi')
  let known = new Map<LibraryKey, History>()

  async function list(signal = new AbortController().signal): Promise<readonly History[]> {
    const found = new Map<LibraryKey, History>()
    for (const root of foreign)
      for (const reader of readers) {
        if (reader.id !== root.source || (await disk.stat(root.path)) === undefined) continue
        for await (const ref of reader.list(root.path, disk, signal)) {
          const key = freeKey(found, ref)
          found.set(key, { key, reader, ref })
        }
      }
    known = found
    return [...found.values()]
  }

  return {
    list,
    async find(key) {
      if (!known.has(key)) await list()
      return known.get(key)
    },
    watch(changed) {
      const disposers = foreign.flatMap(({ path: root }) =>
        // A reader's files lie in the root itself or one folder further down.
        [root, path.join(root, 'history'), path.join(root, 'exceptions')].map((folder) =>
          watchFolder(disk, folder, changed),
        ),
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
