import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { AppError } from '../../shared/model/errors'
import { moveToFree, removeIfThere, replaceFile, temporaryName, writeNewFile } from '../disk/atomic'
import type { Disk, DiskFile } from '../disk/disk'
import { createExclusive, tryExclusive, whenExclusive } from '../disk/exclusive'
import { readExactly } from '../disk/lines'
import { isDead, isSameProcess, ownStamp, type ProcessStamp } from '../disk/process-stamp'
import { isNotFound, isTaken, readSmallText } from '../disk/read'

/** What chibi beats with, unless its config.toml says otherwise. */
export const defaultHeartbeatSeconds = 30

/** A lock that nobody of ours has claimed within this time of its last write is somebody else's. */
const claimGraceMs = 2000
/** A releasing Skein takes its side file away before the lock: what looks like somebody else's is looked at again. */
const lookAgainAfterMs = 150
const gateWaitMs = 2000

/** One content of the lock file; a heartbeat makes another. */
interface LockVersion {
  readonly identity: string
  /** Unix seconds. */
  readonly value: number
}

const SideFile = z.object({
  token: z.string(),
  owner: z.object({
    host: z.string(),
    pid: z.number(),
    startTime: z.string().optional(),
    boot: z.string().optional(),
    namespace: z.string().optional(),
  }),
  /** The lock contents that are this owner's: the one that stands, and the one about to. */
  locks: z.array(z.object({ identity: z.string(), value: z.number() })),
})

/** What is seen of a context's lock. */
export type LockSight =
  | { readonly type: 'free' }
  | { readonly type: 'stale'; readonly seen: LockVersion }
  | {
      readonly type: 'held'
      readonly seen: LockVersion
      /** Undefined: a lock without our side file; fresh ones may be a Skein's that is just taking it. */
      readonly owner: ProcessStamp | undefined
      readonly isFresh: boolean
      readonly beatAt: number
      readonly staleAt: number
    }

interface LockPaths {
  readonly lock: string
  /** Says who we are: chibi's lock holds a time alone. */
  readonly side: string
  /** The second exclusive file: held while a lock is beaten, released or taken over. */
  readonly gate: string
}

export interface LockOptions {
  readonly disk: Disk
  readonly folder: string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly heartbeatSeconds: number
}

/** Looks at a lock without touching anything. */
export async function lookAtLock(options: LockOptions): Promise<LockSight> {
  const { disk, now, heartbeatSeconds } = options
  const paths = lockPaths(options.folder)
  const found = await readLock(disk, paths.lock)
  if (found === undefined) return { type: 'free' }
  const limit = Math.floor(heartbeatSeconds * 1.5)
  const ageMs = Date.now() - found.mtimeMs
  // chibi creates the file, then writes it: in between it is empty, and only its age tells that nobody will.
  const beatAt = found.text === '' ? Math.floor(found.mtimeMs / 1000) : found.value
  const seen = { identity: found.identity, value: found.value }
  if (!Number.isSafeInteger(beatAt) || Math.floor(now() / 1000) - beatAt > limit)
    return { type: 'stale', seen }
  const side = await readSide(disk, paths.side)
  const owner = side?.locks.some((version) => isSameVersion(version, seen)) ? side.owner : undefined
  if (owner !== undefined && isDead(owner)) return { type: 'stale', seen }
  return {
    type: 'held',
    seen,
    owner,
    isFresh: ageMs < claimGraceMs,
    beatAt,
    staleAt: beatAt + limit + 1,
  }
}

/** A lock's holder in words. */
export function holderWords(owner: ProcessStamp | undefined): string {
  if (owner === undefined) return 'chibi'
  const own = ownStamp()
  if (isSameProcess(owner, own)) return 'this Skein'
  const where = owner.host === own.host ? '' : ` on ${owner.host}`
  return `another Skein${where} (process ${owner.pid})`
}

/**
 * Takes a context's lock; a stale one is taken over.
 *
 * Waits up to `waitMs` for another Skein, not for anything else.
 *
 * @throws AppError `locked`, `cancelled`; DiskError
 */
export async function takeLock(
  options: LockOptions & { readonly waitMs: number; readonly signal?: AbortSignal | undefined },
): Promise<ContextLock> {
  const until = performance.now() + options.waitMs
  let foreign: { readonly seen: LockVersion; readonly sinceMs: number } | undefined
  for (;;) {
    if (options.signal?.aborted) throw new AppError('cancelled', 'Cancelled.')
    const sight = await lookAtLock(options)
    const taken = sight.type === 'held' ? undefined : await tryTake(options, sight)
    if (taken !== undefined) return taken
    if (sight.type === 'held' && sight.owner === undefined && !sight.isFresh) {
      if (foreign === undefined || !isSameVersion(foreign.seen, sight.seen))
        foreign = { seen: sight.seen, sinceMs: performance.now() }
      if (performance.now() - foreign.sinceMs > lookAgainAfterMs)
        throw lockedError(options.folder, sight.owner)
    }
    if (sight.type === 'held' && performance.now() >= until)
      throw lockedError(options.folder, sight.owner)
    if (performance.now() >= until + gateWaitMs)
      throw new AppError(
        'locked',
        `${path.basename(options.folder)} is being taken by another Skein.`,
      )
    await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20))
  }
}

/** A context's lock, held: beats until it is released or lost. */
export class ContextLock {
  private readonly options: LockOptions
  private readonly paths: LockPaths
  private readonly token: string
  private readonly losing = new AbortController()
  private readonly timer: NodeJS.Timeout
  private version: LockVersion
  /** Of the lock file as we wrote it; undefined until the first look. Identities are given to new files at once. */
  private mtimeMs: number | undefined
  private beatWallMs: number
  private beatMonotonicMs: number
  private beating: Promise<void> | undefined
  private released = false

  constructor(options: LockOptions, token: string, version: LockVersion) {
    this.options = options
    this.paths = lockPaths(options.folder)
    this.token = token
    this.version = version
    this.beatWallMs = options.now()
    this.beatMonotonicMs = performance.now()
    this.timer = setInterval(() => void this.beat(), options.heartbeatSeconds * 1000)
    this.timer.unref()
  }

  /** Aborts when the lock is no longer ours. */
  get lost(): AbortSignal {
    return this.losing.signal
  }

  /**
   * Makes sure, right before a write, that the lock is still ours: by its identity, and after a gap (a suspend, a
   * stalled process, a clock that was set) by a heartbeat.
   *
   * @throws AppError `lock-lost`
   */
  async check(): Promise<void> {
    // A beat of ours may just have replaced it; another beat decides, under the gate.
    if (this.isLate() || !(await this.seemsOurs())) await this.beat()
    if (this.lost.aborted || this.isLate())
      throw new AppError('lock-lost', 'Another process has taken over this context.')
  }

  /** Rewrites the lock, when it is still ours. Never throws: a beat that fails is tried again, until it would be stale. */
  async beat(): Promise<void> {
    this.beating ??= this.beatOnce().finally(() => {
      this.beating = undefined
    })
    await this.beating
  }

  /** Gives the lock back, when it is still ours. Idempotent. */
  async release(): Promise<void> {
    if (this.released) return
    this.released = true
    clearInterval(this.timer)
    await this.beating
    if (this.lost.aborted) return
    const { disk } = this.options
    const remove = async () => {
      if (!(await this.isOurs())) return
      // The side file first: a lock without one is merely somebody's, one with a stale side file would be taken over.
      await removeIfThere(disk, this.paths.side)
      await removeIfThere(disk, this.paths.lock)
    }
    const done = await whenExclusive(disk, this.paths.gate, gateWaitMs, remove)
    if (done === undefined) await remove()
  }

  private async beatOnce(): Promise<void> {
    if (this.lost.aborted || this.released) return
    try {
      const { disk } = this.options
      const done = await whenExclusive(disk, this.paths.gate, gateWaitMs, async () => {
        if (!(await this.isOurs())) return this.lose()
        await this.rewrite()
      })
      if (done === undefined && this.isLate()) this.lose()
    } catch {
      // A full or failing disk: others may take the lock once it is stale, so from then on it is not ours.
      if (this.isLate()) this.lose()
    }
  }

  private async rewrite(): Promise<void> {
    const { disk, now } = this.options
    const wallMs = now()
    const monotonicMs = performance.now()
    const temporary = temporaryName(this.paths.lock)
    const next = await writeVersion(disk, temporary, Math.floor(wallMs / 1000))
    try {
      // Both are claimed before the rename, so that the lock is never without a name.
      await writeSide(disk, this.paths, this.token, [this.version, next])
      await disk.rename(temporary, this.paths.lock)
    } catch (error) {
      await removeIfThere(disk, temporary)
      throw error
    }
    this.version = next
    this.mtimeMs = undefined
    this.beatWallMs = wallMs
    this.beatMonotonicMs = monotonicMs
  }

  private async isOurs(): Promise<boolean> {
    const found = await readLock(this.options.disk, this.paths.lock)
    if (found === undefined || !isSameVersion(found, this.version)) return false
    this.mtimeMs = found.mtimeMs
    return true
  }

  /** Cheap, for each append: one look at the name, no content. */
  private async seemsOurs(): Promise<boolean> {
    if (this.mtimeMs === undefined) return this.isOurs()
    const stat = await this.options.disk.stat(this.paths.lock)
    return stat?.identity === this.version.identity && stat.mtimeMs === this.mtimeMs
  }

  /** Whether others may take the lock for stale, by the wall clock or, if that was set back, by the other one. */
  private isLate(): boolean {
    const wallMs = this.options.now() - this.beatWallMs
    const monotonicMs = performance.now() - this.beatMonotonicMs
    const limitMs = Math.floor(this.options.heartbeatSeconds * 1.5) * 1000
    return wallMs > limitMs || wallMs < -1000 || monotonicMs > limitMs
  }

  private lose(): void {
    clearInterval(this.timer)
    this.losing.abort()
  }
}

async function tryTake(
  options: LockOptions,
  sight: { readonly type: 'free' } | { readonly type: 'stale' },
): Promise<ContextLock | undefined> {
  const { disk } = options
  const paths = lockPaths(options.folder)
  const version =
    sight.type === 'free'
      ? await create(options, paths)
      : (await tryExclusive(disk, paths.gate, () => takeOver(options, paths)))?.value
  if (version === undefined) return undefined
  const token = randomBytes(8).toString('hex')
  try {
    await writeSide(disk, paths, token, [version])
  } catch (error) {
    await removeIfThere(disk, paths.lock)
    throw error
  }
  return new ContextLock(options, token, version)
}

/** Under the gate: looks again, moves the stale lock aside, and creates ours. */
async function takeOver(options: LockOptions, paths: LockPaths): Promise<LockVersion | undefined> {
  const { disk } = options
  const sight = await lookAtLock(options)
  if (sight.type === 'held') return undefined
  if (sight.type === 'stale') {
    // Its name goes before the lock: the next lock may get the same inode in the same second, and would look dead.
    await removeIfThere(disk, paths.side)
    // Renamed, not unlinked: what is moved can be looked at. chibi takes no gate, so it may have been quicker.
    const aside = temporaryName(paths.lock)
    try {
      await disk.rename(paths.lock, aside)
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
    const moved = await readLock(disk, aside)
    const wasAnother = moved !== undefined && !isSameVersion(moved, sight.seen)
    if (wasAnother) await putBack(disk, aside, paths.lock)
    await removeIfThere(disk, aside)
    if (wasAnother) return undefined
  }
  return create(options, paths)
}

async function create(options: LockOptions, paths: LockPaths): Promise<LockVersion | undefined> {
  const value = Math.floor(options.now() / 1000)
  const bytes = Buffer.from(String(value))
  const identity = await createExclusive(options.disk, paths.lock, bytes, { sync: true })
  return identity === undefined ? undefined : { identity, value }
}

async function putBack(disk: Disk, aside: string, lock: string): Promise<void> {
  try {
    await moveToFree(disk, aside, lock)
  } catch (error) {
    // Somebody has taken the free name: the lock that was moved is lost to them, and its holder will notice.
    if (!isTaken(error)) throw error
  }
}

async function writeVersion(disk: Disk, target: string, value: number): Promise<LockVersion> {
  await writeNewFile(disk, target, Buffer.from(String(value)))
  const stat = await disk.stat(target)
  return { identity: stat?.identity ?? '', value }
}

async function writeSide(
  disk: Disk,
  paths: LockPaths,
  token: string,
  locks: readonly LockVersion[],
): Promise<void> {
  const side = { token, owner: ownStamp(), locks }
  // Not durable, as the lock need not be: after a power failure nobody holds it.
  await replaceFile(disk, paths.side, Buffer.from(JSON.stringify(side)), { durable: false })
}

async function readLock(disk: Disk, lock: string) {
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
    return undefined // Half gone in a power failure: then only the lock's age tells.
  }
}

function isSameVersion(a: LockVersion, b: LockVersion): boolean {
  return a.identity === b.identity && Object.is(a.value, b.value)
}

function lockPaths(folder: string): LockPaths {
  const at = (name: string) => path.join(folder, name)
  return { lock: at('.lock'), side: at('.lock.skein'), gate: at('.lock.skein-gate') }
}

function lockedError(folder: string, owner: ProcessStamp | undefined): AppError {
  const words = holderWords(owner)
  return new AppError('locked', `${path.basename(folder)} is in use by ${words}.`, {
    detail: words,
  })
}
