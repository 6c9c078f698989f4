import { randomUUID } from 'node:crypto'
import type { Disk } from '../../disk/interface/disk'
import { whenExclusive } from '../../disk/process/exclusive'
import { isDead, ownStamp, type ProcessStamp } from '../../disk/process/process-stamp'
import { readSmallText } from '../../disk/reading/read'
import { removeIfSame, replaceFile } from '../../disk/writing/atomic'

const beatMs = 15_000
/** An owner that was suspended comes back to find that it is not alone: that costs work, and nothing else. */
const staleAfterMs = 4 * beatMs
const waitMs = 2_000

/** The right to build, held by one process at a time. */
export interface BuildLease {
  release(): Promise<void>
}

/**
 * Takes the lease that a file names; resolves to undefined while another process holds it.
 *
 * It only saves work: two builders would do the same work twice, and both results would be correct.
 */
export async function acquireBuildLease(disk: Disk, file: string): Promise<BuildLease | undefined> {
  const token = randomUUID()
  const write = () =>
    replaceFile(
      disk,
      file,
      Buffer.from(JSON.stringify({ token, beat: Date.now(), owner: ownStamp() })),
    )
  const exclusively = <T>(work: () => Promise<T>) =>
    whenExclusive(disk, `${file}.lock`, waitMs, work)
  const taken = await exclusively(async () => {
    const held = await readLease(disk, file)
    if (held !== undefined && !isDead(held.owner) && Date.now() - held.beat < staleAfterMs)
      return false
    await write()
    return true
  })
  if (taken?.value !== true) return undefined
  const timer = setInterval(() => {
    // A beat that fails is made good by the next one.
    void exclusively(async () => {
      if ((await readLease(disk, file))?.token === token) await write()
    }).catch(() => undefined)
  }, beatMs)
  timer.unref()
  return {
    async release() {
      clearInterval(timer)
      const remove = () =>
        removeIfSame(disk, file, async (at) => (await readLease(disk, at))?.token === token)
      // On a full disk without the exclusive file, which takes space. What is built is built: a lease that is left is free
      // when it is stale.
      await exclusively(remove).catch(() => remove().catch(() => undefined))
    },
  }
}

interface HeldLease {
  readonly token: string
  readonly beat: number
  readonly owner: ProcessStamp
}

async function readLease(disk: Disk, file: string): Promise<HeldLease | undefined> {
  const text = await readSmallText(disk, file)
  if (text === undefined) return undefined
  try {
    const lease = JSON.parse(text) as HeldLease
    return typeof lease.beat === 'number' && typeof lease.owner === 'object' ? lease : undefined
  } catch {
    return undefined // Nobody can hold what nobody can read.
  }
}
