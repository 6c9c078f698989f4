import { isGeneratedName } from '../../../shared/model/basics/title'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { contextOrigin } from '../../../shared/model/family/family'
import type { RunProgress } from '../steps/run-progress'
import type { ExcerptSource } from './excerpt'
import type { Titled } from './titling'

/** Everything that automatic titles need of a home. */
export interface AutomaticTitlesDeps {
  /** Resolves to true where Settings allow it. */
  readonly isAllowed: () => Promise<boolean>
  readonly transcripts: () => Pick<ExcerptSource, 'page'>
  /** Names that a person took away by renaming. */
  readonly formerNames: (context: string) => Promise<readonly string[]>
  /** Asks for a title, where none was decided on yet. */
  readonly ask: (key: LibraryKey, signal: AbortSignal) => Promise<Titled>
  /** Called when a conversation has a title. */
  readonly titled: (key: LibraryKey) => void
  readonly note: (words: string) => void
}

/** Automatic titles: a model titles conversations after their first whole answer, where Settings allow it. */
export interface AutomaticTitles {
  /** Takes the progress of a run. Cheap to call. */
  heard(progress: Pick<RunProgress, 'key' | 'phase'>): void
  /** Stops asking; resolves when nothing is asked any more. */
  close(): Promise<void>
}

/**
 * Returns the automatic titles of a home, which follow its runs. A model is asked at most once about a conversation;
 * the outcome is kept with the titles, a failure too. A conversation whose name a person wrote is left alone.
 * Nothing here delays or fails a run.
 */
export function automaticTitles(deps: AutomaticTitlesDeps): AutomaticTitles {
  const closing = new AbortController()
  /** Asked about now, or in vain in a way that is not kept. */
  const tried = new Set<LibraryKey>()
  const pending = new Set<Promise<void>>()

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
      // The outcome is kept with the titles. The name may be that of another conversation later.
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
      const work = title(key).finally(() => pending.delete(work))
      pending.add(work)
    },
    async close() {
      closing.abort()
      await Promise.all(pending)
    },
  }
}
