import path from 'node:path'
import { sleep } from '../../async/sleep'
import type { Disk } from '../../disk/interface/disk'
import { tryExclusive } from '../../disk/process/exclusive'
import { makeDurableFolder } from '../../disk/writing/durable-folder'

/** Pause before another look at a folder into which another Skein copies. */
const pauseMs = 100

/**
 * Does work in the folder of imports while no other Skein copies into it, and waits for one that does: two that copy one file go on in one
 * part. A process that was killed holds nobody up.
 *
 * @throws DiskError; what the work throws; the signal's reason
 */
export async function whileAlone<T>(
  disk: Disk,
  folder: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  await makeDurableFolder(disk, path.dirname(folder))
  for (;;) {
    signal.throwIfAborted()
    const done = await tryExclusive(disk, `${folder}.writing`, work)
    if (done !== undefined) return done.value
    await sleep(pauseMs, signal)
  }
}
