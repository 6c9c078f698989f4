import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import type { AppStore } from '../app/app'
import type { CompareStore } from '../compare/compare'
import type { LibraryStore } from '../library/library'

/**
 * Compares again after a side has changed on the disk. Returns a function that stops it.
 */
export function followCompare(stores: {
  readonly app: AppStore
  readonly library: LibraryStore
  readonly compare: CompareStore
}): () => void {
  const { app, library, compare } = stores
  const ends = [
    library.subscribe((now, before) => {
      const { isOpen, points } = compare.getState()
      if (!isOpen || points === undefined || now.conversations === before.conversations) return
      for (const point of [points.left, points.right]) {
        const of = (conversations: readonly ConversationSummary[]) =>
          contentStamp(conversations.find(({ key }) => key === point?.key))
        if (point !== undefined && of(now.conversations) !== of(before.conversations))
          compare.getState().foldChanged(point.key)
      }
    }),
    app.subscribe((now, before) => {
      if (now.status?.home.path !== before.status?.home.path) compare.getState().reset()
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Another text whenever a conversation's files or its title changed; undefined where it is not listed. */
function contentStamp(summary: ConversationSummary | undefined): string | undefined {
  return summary && JSON.stringify([summary.bytes, summary.updated, summary.title, summary.gone])
}
