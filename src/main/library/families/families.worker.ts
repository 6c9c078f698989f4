import { workerData } from 'node:worker_threads'
import { blockingDisk } from '../../disk/node/blocking-disk'
import { reportChanged, serveFollowing } from '../../disk/process/following-worker'
import { unpackingDisk } from '../../disk/unpack/unpacking-disk'
import { historyDisk } from '../../readers/history-disk'
import { openFamilies } from './families'
import type { FromFamilies, ToFamilies } from './families-thread'
import type { FamilyPlaces } from './library-families'

/** The families in a thread of their own: reading every conversation must not make the window stutter. */
const families = openFamilies({
  // What families-thread.ts gives; both are built together.
  ...(workerData as FamilyPlaces),
  disk: historyDisk(unpackingDisk(blockingDisk())),
  changed: reportChanged,
})

serveFollowing<ToFamilies, FromFamilies>(async (question) => {
  switch (question.type) {
    case 'family':
      return { type: 'family', family: await families.family(question.key) }
    case 'map':
      return { type: 'map', map: await families.map(question.key) }
    case 'entries-on-map': {
      const { key, entries } = question
      return { type: 'entries-on-map', entries: await families.entriesOnMap(key, entries) }
    }
    case 'fork':
      return { type: 'fork', fork: await families.fork(question.left, question.right) }
    case 'groups':
      return { type: 'groups', groups: await families.groups() }
    case 'distinctions':
      return { type: 'distinctions', distinctions: await families.distinctions(question.key) }
    case 'settled':
      await families.settled()
      return undefined
    case 'look':
      families.look()
      return undefined
  }
})
