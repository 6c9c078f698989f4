import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { AppError } from '../../shared/model/errors'
import { moveToFree, removeIfThere, renameFile, temporaryName, writeNewFile } from '../disk/atomic'
import type { Disk } from '../disk/disk'
import { createExclusive, tryExclusive, whenExclusive } from '../disk/exclusive'
import type { ProcessStamp } from '../disk/process-stamp'
import { isNotFound, isTaken } from '../disk/read'
import {
  holderWords,
  isSameVersion,
  type LockOptions,
  type LockPaths,
  type LockVersion,
  lockPaths,
  lookAtLock,
  readLock,
  writeSide,
} from './lock-files'

/** A releasing Skein takes its side file away before the lock: what looks like somebody else's is looked at again. */
const lookAgainAfterMs = 150
/** What is done under the gate takes milliseconds; so long it is waited for. */
const gateWaitMs = 2000

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

/**
 * In a burst of appends the lock's file is looked at once in this time: others may take it only when it was not beaten
 * for 45 seconds, and that is asked before each append.
 */
const looksOursForMs = 20

/** A context's lock, held: beats until it is released or lost. */
export class ContextLock {
  private readonly options: LockOptions
  private paths: LockPaths
  private readonly token: string
  private readonly losing = new AbortController()
  private readonly timer: NodeJS.Timeout
  private version: LockVersion
  /** Of the lock file as we wrote it; undefined until the first look. Identities are given to new files at once. */
  private mtimeMs: number | undefined
  private beatWallMs: number
  private beatMonotonicMs: number
  private seenOursMs = Number.NEGATIVE_INFINITY
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
    if (!this.isLate() && performance.now() - this.seenOursMs < looksOursForMs) return
    // A beat of ours may just have replaced it; another beat decides, under the gate.
    if (this.isLate() || !(await this.seemsOurs())) await this.beat()
    else this.seenOursMs = performance.now()
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

  /**
   * Has the context's folder moved, with the lock in it, while no beat is on its way: `folder` is where it lies then.
   * Where the move fails, the lock is held where it was. @throws AppError `lock-lost`, and what the move throws
   */
  async moveWith(folder: string, move: () => Promise<void>): Promise<void> {
    await this.beating
    await this.check()
    const moving = move()
    // A beat that is due meanwhile waits for it; in milliseconds nothing grows stale.
    this.beating = moving
      .catch(() => undefined)
      .finally(() => {
        this.beating = undefined
      })
    await moving
    this.paths = lockPaths(folder)
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
      await renameFile(disk, temporary, this.paths.lock)
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
    const stat = this.options.disk.statNow(this.paths.lock)
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
      await renameFile(disk, paths.lock, aside)
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

function lockedError(folder: string, owner: ProcessStamp | undefined): AppError {
  const words = holderWords(owner)
  return new AppError('locked', `${path.basename(folder)} is in use by ${words}.`, {
    detail: words,
  })
}
