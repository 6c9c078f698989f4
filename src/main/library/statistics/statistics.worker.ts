import { workerData } from 'node:worker_threads'
import { blockingDisk } from '../../disk/node/blocking-disk'
import { reportChanged, serveFollowing } from '../../disk/process/following-worker'
import { unpackingDisk } from '../../disk/unpack/unpacking-disk'
import { historyDisk } from '../../readers/history-disk'
import type { StatisticsPlaces } from './library-statistics'
import { openStatistics } from './statistics-book'
import type { FromStatistics, ToStatistics } from './statistics-thread'

/** The statistics in a thread of their own: reading every conversation must not make the window stutter. */
const statistics = openStatistics({
  // What statistics-thread.ts gives; both are built together.
  ...(workerData as StatisticsPlaces),
  disk: historyDisk(unpackingDisk(blockingDisk())),
  changed: reportChanged,
})

serveFollowing<ToStatistics, FromStatistics>(async (question) => {
  switch (question.type) {
    case 'read':
      return { type: 'read', answer: await statistics.read(question.question) }
    case 'conversations':
      return { type: 'conversations', found: await statistics.conversations(question.question) }
    case 'settled':
      await statistics.settled()
      return { type: 'settled' }
    case 'look':
      statistics.look()
      return { type: 'look' }
  }
})
