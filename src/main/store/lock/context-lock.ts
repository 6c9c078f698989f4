import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { sleep } from '../../async/sleep'
import { exclusiveOwner, tryExclusive, whenExclusive } from '../../disk/process/exclusive'
import type { ProcessStamp } from '../../disk/process/process-stamp'
import { putBack, removeIfThere, renameFile, temporaryName } from '../../disk/writing/atomic'
import { acquireLockFile, isDanglingLock, type TakenLock, writeLockVersion } from './acquire-lock'
import {
  describeHolder,
  heldTokens,
  inspectLock,
  isSameVersion,
  type LockBlock,
  type LockOptions,
  type LockPaths,
  type LockVersion,
  lockPaths,
  readLock,
  writeLockOwners,
} from './lock-files'

/** The lock and its side file are read one after the other, and may change in between: a lock of unknown owner is checked again. */
const checkAgainAfterMs = 150
/** Longest wait for the gate: work under it takes milliseconds. */
const gateWaitMs = 2000

/**
 * Takes a context's lock, also one that is stale.
 *
 * Waits up to `waitMs` for another Skein, not for any other holder.
 *
 * @throws AppError `locked`, `read-only` where something that is no file has the lock's name, `cancelled`; DiskError
 */
export async function acquireContextLock(
  options: LockOptions & { readonly waitMs: number; readonly signal?: AbortSignal | undefined },
): Promise<ContextLock> {
  const until = performance.now() + options.waitMs
  const gateClock = gateClockOf(options)
  const gateUntil = gateClock() + options.waitMs + gateWaitMs
  /** How many times in a row. */
  let dangling = 0
  let foreign: { readonly seen: LockVersion; readonly sinceMs: number } | undefined
  for (;;) {
    if (options.signal?.aborted) throw new AppError('cancelled', 'Cancelled.')
    const inspection = await inspectLock(options)
    if (inspection.type === 'blocked') throw blockedError(options.folder, inspection.by)
    const taken = inspection.type === 'held' ? undefined : await tryTake(options)
    if (taken !== undefined) return taken
    if (inspection.type === 'free' && (await isDanglingLock(options.disk, options.folder))) {
      if (dangling > 2) throw blockedError(options.folder, 'a link that leads nowhere')
      dangling += 1
    } else dangling = 0
    if (inspection.type === 'held' && inspection.owner === undefined && !inspection.isFresh) {
      if (foreign === undefined || !isSameVersion(foreign.seen, inspection.seen))
        foreign = { seen: inspection.seen, sinceMs: performance.now() }
      if (performance.now() - foreign.sinceMs > checkAgainAfterMs)
        throw lockedError(options.folder, inspection)
    }
    if (inspection.type === 'held' && performance.now() >= until)
      throw lockedError(options.folder, inspection)
    if (gateClock() >= gateUntil) throw await gateError(options)
    await sleep(5 + Math.random() * 20)
  }
}

/**
 * In a burst of appends the lock's file is checked once in this time: others may take it only when it was not beaten
 * for 45 seconds, and that is asked before each append.
 */
const trustedForMs = 20

/** A context's lock that this process holds; it beats until it is released or lost. */
export class ContextLock {
  /** It was taken from a process that may be stopped in the middle of a write, and end it when it wakes. */
  readonly fromSleeper: boolean
  private readonly options: LockOptions
  private paths: LockPaths
  private readonly token: string
  private readonly losing = new AbortController()
  private readonly timer: NodeJS.Timeout
  private version: LockVersion
  /** Of the lock file as we wrote it; undefined until the first check. Identities are given to new files at once. */
  private mtimeMs: number | undefined
  private beatWallMs: number
  private beatMonotonicMs: number
  private seenOursMs = Number.NEGATIVE_INFINITY
  private beating: Promise<void> | undefined
  private released = false

  constructor(options: LockOptions, { token, version, fromSleeper }: TakenLock) {
    this.options = options
    this.fromSleeper = fromSleeper
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
    if (!this.isLate() && performance.now() - this.seenOursMs < trustedForMs) return
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
   * Moves the context's folder, with the lock in it, while no beat runs: `folder` is its new path.
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

  /**
   * Gives the lock back, when it is still ours. Idempotent.
   *
   * Takes no space: the gate does, so on a full disk it is done without. Where the disk does not even rename, it throws, and
   * the lock is free to this thread at once, to others when it is stale.
   */
  async release(): Promise<void> {
    if (this.released) return
    this.released = true
    clearInterval(this.timer)
    await this.beating
    try {
      if (!this.lost.aborted) await this.giveBack()
    } finally {
      heldTokens.delete(this.token)
    }
  }

  private async giveBack(): Promise<void> {
    let isDone = false
    const remove = async () => {
      await this.remove()
      isDone = true
    }
    await this.whenGateIsFree(remove).catch(() => undefined)
    // A full disk, which has no room for a gate; one that fails; or somebody stopped who holds it. Without the gate another
    // may take the lock at this moment: what was moved is looked at, and has its name again where it is another's.
    if (!isDone) await remove()
  }

  private async remove(): Promise<void> {
    const { disk } = this.options
    const { lock, side } = this.paths
    if (!(await this.isOurs())) return
    // One step takes the lock's name and the words about it: neither ever stands without the other. It replaces a file, so
    // it needs no room in the folder either.
    await renameFile(disk, lock, side)
    // chibi may have taken it over right before.
    const moved = await readLock(disk, side)
    const wasOurs = moved === undefined || isSameVersion(moved, this.version)
    if (wasOurs || (await putBack(disk, side, lock))) await removeIfThere(disk, side)
  }

  private async beatOnce(): Promise<void> {
    if (this.lost.aborted || this.released) return
    try {
      const beat = async () => {
        if (!(await this.isOurs())) return this.lose()
        await this.rewrite()
      }
      const done = await this.whenGateIsFree(beat)
      // Who holds the gate so long is stopped, and looks again at what it takes over when it wakes.
      if (done === undefined) await beat()
    } catch {
      // A full or failing disk: others may take the lock once it is stale, so from then on it is not ours.
      if (this.isLate()) this.lose()
    }
  }

  private whenGateIsFree(work: () => Promise<void>) {
    const { disk } = this.options
    return whenExclusive(disk, this.paths.gate, gateWaitMs, work, gateClockOf(this.options))
  }

  private async rewrite(): Promise<void> {
    const { disk, now } = this.options
    const wallMs = now()
    const monotonicMs = performance.now()
    const temporary = temporaryName(this.paths.lock)
    let next: LockVersion
    try {
      next = await writeLockVersion(disk, temporary, Math.floor(wallMs / 1000))
      // Both are claimed before the rename, so that the lock is never without a name.
      await writeLockOwners(disk, this.paths, this.token, [this.version, next])
      await renameFile(disk, temporary, this.paths.lock)
    } catch (error) {
      // What failed first is what counts; nobody takes a temporary file for a lock.
      await removeIfThere(disk, temporary).catch(() => undefined)
      throw error
    }
    this.version = next
    this.mtimeMs = undefined
    this.beatWallMs = wallMs
    this.beatMonotonicMs = monotonicMs
    // So long ago was the look at whose it is that another may have taken it since, and had its own replaced by ours.
    if (this.isLate()) this.lose()
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

function gateClockOf({ gateClock }: LockOptions): () => number {
  return gateClock ?? (() => performance.now())
}

/** @returns undefined where somebody else has it, or is about to: look again */
async function tryTake(options: LockOptions): Promise<ContextLock | undefined> {
  const { disk, folder } = options
  const taken = await tryExclusive(disk, lockPaths(folder).gate, () => acquireLockFile(options))
  return taken?.value === undefined ? undefined : new ContextLock(options, taken.value)
}

function lockedError(
  folder: string,
  { owner, isAhead }: { readonly owner: ProcessStamp | undefined; readonly isAhead: boolean },
): AppError {
  const words = describeHolder(owner)
  const ahead = isAhead
    ? ` Its lock is dated in the future: if no program has the conversation open, delete ${lockPaths(folder).lock}.`
    : ''
  return new AppError('locked', `${path.basename(folder)} is in use by ${words}.${ahead}`, {
    detail: words,
  })
}

function blockedError(folder: string, by: LockBlock): AppError {
  const { lock } = lockPaths(folder)
  return new AppError(
    'read-only',
    `${path.basename(folder)} cannot be written to: ${lock} is ${by}, and no program can lock the conversation. Move it away or delete it.`,
    { detail: lock },
  )
}

/** Whoever holds the gate does so for milliseconds, or is stopped. */
async function gateError({ disk, folder }: LockOptions): Promise<AppError> {
  const owner = await exclusiveOwner(disk, lockPaths(folder).gate)
  const words = owner === undefined ? 'another Skein' : describeHolder(owner)
  return new AppError('locked', `${path.basename(folder)} is being opened by ${words}.`, {
    detail: words,
  })
}
