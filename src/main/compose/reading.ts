import path from 'node:path'
import type { Contract } from '../../shared/ipc/contract'
import type { Emitters } from '../../shared/ipc/wire/primitives'
import type { SourceId } from '../../shared/model/conversation/conversation'
import type { Disk } from '../disk/interface/disk'
import { shownPath } from '../disk/interface/shown-path'
import type { OpenHome } from '../ipc/open-home'
import { openBranching } from '../library/branch/branching'
import { threadCounter } from '../library/count/counter'
import { threadFamilies } from '../library/families'
import { openLibrary } from '../library/library'
import { type History, openHistories } from '../library/sources/histories'
import type { LibraryRoot } from '../library/sources/roots'
import { openTranscripts } from '../library/transcripts'
import type { Runs } from '../llm/run/runs'
import { scanWidth, threadWorkers } from '../search/workers'
import type { TitleStore } from '../store/given-titles'
import type { Store } from '../store/store'
import { openHomeSearch } from './search'

export interface HomeReadingDeps {
  readonly disk: Disk
  readonly home: string
  readonly roots: readonly LibraryRoot[]
  readonly readers: readonly History['reader'][]
  /** Whether a root of a source was not looked at whole: what was not found there is not taken for gone. */
  readonly isPartial: (source: SourceId) => boolean
  readonly cacheFolder: string
  /** Where Skein's own files of a person lie. */
  readonly userFolder: string
  readonly titles: TitleStore
  readonly store: Store
  readonly runs: Runs
  /** Whether we write in a context without a run. */
  readonly isWritten: (key: string) => boolean
  readonly library: Emitters<Contract['library']>
  readonly branches: Emitters<Contract['branches']>
  readonly search: Emitters<Contract['search']>
  readonly familiesWorker: string
  readonly searchWorker: string
  /** The built `count.worker.cjs`. */
  readonly countWorker: string
  /** Is told once, after the first look, the contexts whose answer a crash cut off. */
  readonly interrupted: (names: readonly string[]) => void
  /** Whether it is what the window reads by: what another one has found meanwhile is told to nobody. */
  readonly isCurrent: (reading: HomeReading) => boolean
  readonly note: (words: string) => void
}

/** Everything of a home that reads over a set of roots; other roots get another one. */
export interface HomeReading
  extends Omit<OpenHome, 'store' | 'runs' | 'titling' | 'tags' | 'titled' | 'titleFault'> {
  /** Lets everything go, and waits for what is going on. */
  close(): Promise<void>
}

/** Conversations above this are counted when they are opened, not in the background. In bytes. */
const countedInBackgroundBytes = 64 << 20

/** Builds the library, its search and its families over a store and other systems' roots. Touches nothing. */
export function openHomeReading(deps: HomeReadingDeps): HomeReading {
  const { disk, home, store, runs, roots, cacheFolder, userFolder, titles } = deps
  const counter = threadCounter(disk, deps.countWorker)
  const histories = openHistories(disk, roots, deps.note, deps.readers, counter.look)
  const transcripts = openTranscripts({ disk, store, histories })
  const library = openLibrary({
    disk,
    counter,
    store,
    shownHome: shownPath(home),
    histories,
    cacheFolder,
    titles,
    note: deps.note,
    interrupted: deps.interrupted,
    isRunning: (key) => runs.isRunning(key) || deps.isWritten(key),
    isPartial: deps.isPartial,
    changed(change) {
      if (!deps.isCurrent(reading)) return
      const { conversations, gone } = change
      deps.library.changed({ conversations: [...conversations], gone: [...gone] })
      families.look()
      search.changed(change)
    },
  })
  const places = { home, roots, cacheFolder, userFolder }
  const families = threadFamilies(deps.familiesWorker, places, () => {
    if (deps.isCurrent(reading)) deps.branches.changed({})
  })
  const search = openHomeSearch({
    disk,
    library,
    cacheFolder: path.join(cacheFolder, 'search'),
    workers: threadWorkers(deps.searchWorker, scanWidth()),
    tellIndex(state) {
      if (deps.isCurrent(reading)) deps.search.index(state)
    },
    note: deps.note,
  })
  const branching = openBranching({
    store,
    histories,
    disk,
    ask: (beginning, request) => runs.startIn(beginning, request),
    async created(key) {
      await library.refresh(key).catch((error: unknown) => deps.note(`library: ${String(error)}`))
      families.look()
    },
  })
  const counting = new AbortController()

  const reading: HomeReading = {
    histories,
    transcripts,
    library,
    branching,
    families,
    search,
    countInBackground() {
      search.buildInBackground()
      library
        .countAll(countedInBackgroundBytes, counting.signal)
        .catch((error: unknown) => deps.note(`counting: ${String(error)}`))
    },
    async close() {
      counting.abort()
      await search.close()
      await library.close()
      await counter.close()
      await families.close()
    },
  }
  return reading
}
