import path from 'node:path'
import { threadId } from 'node:worker_threads'
import { z } from 'zod'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import {
  isDead,
  isSameProcess,
  ownStamp,
  type ProcessStamp,
} from '../../disk/process/process-stamp'
import { readExactly } from '../../disk/reading/lines'
import { isLinkCircle, isNotFound, readSmallText } from '../../disk/reading/read'
import { replaceFile } from '../../disk/writing/atomic'

/** The interval of chibi's heartbeat by default, in seconds. */
export const defaultHeartbeatSeconds = 30

/** A lock without a claim of ours within this time of its last write is another program's. */
const claimGraceMs = 2000

/** One content of the lock file; each heartbeat writes another. */
export interface LockVersion {
  readonly identity: string
  /** Unix seconds. */
  readonly value: number
}

/**
 * The tokens of the locks that this thread holds. A lock of its own with another token is one that it could not
 * release: nothing is written under it.
 */
export const heldTokens = new Set<string>()

const SideFile = z.object({
  token: z.string(),
  /** Of the process; files of older versions have none. */
  thread: z.number().optional(),
  owner: z.object({
    host: z.string(),
    pid: z.number(),
    startTime: z.string().optional(),
    boot: z.string().optional(),
    namespace: z.string().optional(),
  }),
  /** The lock contents that are this owner's: the present one and the next one. */
  locks: z.array(z.object({ identity: z.string(), value: z.number() })),
})

/** A thing that has the lock's name and cannot be a lock. */
export type LockBlock = 'a folder' | 'not a file' | 'a link that leads nowhere'

/** The state of a context's lock at a check. */
export type LockInspection =
  | { readonly type: 'free' }
  | {
      /** Something that is no file has the lock's name: it is no lock, and none can be taken. */
      readonly type: 'blocked'
      readonly by: LockBlock
    }
  | {
      readonly type: 'stale'
      readonly seen: LockVersion
      /** Its holder may be stopped, and continue when it wakes: only the time has passed. */
      readonly mayWake: boolean
    }
  | {
      readonly type: 'held'
      readonly seen: LockVersion
      /** Undefined: a lock without our side file; fresh ones may be a Skein's that is just taking it. */
      readonly owner: ProcessStamp | undefined
      readonly isFresh: boolean
      /** Its time lies so far ahead that no heartbeat can have written it by this clock, and its file is young. */
      readonly isAhead: boolean
      readonly beatAt: number
      readonly staleAt: number
    }

/** Paths of the files of a context's lock. */
export interface LockPaths {
  readonly lock: string
  /** Names the owner: chibi's lock holds only a time. */
  readonly side: string
  /** The second exclusive file: held while a lock is beaten, released or taken over. */
  readonly gate: string
}

/** The folder of a lock, and the clock and heartbeat that decide when it is stale. */
export interface LockOptions {
  readonly disk: Disk
  /** The context's. */
  readonly folder: string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly heartbeatSeconds: number
  /** Milliseconds of a clock that only goes on, by which the wait for the gate ends; the machine's by default. */
  readonly gateClock?: (() => number) | undefined
}

/** Reads the state of a lock and changes nothing. */
export async function inspectLock(options: LockOptions): Promise<LockInspection> {
  const { disk, now, heartbeatSeconds } = options
  const paths = lockPaths(options.folder)
  let found: Awaited<ReturnType<typeof readLock>>
  try {
    found = await readLock(disk, paths.lock)
  } catch (error) {
    const by = await blockOf(disk, paths.lock, error)
    if (by === undefined) throw error
    return { type: 'blocked', by }
  }
  if (found === undefined) return { type: 'free' }
  const limit = Math.floor(heartbeatSeconds * 1.5)
  const ageMs = Date.now() - found.mtimeMs
  // chibi creates the file, then writes it: in between it is empty, and only its age tells that nobody will.
  const beatAt = found.text === '' ? Math.floor(found.mtimeMs / 1000) : found.value
  const seen = { identity: found.identity, value: found.value }
  const ageSeconds = Math.floor(now() / 1000) - beatAt
  const side = await readSide(disk, paths.side)
  const claim = side?.locks.some((version) => isSameVersion(version, seen)) ? side : undefined
  const owner = claim?.owner
  const mayWake = claim === undefined || !(isDead(claim.owner) || isLeftHere(claim))
  if (!Number.isSafeInteger(beatAt) || ageSeconds > limit) return { type: 'stale', seen, mayWake }
  // Written before the clock was set back: a living holder writes the file again within a heartbeat.
  const isAhead = ageSeconds < -limit
  if (isAhead && ageMs > limit * 1000) return { type: 'stale', seen, mayWake }
  if (!mayWake) return { type: 'stale', seen, mayWake }
  return {
    type: 'held',
    seen,
    owner,
    isFresh: ageMs < claimGraceMs,
    isAhead,
    beatAt,
    staleAt: beatAt + limit + 1,
  }
}

async function blockOf(disk: Disk, lock: string, error: unknown): Promise<LockBlock | undefined> {
  const kind = await disk.stat(lock).then(
    (stat) => stat?.kind,
    () => undefined,
  )
  if (kind === 'directory') return 'a folder'
  if (kind === 'other') return 'not a file'
  return isLinkCircle(error) ? 'a link that leads nowhere' : undefined
}

/** Whether this very thread has held a lock, and could not give it back. */
function isLeftHere({ token, thread, owner }: z.infer<typeof SideFile>): boolean {
  return thread === threadId && !heldTokens.has(token) && isSameProcess(owner, ownStamp())
}

/** Describes the holder of a lock, for people. */
export function describeHolder(owner: ProcessStamp | undefined): string {
  if (owner === undefined) return 'chibi'
  const own = ownStamp()
  if (isSameProcess(owner, own)) return 'this Skein'
  const where = owner.host === own.host ? '' : ` on ${owner.host}`
  return `another Skein${where} (process ${owner.pid})`
}

/** Writes the side file: the given locks are this process's, the present one and the next one. */
export async function writeLockOwners(
  disk: Disk,
  paths: LockPaths,
  token: string,
  locks: readonly LockVersion[],
): Promise<void> {
  const side = { token, owner: ownStamp(), thread: threadId, locks }
  // Not durable, as the lock need not be: after a power failure nobody holds it.
  await replaceFile(disk, paths.side, Buffer.from(JSON.stringify(side)), { durable: false })
}

/** Reads the lock file; undefined where there is none. `value` is NaN where it holds no time. */
export async function readLock(disk: Disk, lock: string) {
  let file: DiskFile
  try {
    file = await disk.open(lock, 'read')
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
  try {
    // Through one handle: a heartbeat may replace the file between a stat and a read of the name.
    const stat = await file.stat()
    const text = Buffer.from(await readExactly(file, 0, 64)).toString('latin1')
    const value = /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : Number.NaN
    return { identity: stat.identity, mtimeMs: stat.mtimeMs, text, value }
  } finally {
    await file.close()
  }
}

async function readSide(disk: Disk, side: string) {
  const text = await readSmallText(disk, side)
  if (text === undefined) return undefined
  try {
    return SideFile.safeParse(JSON.parse(text)).data
  } catch {
    return undefined // Half gone in a power failure: then only the lock's age decides.
  }
}

/** Returns true where both are one content of one lock file. */
export function isSameVersion(a: LockVersion, b: LockVersion): boolean {
  return a.identity === b.identity && Object.is(a.value, b.value)
}

/** Returns the paths of a context's lock. */
export function lockPaths(folder: string): LockPaths {
  const at = (name: string) => path.join(folder, name)
  return { lock: at('.lock'), side: at('.lock.skein'), gate: at('.lock.skein-gate') }
}
