import { type Entry, type EntryDraft, isAnchor } from '../../../shared/model/conversation/entry'
import { handleGaps, type OnGap, type UnreadPart } from '../../../shared/model/conversation/reading'
import { Mutex } from '../../async/mutex'
import { markDirty } from '../context-window/clear'
import { toReadError, toWriteError } from '../core/errors'
import type { AppendedEntry, PartialAnswer, TranscriptWriter } from '../core/writer-types'
import type { WritingScope } from '../core/writing-scope'
import type { ContextFiles } from '../files/context-files'
import { type EncodedEntry, encodeForAppend } from '../lines/encoded-entry'
import { FileMovedError } from '../lines/file-facts'
import type { ContextLock } from '../lock/context-lock'
import type { WrittenLine } from '../partitions/active-partition'
import { findLateEntry } from './late-entry'
import {
  type LoadedContext,
  loadContext,
  readWritersWindow,
  type WindowRead,
} from './loaded-context'
import { PartialFile } from './partial-file'
import { isLockLost, retryWhileMoved } from './retry-while-moved'

/** The writer of one context, while it holds the lock. */
export class LockedWriter implements TranscriptWriter {
  readonly context: string
  private readonly scope: WritingScope
  private readonly lock: ContextLock
  private loaded: LoadedContext | undefined
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
    const { loaded } = this
    const known = loaded?.knownWindow
    if (known !== undefined) return known
    const read = await readWritersWindow(this.scope, loaded?.knownFiles)
    loaded?.keepWindow(read)
    return read
  }

  private noticeOnce({ sentence }: UnreadPart): void {
    if (this.noticed.has(sentence)) return
    this.noticed.add(sentence)
    this.scope.noticed(`${sentence} The model does not get that part.`)
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
   * Reads the context from the disk: see `loadContext`.
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

  private async leaveToSleeper(loaded: LoadedContext): Promise<void> {
    try {
      await loaded.archive(true)
    } catch (error) {
      if (error instanceof FileMovedError || isLockLost(error)) throw error
      // A full disk, or a link in its place: its lines may stand among ours, and none is lost by that.
      this.scope.noticed(`Archiving was postponed: ${(error as Error).message}`)
    }
  }

  /** @param coming what is about to be appended */
  private async loadOnce(coming?: EntryDraft): Promise<ContextFiles> {
    await this.forget()
    const { loaded, found } = await loadContext(this.scope, coming)
    // What was replaced or removed until now came late, if the lock is not ours any more.
    await this.lock.check()
    this.loaded = loaded
    return found
  }

  private async appendNow(draft: EntryDraft): Promise<AppendedEntry> {
    const what = `The ${draft.entry_type} entry`
    try {
      // Before the looks below: a long one takes its time.
      const encoded = await encodeForAppend(draft, Math.floor(this.scope.now() / 1000))
      let lost: WrittenLine | undefined
      const lose = (written: WrittenLine) => {
        lost = written
      }
      return await this.noteLoss(() =>
        retryWhileMoved(async () => {
          // Both right before the write: whoever has taken the lock or has appended is noticed.
          await this.lock.check()
          if (this.loaded?.active.isUnchanged() !== true) await this.loadOnce(draft)
          const { loaded } = this
          if (loaded === undefined) throw new Error('nothing was loaded')
          // The window had it as well, and a loading takes from there what the transcript lacks.
          const kept = lost && (await loaded.active.findLast(lost))
          if (kept !== undefined) return await this.appended(loaded, kept)
          return await this.appendTo(loaded, encoded, lose)
        }),
      )
    } catch (error) {
      // What stands on the disk now is not what we know: it is read again before the next write.
      await this.forget().catch(() => {})
      throw toWriteError(what, error)
    }
  }

  /** @param lose is called with a line that was written, and stands in no file of the transcript */
  private async appendTo(
    loaded: LoadedContext,
    encoded: EncodedEntry,
    lose: (written: WrittenLine) => void,
  ): Promise<AppendedEntry> {
    // The window is derived: where it has a line that the transcript loses, its last id tells at the next opening.
    const written = await loaded.active.append(encoded, (entry, line) =>
      loaded.window.append(entry, line),
    )
    // Right behind the write as well: this process may have slept before it, while another archived the file.
    if (!loaded.active.isUnchanged()) {
      const found = await this.foundElsewhere(loaded, written)
      if (found !== undefined) return found
      lose(written)
      throw new FileMovedError(`${loaded.activePath} was replaced while it was written to`)
    }
    return this.appended(loaded, written.entry)
  }

  private async appended(loaded: LoadedContext, entry: Entry): Promise<AppendedEntry> {
    loaded.extendWindow(entry)
    const after = loaded.active.end
    await this.afterAppend(loaded, entry)
    return { entry, after }
  }

  /** Undefined where it stands nowhere, and has to be appended again. @throws DiskError */
  private async foundElsewhere(
    loaded: LoadedContext,
    written: WrittenLine,
  ): Promise<AppendedEntry | undefined> {
    const found = await findLateEntry(this.scope, loaded.active, written)
    await this.forget()
    return found
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
  private async afterAppend(loaded: LoadedContext, entry: Entry): Promise<void> {
    const { scope } = this
    const nowSeconds = Math.floor(scope.now() / 1000)
    const due = loaded.isRotationDue(nowSeconds)
    if (!due && !isAnchor(entry)) return
    try {
      await this.noteLoss(async () => {
        // Each looks at the lock before it replaces or moves anything.
        if (isAnchor(entry)) await loaded.beginWindow()
        if (due) await loaded.archive()
        await this.lock.check()
      })
      return
    } catch (error) {
      scope.noticed(`Archiving was postponed: ${(error as Error).message}`)
    }
    await this.forget()
  }

  /** Closes the open files; the next call reads the context again. The lock stays. */
  async forget(): Promise<void> {
    const { loaded } = this
    this.loaded = undefined
    await loaded?.close()
  }
}
