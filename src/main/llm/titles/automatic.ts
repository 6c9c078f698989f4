import { isGeneratedName } from '../../../shared/model/basics/title'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { contextOrigin } from '../../../shared/model/family/family'
import type { RunProgress } from '../steps/run-progress'
import type { ExcerptSource } from './excerpt'
import type { Titled } from './titling'

export interface AutomaticTitlesDeps {
  /** Whether a person allowed it in Settings. */
  readonly isAllowed: () => Promise<boolean>
  readonly transcripts: () => Pick<ExcerptSource, 'page'>
  /** Names that a person took away by renaming. */
  readonly formerNames: (context: string) => Promise<readonly string[]>
  /** Asks, where nobody has decided on a title yet. */
  readonly ask: (key: LibraryKey, signal: AbortSignal) => Promise<Titled>
  /** A conversation has a title now. */
  readonly titled: (key: LibraryKey) => void
  readonly note: (words: string) => void
}

/** Has the model title conversations after their first whole answer, where that is allowed. */
export interface AutomaticTitles {
  /** A run goes on, or has ended. Cheap to call. */
  heard(progress: Pick<RunProgress, 'key' | 'phase'>): void
  /** Stops asking; resolves when nothing is asked any more. */
  close(): Promise<void>
}

/**
 * Follows the runs of a home. A conversation is asked about once at the most: what came of it is kept with the titles,
 * also that it failed. One whose name a person wrote has its title, and is left alone. Nothing here keeps a run waiting
 * or makes one fail.
 */
export function automaticTitles(deps: AutomaticTitlesDeps): AutomaticTitles {
  const closing = new AbortController()
  /** Asked about now, or in vain in a way that is not kept. */
  const tried = new Set<LibraryKey>()
  const going = new Set<Promise<void>>()

  async function isNameless(key: LibraryKey): Promise<boolean> {
    if (isGeneratedName(key)) return true
    // A branch is called after its parent, until somebody renames it.
    const [first] = (await deps.transcripts().page(key, 'start', 1, closing.signal)).rows
    if (first?.type !== 'entry' || contextOrigin(first.entry) === undefined) return false
    return (await deps.formerNames(key)).length === 0
  }

  async function title(key: LibraryKey): Promise<void> {
    try {
      if (!(await deps.isAllowed()) || !(await isNameless(key)) || tried.has(key)) return
      tried.add(key)
      const end = await deps.ask(key, closing.signal)
      // What came of it is kept with the titles. The name may be that of another conversation later.
      tried.delete(key)
      if (end.outcome === 'titled') deps.titled(key)
      if (end.outcome === 'failed') deps.note(`${key}: no title: ${end.words}`)
    } catch (error) {
      if (closing.signal.aborted) return
      deps.note(`${key}: no title: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  return {
    heard({ key, phase }) {
      if (phase !== 'complete' || closing.signal.aborted || tried.has(key)) return
      const work = title(key).finally(() => going.delete(work))
      going.add(work)
    },
    async close() {
      closing.abort()
      await Promise.all(going)
    },
  }
}
