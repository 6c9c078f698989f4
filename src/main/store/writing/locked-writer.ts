import { AppError } from '../../../shared/model/basics/errors'
import type { Entry, EntryDraft } from '../../../shared/model/conversation/entry'
import { isAnchor } from '../../../shared/model/conversation/entry'
import { handleGaps, type OnGap, type UnreadPart } from '../../../shared/model/conversation/reading'
import { Mutex } from '../../async/mutex'
import { absorbWindow } from '../context-window/absorb-window'
import { CachedWindow } from '../context-window/cached-window'
import { markDirty } from '../context-window/clear'
import {
  createEmptyWindow,
  readWindowEntries,
  rebuildWindow,
  syncWindow,
} from '../context-window/window-entries'
import { WindowFile } from '../context-window/window-file'
import { toReadError, toWriteError } from '../core/errors'
import type { RotationPolicy } from '../core/manifest'
import type { AppendedEntry, PartialAnswer, TranscriptWriter } from '../core/writer-types'
import type { WritingScope } from '../core/writing-scope'
import { type ContextFiles, findContextFiles, type TranscriptFiles } from '../files/context-files'
import { type EncodedEntry, encodeForAppend } from '../lines/encoded-entry'
import { FileMovedError } from '../lines/file-facts'
import type { ContextLock } from '../lock/context-lock'
import { ActivePartition, type WrittenLine } from '../partitions/active-partition'
import { repairFiles } from '../partitions/repair-files'
import { isRotationDue, rotatePartition } from '../partitions/rotation'
import { findLateEntry } from './late-entry'
import { PartialFile } from './partial-file'
import { isLockLost, retryWhileMoved } from './retry-while-moved'

/** A context as it is known between two appends. */
interface Loaded {
  readonly active: ActivePartition
  window: WindowFile
  readonly policy: RotationPolicy
  readonly activePath: string
  /** The transcript's files as they were looked up; undefined behind a rotation. The active one may have grown since. */
  readonly files: TranscriptFiles | undefined
  /** Undefined until somebody looks, and again behind an anchor or a rotation. */
  known: WindowRead | undefined
}

interface WindowRead {
  readonly window: CachedWindow
  /** What of it could not be read. */
  readonly unread: readonly UnreadPart[]
}

/** The writer of one context, while it holds the lock. */
export class LockedWriter implements TranscriptWriter {
  readonly context: string
  private readonly scope: WritingScope
  private readonly lock: ContextLock
  private loaded: Loaded | undefined
  private partial: PartialFile | undefined
  private readonly turns = new Mutex()
  private closing: Promise<void> | undefined
  private readonly noticed = new Set<string>()

  constructor(scope: WritingScope, lock: ContextLock) {
    this.context = scope.paths.name
    this.scope = scope
    this.lock = lock
  }

  get lost(): AbortSignal {
    return this.lock.lost
  }

  append(draft: EntryDraft): Promise<AppendedEntry> {
    return this.turns.run(() => this.appendNow(draft))
  }

  window(onGap: OnGap | 'notice'): Promise<readonly Entry[]> {
    return this.turns.run(async () => {
      const { window, unread } = await this.currentWindow().catch((error: unknown) => {
        throw toReadError(this.context, error)
      })
      const notice = (part: UnreadPart) => this.noticeOnce(part)
      handleGaps(this.context, unread, onGap === 'notice' ? notice : onGap)
      return window.entries
    })
  }

  private async currentWindow(): Promise<WindowRead> {
    const known = this.knownWindow()
    if (known !== undefined) return known
    const read = await this.readWindow()
    // What another process has appended meanwhile is in it: then it is read again the next time.
    if (this.loaded?.active.isUnchanged()) this.loaded.known = read
    return read
  }

  private noticeOnce({ sentence }: UnreadPart): void {
    if (this.noticed.has(sentence)) return
    this.noticed.add(sentence)
    this.scope.noticed(`${sentence} The model does not get that part.`)
  }

  /** What is known of the window, where nobody else has written since. */
  private knownWindow(): WindowRead | undefined {
    return this.loaded?.active.isUnchanged() ? this.loaded.known : undefined
  }

  private async readWindow(): Promise<WindowRead> {
    const read = async (found: TranscriptFiles) => {
      const entries: Entry[] = []
      const unread: UnreadPart[] = []
      const onGap = (part: UnreadPart) => void unread.push(part)
      for await (const entry of readWindowEntries(this.scope, found, onGap)) entries.push(entry)
      return { window: new CachedWindow(entries), unread }
    }
    const files = this.knownFiles()
    if (files !== undefined)
      try {
        return await read(files)
      } catch (error) {
        if (!(error instanceof FileMovedError)) throw error
      }
    return read(await this.findFiles())
  }

  /** The transcript's files without a look at each, of which there may be hundreds, where nobody else has written since. */
  private knownFiles(): TranscriptFiles | undefined {
    const { loaded } = this
    const { files, missing = [] } = loaded?.files ?? {}
    if (loaded === undefined || files?.at(-1)?.kind !== 'active') return undefined
    if (!loaded.active.isUnchanged()) return undefined
    const sizeBytes = loaded.active.endBytes
    return {
      files: files.map((file) => (file.kind === 'active' ? { ...file, sizeBytes } : file)),
      missing,
    }
  }

  async startPartial(draft: EntryDraft): Promise<PartialAnswer> {
    if (this.partial?.isOpen) throw new Error('a partial answer is open already')
    this.partial = new PartialFile(this.scope, draft, this.lock.lost)
    return this.partial
  }

  close(): Promise<void> {
    this.closing ??= this.turns.run(async () => {
      try {
        await this.partial?.flush()
        await this.forget()
      } finally {
        await this.release()
      }
    })
    return this.closing
  }

  private async release(): Promise<void> {
    try {
      await this.lock.release()
    } catch (error) {
      // Nothing of the transcript is lost by it: without heartbeats the lock is stale in a minute.
      this.scope.noticed(`The lock was not released: ${(error as Error).message}`)
    }
  }

  /**
   * Reads the context from the disk: adopts strays, settles the window, and counts the active partition.
   *
   * Where the lock was taken from a process that may wake, what it was writing to is archived first: a line that it
   * writes then stands behind its own earlier ones, not among ours.
   */
  load(): Promise<ContextFiles> {
    return this.noteLoss(() =>
      retryWhileMoved(async () => {
        const found = await this.loadOnce()
        if (!this.lock.fromSleeper || this.loaded?.active.fileIdentity === undefined) return found
        await this.leaveToSleeper(this.loaded)
        return this.loadOnce()
      }),
    )
  }

  private async leaveToSleeper(loaded: Loaded): Promise<void> {
    try {
      await this.archive(loaded, true)
    } catch (error) {
      if (error instanceof FileMovedError || isLockLost(error)) throw error
      // A full disk, or a link in its place: its lines may stand among ours, and none is lost by that.
      this.scope.noticed(`Archiving was postponed: ${(error as Error).message}`)
    }
  }

  /** @param coming what is about to be appended */
  private async loadOnce(coming?: EntryDraft): Promise<ContextFiles> {
    await this.forget()
    const { scope } = this
    const settled = await repairFiles(scope, () => this.findFiles())
    refuseNoFile(settled)
    const found = await this.withWindow(settled)
    await syncWindow(scope, found, coming?.id)
    const policy = await scope.configuredPolicy()
    const target = found.activePath
    const file = found.files.find((one) => one.kind === 'active')
    const active = await ActivePartition.load(scope, target, file, policy.bytesPerToken).catch(
      (error: unknown) => {
        throw toReadError(this.context, error)
      },
    )
    const window = await this.openWindow()
    // What was replaced or removed until now came late, if the lock is not ours any more.
    await this.lock.check()
    const { files, missing } = found
    this.loaded = {
      active,
      window,
      policy,
      activePath: target,
      files: { files, missing },
      known: undefined,
    }
    return found
  }

  private async appendNow(draft: EntryDraft): Promise<AppendedEntry> {
    const what = `The ${draft.entry_type} entry`
    try {
      // Before the looks below: a long one takes its time.
      const encoded = await encodeForAppend(draft, Math.floor(this.scope.now() / 1000))
      return await this.noteLoss(() =>
        retryWhileMoved(async () => {
          // Both right before the write: whoever has taken the lock or has appended is noticed.
          await this.lock.check()
          if (this.loaded?.active.isUnchanged() !== true) await this.loadOnce(draft)
          if (this.loaded === undefined) throw new Error('nothing was loaded')
          return await this.appendTo(this.loaded, encoded)
        }),
      )
    } catch (error) {
      // What stands on the disk now is not what we know: it is read again before the next write.
      await this.forget().catch(() => {})
      throw toWriteError(what, error)
    }
  }

  private async appendTo(loaded: Loaded, encoded: EncodedEntry): Promise<AppendedEntry> {
    // The window is derived: where it has a line that the transcript loses, its last id tells at the next opening.
    const written = await loaded.active.append(encoded, (entry, line) =>
      loaded.window.append(entry, line),
    )
    // Right behind the write as well: this process may have slept before it, while another archived the file.
    if (!loaded.active.isUnchanged()) return this.foundElsewhere(loaded, written)
    const { entry } = written
    if (loaded.known?.window.take(entry) === false) loaded.known = undefined
    const after = loaded.active.end
    await this.afterAppend(loaded, entry)
    return { entry, after }
  }

  /** @throws FileMovedError it stands nowhere, and has to be appended again; AppError `lock-lost`; DiskError */
  private async foundElsewhere(loaded: Loaded, written: WrittenLine): Promise<AppendedEntry> {
    const found = await findLateEntry(this.scope, loaded.active, written)
    await this.forget()
    if (found !== undefined) return found
    await this.lock.check()
    throw new FileMovedError(`${loaded.activePath} was replaced while it was written to`)
  }

  /** Has the next writer build the window again, where a step of ours may have come after another took the lock. */
  private async noteLoss<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (isLockLost(error))
        await markDirty(this.scope.disk, this.scope.paths).catch(() => undefined)
      throw error
    }
  }

  /** The entry is durable: whatever fails from here on is told, and mended by the next load. */
  private async afterAppend(loaded: Loaded, entry: Entry): Promise<void> {
    const { scope } = this
    const nowSeconds = Math.floor(scope.now() / 1000)
    const due = isRotationDue(loaded.active.count, loaded.policy, nowSeconds)
    if (!due && !isAnchor(entry)) return
    try {
      await this.noteLoss(async () => {
        await this.lock.check()
        if (isAnchor(entry)) await this.beginWindow(loaded)
        if (due) await this.archive(loaded)
        await this.lock.check()
      })
      return
    } catch (error) {
      scope.noticed(`Archiving was postponed: ${(error as Error).message}`)
    }
    await this.forget()
  }

  private async archive(loaded: Loaded, fromSleeper = false): Promise<void> {
    const { scope } = this
    await loaded.active.close()
    const { count, fileIdentity } = loaded.active
    await rotatePartition(scope, loaded.activePath, count, fileIdentity, fromSleeper)
    const { bytesPerToken } = loaded.policy
    const active = await ActivePartition.load(scope, loaded.activePath, undefined, bytesPerToken)
    // The window's entries stand in other files now.
    this.loaded = { ...loaded, active, files: undefined, known: undefined }
  }

  private async beginWindow(loaded: Loaded): Promise<void> {
    const found = await this.findFiles()
    const isFirstEntry = found.files.length === 1 && loaded.active.count.lines === 1
    await loaded.window.close()
    await (isFirstEntry ? createEmptyWindow(this.scope) : rebuildWindow(this.scope, found))
    loaded.window = await this.openWindow()
  }

  private async openWindow(): Promise<WindowFile> {
    const { disk, paths } = this.scope
    return new WindowFile(this.scope, await disk.stat(paths.window))
  }

  /** What context.jsonl alone has goes into the transcript before anything is made of that. */
  private async withWindow(found: ContextFiles): Promise<ContextFiles> {
    return (await absorbWindow(this.scope, found)) ? this.findFiles() : found
  }

  private async findFiles(): Promise<ContextFiles> {
    const { disk, home, paths } = this.scope
    const found = await findContextFiles(disk, home, paths, 'never')
    if (found === undefined)
      throw new AppError('lock-lost', `"${paths.name}" was renamed or removed by another program.`)
    return found
  }

  /** Closes what is open; the next call reads the context again. The lock stays. */
  async forget(): Promise<void> {
    const loaded = this.loaded
    this.loaded = undefined
    await loaded?.active.close()
    await loaded?.window.close()
  }
}

/** @throws AppError `read-only`: what stands in the active partition's place would swallow what is written */
function refuseNoFile({ notFiles, activePath }: ContextFiles): void {
  const fault = notFiles.get(activePath)
  if (fault !== undefined) throw new AppError('read-only', `Nothing can be written: ${fault}.`)
}
