import type { SourceId } from '../../shared/model/conversation/sources'
import type { Disk } from '../disk/interface/disk'
import { shownPath } from '../disk/interface/shown-path'
import type { LabelStore } from '../library/families/labels'
import { type Library, type LibraryRowChange, openLibrary } from '../library/library'
import { type Histories, type History, openHistories } from '../library/sources/histories'
import type { LibraryRoot } from '../library/sources/roots'
import type { TitleStore } from '../store/given-titles'
import type { Store } from '../store/store'
import { type Continuing, openContinuing } from './continuing/continuing'
import { type Exports, openExports } from './export/exports'
import type { PrintPage } from './export/printed'
import { counterWith, type WorkerPaths } from './workers'

/** Setup of a home's conversations: where they are, and how they are read. */
export interface ConversationsSetup {
  readonly disk: Disk
  /** Undefined where other systems' histories alone are read. */
  readonly store: Store | undefined
  /** Where other systems keep their histories; a chibi home among them is left out. */
  readonly roots: readonly LibraryRoot[]
  /** By which those are listed and read; all that are known where it is absent. */
  readonly readers?: readonly History['reader'][] | undefined
  /** Whether a root of a source was not scanned whole: what was not found there is not taken for gone. */
  readonly isPartial?: ((source: SourceId) => boolean) | undefined
  /** Places that exports must not be written to, where they are more than the home and the roots. */
  readonly keptRoots?: readonly LibraryRoot[] | undefined
  /** Prints exports that are made so; nothing does where it is absent. */
  readonly print?: PrintPage | undefined
  /** Where caches are kept; need not exist. */
  readonly cacheFolder: string
  /** Titles and tags that were given in Skein. */
  readonly titles: TitleStore
  /** Labels that were given in Skein to entries. */
  readonly labels: LabelStore
  /** Threads that read; the caller's own where it is absent. */
  readonly workers?: WorkerPaths | undefined
  /** Whether changes on the disk are watched and make events; else it is read once. */
  readonly isFollowed: boolean
  /** See `LibraryOptions`. */
  readonly rowsAfterMs?: number | undefined
  /** Whether a run of ours writes there now. */
  readonly isRunning?: ((key: string) => boolean) | undefined
  readonly changed?: ((change: LibraryRowChange) => void) | undefined
  /** Hears once, after the first look, the contexts whose answer a crash cut off. */
  readonly interrupted?: ((names: readonly string[]) => void) | undefined
  /** Gets faults that no call answers for, in words. */
  readonly note: (words: string) => void
}

/** Every conversation of a home and of other systems' roots: rows, details, exports. Reading writes nothing to them. */
export interface Conversations {
  readonly histories: Histories
  readonly library: Library
  readonly exports: Exports
  readonly continuing: Continuing
  /** Lets everything go; the cache is written on return. */
  close(): Promise<void>
}

/** Opens the conversations of a home and of other systems' roots. Touches nothing. */
export function openConversations(setup: ConversationsSetup): Conversations {
  const { disk, store, roots, titles, labels, note } = setup
  const counter = counterWith(disk, setup.workers)
  const histories = openHistories(disk, roots, note, setup.readers, counter.look)
  const library = openLibrary({
    disk,
    counter,
    store,
    shownHome: store === undefined ? '' : shownPath(store.home),
    histories,
    cacheFolder: setup.cacheFolder,
    titles,
    note,
    isRunning: setup.isRunning ?? (() => false),
    changed: setup.changed ?? (() => undefined),
    watched: setup.isFollowed,
    rowsAfterMs: setup.rowsAfterMs,
    ...(setup.interrupted === undefined ? {} : { interrupted: setup.interrupted }),
    ...(setup.isPartial === undefined ? {} : { isPartial: setup.isPartial }),
  })
  const own = store === undefined ? [] : [{ source: 'chibi' as const, path: store.home }]
  const keptRoots = setup.keptRoots ?? [...own, ...histories.roots]
  const exports = openExports({
    ...{ disk, store, histories, library, titles, labels, keptRoots, note },
    print: setup.print,
  })
  return {
    histories,
    library,
    exports,
    continuing: openContinuing(disk, histories),
    async close() {
      await library.close()
      await counter.close()
    },
  }
}
