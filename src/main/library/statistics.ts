/** Statistics over all conversations, found out in a thread of its own. */
export type { LibraryStatistics } from './statistics/library-statistics'
export { openStatistics } from './statistics/statistics-book'
export { threadStatistics } from './statistics/statistics-thread'
