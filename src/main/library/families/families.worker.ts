import { workerData } from 'node:worker_threads'
import { blockingDisk } from '../../disk/node/blocking-disk'
import { reportChanged, serveFollowing } from '../../disk/process/following-worker'
import { unpackingDisk } from '../../disk/unpack/unpacking-disk'
import { historyDisk } from '../../readers/history-disk'
import { type FamilyPlaces, openFamilies } from './families'
import type { FromFamilies, ToFamilies } from './families-thread'

/** The families in a thread of their own: reading every conversation must not make the window stutter. */
const families = openFamilies({
  // What families-thread.ts gives; both are built together.
  ...(workerData as FamilyPlaces),
  disk: historyDisk(unpackingDisk(blockingDisk())),
  changed: reportChanged,
})

serveFollowing<ToFamilies, FromFamilies>(async (question) => {
  const { type } = question
  if (type === 'family') return { type, family: await families.family(question.key) }
  if (type === 'map') return { type, map: await families.map(question.key) }
  if (type === 'settled') await families.settled()
  else families.look()
  return undefined
})
