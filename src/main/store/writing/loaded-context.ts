import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Entry, EntryDraft } from '../../../shared/model/conversation/entry'
import type { UnreadPart } from '../../../shared/model/conversation/reading'
import { absorbWindow } from '../context-window/absorb-window'
import { CachedWindow } from '../context-window/cached-window'
import {
  createEmptyWindow,
  readWindowEntries,
  rebuildWindow,
  syncWindow,
} from '../context-window/window-entries'
import { WindowFile } from '../context-window/window-file'
import { toReadError } from '../core/errors'
import type { RotationPolicy } from '../core/manifest'
import type { WritingScope } from '../core/writing-scope'
import { type ContextFiles, findContextFiles, type TranscriptFiles } from '../files/context-files'
import { FileMovedError } from '../lines/file-facts'
import { ActivePartition } from '../partitions/active-partition'
import { repairFiles } from '../partitions/repair-files'
import { isRotationDue, rotatePartition } from '../partitions/rotation'

/** A context window as it was read, and its unreadable parts. */
export interface WindowRead {
  readonly window: CachedWindow
  readonly unread: readonly UnreadPart[]
}

interface Parts {
  readonly active: ActivePartition
  readonly window: WindowFile
  readonly policy: RotationPolicy
  readonly files: TranscriptFiles
  readonly activePath: string
}

/**
 * A context as its writer knows it between two appends. It holds while `active.isUnchanged()`: until another process
 * appends, rotates or replaces the active partition.
 */
export class LoadedContext {
  private readonly scope: WritingScope
  private readonly policy: RotationPolicy
  readonly activePath: string
  active: ActivePartition
  /** context.jsonl, behind what was appended. */
  window: WindowFile
  /** The transcript's files as they were looked up; undefined behind a rotation. The active one may have grown since. */
  private files: TranscriptFiles | undefined
  /** Undefined until somebody reads it, and again behind an anchor or a rotation. */
  private known: WindowRead | undefined

  constructor(scope: WritingScope, { active, window, policy, files, activePath }: Parts) {
    this.scope = scope
    this.active = active
    this.window = window
    this.policy = policy
    this.files = files
    this.activePath = activePath
  }

  /** The context window where it was read already, and nobody else has written since. */
  get knownWindow(): WindowRead | undefined {
    return this.active.isUnchanged() ? this.known : undefined
  }

  /** Keeps a window that was read, unless another process has appended meanwhile: then it is read again the next time. */
  keepWindow(read: WindowRead): void {
    if (this.active.isUnchanged()) this.known = read
  }

  /** The transcript's files without a look at each, of which there may be hundreds, where nobody else has written since. */
  get knownFiles(): TranscriptFiles | undefined {
    const { files, missing = [] } = this.files ?? {}
    if (files?.at(-1)?.kind !== 'active' || !this.active.isUnchanged()) return undefined
    const sizeBytes = this.active.endBytes
    return {
      files: files.map((file) => (file.kind === 'active' ? { ...file, sizeBytes } : file)),
      missing,
    }
  }

  /** Adds an entry to the window that is known; an anchor begins another one, which has to be read. */
  extendWindow(entry: Entry): void {
    if (this.known?.window.take(entry) === false) this.known = undefined
  }

  isRotationDue(nowSeconds: number): boolean {
    return isRotationDue(this.active.count, this.policy, nowSeconds)
  }

  /** Archives the active partition. A failed one leaves this to be loaded again. */
  async archive(fromSleeper = false): Promise<void> {
    const { scope, activePath, policy } = this
    await this.active.close()
    const { count, fileIdentity } = this.active
    await rotatePartition(scope, activePath, count, fileIdentity, fromSleeper)
    this.active = await ActivePartition.load(scope, activePath, undefined, policy.bytesPerToken)
    // The window's entries stand in other files now.
    this.files = undefined
    this.known = undefined
  }

  /** Builds context.jsonl again, behind an anchor. */
  async beginWindow(): Promise<void> {
    const found = await findWritableFiles(this.scope)
    const isFirstEntry = found.files.length === 1 && this.active.count.lines === 1
    await this.window.close()
    await (isFirstEntry ? createEmptyWindow(this.scope) : rebuildWindow(this.scope, found))
    this.window = await openWindow(this.scope)
  }

  async close(): Promise<void> {
    await this.active.close()
    await this.window.close()
  }
}

/**
 * Reads a context from the disk: adopts strays, syncs context.jsonl, and counts the active partition.
 *
 * @param coming what is about to be appended
 *
 * @throws FileMovedError, DiskError, AppError `read-only`, `lock-lost`
 */
export async function loadContext(
  scope: WritingScope,
  coming?: EntryDraft,
): Promise<{ readonly loaded: LoadedContext; readonly found: ContextFiles }> {
  const repaired = await repairFiles(scope, () => findWritableFiles(scope))
  refuseNoFile(repaired)
  await syncWritten(scope, repaired)
  // Lines that context.jsonl alone has go into the transcript before anything is made of that.
  const found = (await absorbWindow(scope, repaired)) ? await findWritableFiles(scope) : repaired
  await syncWindow(scope, found, coming?.id)
  const policy = await scope.configuredPolicy()
  const { activePath, files, missing } = found
  const file = files.find((one) => one.kind === 'active')
  const active = await ActivePartition.load(scope, activePath, file, policy.bytesPerToken).catch(
    (error: unknown) => {
      throw toReadError(scope.paths.name, error)
    },
  )
  const window = await openWindow(scope)
  const parts = { active, window, policy, files: { files, missing }, activePath }
  return { loaded: new LoadedContext(scope, parts), found }
}

/** Reads a context's window, by the files that are known where they are still there. */
export async function readWritersWindow(
  scope: WritingScope,
  known: TranscriptFiles | undefined,
): Promise<WindowRead> {
  const read = async (found: TranscriptFiles) => {
    const entries: Entry[] = []
    const unread: UnreadPart[] = []
    const onGap = (part: UnreadPart) => void unread.push(part)
    for await (const entry of readWindowEntries(scope, found, onGap)) entries.push(entry)
    return { window: new CachedWindow(entries), unread }
  }
  if (known !== undefined)
    try {
      return await read(known)
    } catch (error) {
      if (!(error instanceof FileMovedError)) throw error
    }
  return read(await findWritableFiles(scope))
}

async function openWindow(scope: WritingScope): Promise<WindowFile> {
  return new WindowFile(scope, await scope.disk.stat(scope.paths.window))
}

/**
 * Makes durable what stands in the active partition, and its name: whoever wrote it may not have lived to do so, and what is
 * made of it here would outlive it.
 */
async function syncWritten({ disk }: WritingScope, { files }: ContextFiles): Promise<void> {
  const active = files.find(({ kind }) => kind === 'active')
  if (active === undefined) return
  const file = await disk.open(active.path, 'append')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  await disk.syncFolder(path.dirname(active.path))
}

/** @throws AppError `lock-lost` */
async function findWritableFiles({ disk, home, paths }: WritingScope): Promise<ContextFiles> {
  const found = await findContextFiles(disk, home, paths, 'never')
  if (found === undefined)
    throw new AppError('lock-lost', `"${paths.name}" was renamed or removed by another program.`)
  return found
}

/** @throws AppError `read-only`: what stands in the active partition's place would swallow what is written */
function refuseNoFile({ notFiles, activePath }: ContextFiles): void {
  const fault = notFiles.get(activePath)
  if (fault !== undefined) throw new AppError('read-only', `Nothing can be written: ${fault}.`)
}
