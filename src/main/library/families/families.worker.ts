import { parentPort, workerData } from 'node:worker_threads'
import type { FamilyAnswer } from '../../../shared/model/family/branching'
import { blockingDisk } from '../../disk/node/blocking-disk'
import { unpackingDisk } from '../../disk/unpack/unpacking-disk'
import { type FamilyPlaces, openFamilies } from './families'
import type { FromFamilies, ToFamilies } from './families-thread'

/** The families in a thread of their own: reading every conversation must not make the window stutter. */
const tell = (told: FromFamilies) => parentPort?.postMessage(told)
const families = openFamilies({
  // What families-thread.ts gives; both are built together.
  ...(workerData as FamilyPlaces),
  disk: unpackingDisk(blockingDisk()),
  changed: () => tell({ type: 'changed' }),
})

async function answerTo(
  question: Exclude<ToFamilies, { type: 'look' }>,
): Promise<FamilyAnswer | undefined> {
  if (question.type === 'family') return families.family(question.key)
  await families.settled()
  return undefined
}

async function serve(question: ToFamilies): Promise<void> {
  if (question.type === 'look') return families.look()
  const { id } = question
  try {
    tell({ type: 'answer', id, answer: await answerTo(question) })
  } catch (error) {
    tell({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) })
  }
}

parentPort?.on('message', (question: ToFamilies) => void serve(question))
