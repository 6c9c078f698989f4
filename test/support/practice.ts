import { launchPractice, type Practice } from '../../src/main/practice/launch'
import { bundle } from './bundles'

/** Starts the practice model in its worker, without pauses between words. */
export async function startPracticeForTests(): Promise<Practice> {
  const workerPath = await bundle('src/main/practice/practice.worker.ts')
  return launchPractice(workerPath, { wordsPerSecond: Number.POSITIVE_INFINITY })
}
