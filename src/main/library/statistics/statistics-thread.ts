import type {
  MarkedConversations,
  MarkQuestion,
  StatisticsAnswer,
  StatisticsQuestion,
} from '../../../shared/model/statistics/answer'
import { FollowingWorker } from '../../disk/process/following-worker'
import type { LibraryStatistics, StatisticsPlaces } from './library-statistics'

/** A question to the statistics worker. */
export type ToStatistics =
  | { readonly type: 'read'; readonly question: StatisticsQuestion }
  | { readonly type: 'conversations'; readonly question: MarkQuestion }
  | { readonly type: 'settled' }
  | { readonly type: 'look' }

/** An answer of the statistics worker, to the question of its type. */
export type FromStatistics =
  | { readonly type: 'read'; readonly answer: StatisticsAnswer }
  | { readonly type: 'conversations'; readonly found: MarkedConversations }
  | { readonly type: 'settled' | 'look' }

/**
 * Creates statistics in a worker thread, which starts with the first question, and again after it died. It keeps no
 * process alive.
 *
 * @param workerPath the built `statistics.worker.cjs`
 */
export function threadStatistics(
  workerPath: string,
  { home, roots, cacheFolder }: StatisticsPlaces,
  changed: () => void,
): LibraryStatistics {
  const worker = new FollowingWorker<ToStatistics, FromStatistics>(
    workerPath,
    { home, roots, cacheFolder },
    changed,
  )
  return {
    async read(question) {
      const given = await worker.ask({ type: 'read', question })
      if (given.type !== 'read') throw anotherAnswer()
      return given.answer
    },
    async conversations(question) {
      const given = await worker.ask({ type: 'conversations', question })
      if (given.type !== 'conversations') throw anotherAnswer()
      return given.found
    },
    look: () => worker.tell({ type: 'look' }),
    async settled() {
      await worker.ask({ type: 'settled' })
    },
    close: () => worker.close(),
  }
}

function anotherAnswer(): Error {
  return new Error('the statistics thread answered another question')
}
