import { randomBytes } from 'node:crypto'
import { threadId } from 'node:worker_threads'
import { sleep } from '../../async/sleep'
import { type Disk, DiskError, type FileStat } from '../interface/disk'
import { isNameTaken, isNotFound, readSmallText } from '../reading/read'
import { isSameFile, linkFile, removeIfSame, removeIfThere, temporaryName } from '../writing/atomic'
import { isAlive, isDead, isSameProcess, ownStamp, type ProcessStamp } from './process-stamp'

/**
 * Work under an exclusive file takes milliseconds; an older one was left by a process that cannot be checked from here. A
 * process that is known to exist keeps its file, however long it is stopped: it goes on with its work when it wakes, and
 * cannot know that it was taken for dead.
 */
const abandonedAfterMs = 60_000

/** Tokens of claims that this thread holds. A claim of its own that is not among them is one that it could not remove. */
const atWork = new Set<string>()

/** The result of work that was done while the exclusive file was held. */
export interface ExclusiveResult<T> {
  readonly value: T
}

interface Claim {
  readonly token: string
  readonly abandoned: boolean
  /** Undefined where it was not ours. */
  readonly owner?: ProcessStamp
}

/**
 * Does some short work while it holds an exclusive file; resolves to undefined, without the work, while another
 * process holds it.
 *
 * The file names its owner, so one that a killed process left behind is cleared: by exactly one process, which holds
 * the exclusive file named after the dead owner's token and checks again under it. Nothing is synced, on purpose.
 */
export async function tryExclusive<T>(
  disk: Disk,
  target: string,
  work: () => Promise<T>,
): Promise<ExclusiveResult<T> | undefined> {
  const token = randomBytes(4).toString('hex')
  const owner = JSON.stringify({ token, owner: ownStamp(), thread: threadId })
  atWork.add(token)
  try {
    return await exclusively(disk, target, token, Buffer.from(owner), work)
  } finally {
    atWork.delete(token)
  }
}

async function exclusively<T>(
  disk: Disk,
  target: string,
  token: string,
  owner: Uint8Array,
  work: () => Promise<T>,
): Promise<ExclusiveResult<T> | undefined> {
  if ((await createExclusive(disk, target, owner, { sync: false })) === undefined) {
    await clearAbandoned(disk, target)
    return undefined
  }
  try {
    return { value: await work() }
  } finally {
    await giveBack(disk, target, token)
  }
}

/**
 * Tried twice: a disk may fail once. What is left then this thread clears before its next work there, others when it has
 * ended. Never throws, since what was done under the claim is done, and what failed there is what must be known.
 */
async function giveBack(disk: Disk, target: string, token: string): Promise<void> {
  for (let tries = 0; tries < 2; tries++)
    try {
      // A claim that was taken for abandoned is another's by now.
      return await removeClaim(disk, target, token)
    } catch {
      // The disk fails; this work is not what failed.
    }
}

/**
 * Does the work once the exclusive file is free; resolves to undefined when it does not become free within `waitMs` of a
 * clock that only goes on, which is asked once for each look.
 */
export async function whenExclusive<T>(
  disk: Disk,
  target: string,
  waitMs: number,
  work: () => Promise<T>,
  clock: () => number = () => performance.now(),
): Promise<ExclusiveResult<T> | undefined> {
  const until = clock() + waitMs
  for (;;) {
    const done = await tryExclusive(disk, target, work)
    if (done !== undefined || clock() >= until) return done
    await sleep(2 + Math.random() * 8)
  }
}

/**
 * Creates a new file with its whole content at once: a reader never sees it empty. Resolves to its identity, or to
 * undefined where the name is taken. Synced on request; the folder is not.
 *
 * It makes a hard link, which is exclusive. Where there are none it uses O_EXCL: then the file is empty for an
 * instant.
 */
export async function createExclusive(
  disk: Disk,
  target: string,
  bytes: Uint8Array,
  options: { readonly sync: boolean },
): Promise<string | undefined> {
  const temporary = temporaryName(target)
  try {
    const identity = await writeExclusive(disk, temporary, bytes, options.sync)
    await linkFile(disk, temporary, target)
    return identity
  } catch (error) {
    if (isNameTaken(error)) return undefined
    const isLinkless =
      error instanceof DiskError && (error.code === 'denied' || error.code === 'io')
    if (!isLinkless) throw error
  } finally {
    // Whether the file was made is decided; every reader ignores a temporary one that is left.
    await removeIfThere(disk, temporary).catch(() => undefined)
  }
  try {
    return await writeExclusive(disk, target, bytes, options.sync)
  } catch (error) {
    if (isNameTaken(error)) return undefined
    throw error
  }
}

async function writeExclusive(
  disk: Disk,
  target: string,
  bytes: Uint8Array,
  sync: boolean,
): Promise<string> {
  const file = await disk.open(target, 'create-new')
  let made: FileStat | undefined
  try {
    made = await file.stat()
    if ((await file.write(bytes)) < bytes.length)
      throw new DiskError('no-space', target, `${target} takes no more bytes`)
    if (sync) await file.sync()
    return made.identity
  } catch (error) {
    // Half a claim would hold everybody up until it is old.
    await removeIfSame(disk, target, async (at) => isSameFile(made, await disk.stat(at))).catch(
      () => undefined,
    )
    throw error
  } finally {
    await file.close()
  }
}

async function clearAbandoned(disk: Disk, target: string): Promise<void> {
  const seen = await readClaim(disk, target)
  if (!seen?.abandoned) return
  await tryExclusive(disk, `${target}.${seen.token}`, async () => {
    await removeClaim(disk, target, seen.token)
  })
}

/** Reads who holds an exclusive file; undefined where nobody does or the file does not name its owner. */
export async function exclusiveOwner(
  disk: Disk,
  target: string,
): Promise<ProcessStamp | undefined> {
  return (await readClaim(disk, target))?.owner
}

/** A claim as it is written; another program may have put anything there. */
interface Written {
  readonly token: unknown
  readonly owner: ProcessStamp
  readonly thread: unknown
}

function isAbandoned(token: string, owner: ProcessStamp, thread: unknown, isOld: boolean): boolean {
  if (isSameProcess(owner, ownStamp())) return thread === threadId ? !atWork.has(token) : isOld
  return isDead(owner) || (isOld && !isAlive(owner))
}

async function removeClaim(disk: Disk, target: string, token: string): Promise<void> {
  await removeIfSame(disk, target, async (at) => (await readClaim(disk, at))?.token === token)
}

async function readClaim(disk: Disk, target: string): Promise<Claim | undefined> {
  const text = await readSmallText(disk, target)
  const stat = text === undefined ? undefined : await disk.stat(target)
  if (text === undefined || stat === undefined) return undefined
  const old = Date.now() - stat.mtimeMs > abandonedAfterMs
  try {
    const { token, owner, thread } = JSON.parse(text) as Written
    if (typeof token === 'string' && /^[0-9a-f]{8}$/.test(token))
      return { token, owner, abandoned: isAbandoned(token, owner, thread, old) }
  } catch (error) {
    if (isNotFound(error)) return undefined
    // Not ours, or lost in a power failure: then only its age decides.
  }
  return { token: stat.identity.replace(/\D+/g, '-'), abandoned: old }
}
