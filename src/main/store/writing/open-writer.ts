import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { contextNameFault } from '../../../shared/model/conversation/conversation'
import type { Disk } from '../../disk/interface/disk'
import { isNameTaken, isNotFound } from '../../disk/reading/read'
import { isSameFile, removeIfSame } from '../../disk/writing/atomic'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { hasEntries } from '../context-window/window-entries'
import { toReadError, toWriteError } from '../core/errors'
import { contextPaths, homePaths, isContextName } from '../core/home-paths'
import { mustLieInside } from '../core/inside-home'
import type { RotationPolicy } from '../core/manifest'
import type { TranscriptWriter } from '../core/writer-types'
import type { WritingScope } from '../core/writing-scope'
import { type ContextFiles, findContextFiles } from '../files/context-files'
import { FileMovedError } from '../lines/file-facts'
import { isLegacyPage } from '../lines/legacy-document'
import { acquireContextLock, type ContextLock } from '../lock/context-lock'
import type { LockOptions } from '../lock/lock-files'
import { anchorDraft, migrateLegacy } from '../partitions/migrate'
import { readContextFlags, updateContextFlags, withArchived } from '../registry/context-flags'
import { createContextMeta } from '../registry/context-meta'
import { restoreTitleFromFolder } from '../registry/folder-title'
import { noteActivity, withStateLock } from '../registry/known-contexts'
import { type ContextBeginning, createContext } from './creation'
import { LockedWriter } from './locked-writer'
import { keepRefusedPartial, readLostAnswer, sweepPartials } from './partial-file'

/** Wait for another Skein by default. */
const defaultWaitMs = 5000

/** The context that is opened for writing, and whether it is created. */
export interface OpenWriterOptions {
  readonly disk: Disk
  readonly home: string
  readonly name: string
  readonly now: () => number
  readonly lock: LockOptions
  readonly configuredPolicy: () => Promise<RotationPolicy>
  readonly noticed: (notice: string) => void
  readonly create: boolean
  /** With `create`: what the context begins with. */
  readonly beginning?: ContextBeginning | undefined
  readonly waitMs?: number
  readonly signal?: AbortSignal
}

/** Takes a context's lock and makes the context ready to append; see Store.openWriter. */
export async function openWriter(options: OpenWriterOptions): Promise<TranscriptWriter> {
  const { home, name } = options
  const fault = options.create ? contextNameFault(name) : undefined
  if (fault !== undefined) throw new AppError('bad-argument', fault)
  const paths = contextPaths(home, name)
  // Until the lock is taken, what is written has names that no other process knows.
  const scope: WritingScope = { ...options, paths, mustHold: async () => {} }
  const { beginning } = options
  // What begins with a transcript is there before it is opened, as a whole; from then on it is one like any other.
  const isMadeFirst = options.create && beginning !== undefined
  const create = options.create && !isMadeFirst
  let isMade = false
  try {
    await checkWhetherThere(scope, options.create)
    if (create) {
      await makeDurableFolder(scope.disk, paths.folder)
      await forgetNamesake(scope)
    }
    if (isMadeFirst) {
      await makeDurableFolder(scope.disk, path.dirname(paths.folder))
      await createContext(scope, beginning)
      isMade = true
      await forgetNamesake(scope)
      await scope.disk.syncFolder(path.dirname(paths.folder))
    }
    // Before the lock too: that is a file in its folder.
    await mustLieInside(scope.disk, home, paths)
    const { waitMs = defaultWaitMs, signal } = options
    const lock = await acquireContextLock({ ...options.lock, waitMs, signal })
    try {
      // Again, now that no other process can create it.
      await checkWhetherThere(scope, create)
      await mustLieInside(scope.disk, home, paths)
      const held = { ...scope, mustHold: () => lock.check() }
      return await untilReady(lock, () => prepare(held, lock))
    } catch (error) {
      // The first failure is the one to report; a lock that is not beaten goes stale by itself.
      await lock.release().catch(() => {})
      throw error
    }
  } catch (error) {
    const what = isMade ? 'was created, but could not' : 'could not'
    throw toWriteError(`"${name}" ${what} be opened for writing; the change`, error)
  }
}

async function prepare(scope: WritingScope, lock: ContextLock): Promise<TranscriptWriter> {
  const { disk, home, paths } = scope
  await migrateLegacy(scope)
  // Where there are lines no page counts, and probing every partition is spared.
  if ((await disk.stat(paths.active))?.kind !== 'file')
    await refusePage(await findContextFiles(disk, home, paths), paths.name)
  await sweepPartials(scope)
  // Whoever made them may not have lived to sync them.
  await makeDurableFolder(disk, paths.transcript)
  const writer = new LockedWriter(scope, lock)
  try {
    const found = await writer.load()
    const nowSeconds = Math.floor(scope.now() / 1000)
    if (!(await hasEntries(scope, found.files))) {
      await createContextMeta(disk, paths, nowSeconds)
      await writer.append(anchorDraft(paths.name, nowSeconds))
    }
    const partial = await disk.stat(paths.partial)
    const lost = await readLostAnswer(scope, found.files)
    if (lost !== undefined)
      await writer.append(lost).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'bad-argument') throw error
        return keepRefusedPartial(scope, error)
      })
    await removeIfSame(disk, paths.partial, async (at) => isSameFile(partial, await disk.stat(at)))
    await noted(scope, nowSeconds)
    return writer
  } catch (error) {
    // The caller that took the lock releases it: it may try again.
    await writer.forget().catch(() => {})
    throw error
  }
}

/**
 * Tries again where a file was moved right before it was read: by a process that was stopped and continues, or by
 * chibi, whose clear and compact take no lock.
 */
async function untilReady<T>(lock: ContextLock, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (
        tries >= 3 ||
        !(error instanceof FileMovedError || isNotFound(error) || isNameTaken(error))
      )
        throw error
      await lock.check()
    }
  }
}

/** @throws AppError `read-only`: a transcript beside the page would take its place, and hide what it holds */
async function refusePage(found: ContextFiles | undefined, name: string): Promise<void> {
  const [first] = found?.files ?? []
  if (first?.kind !== 'document' || !isLegacyPage(first.place)) return
  throw new AppError(
    'read-only',
    `"${name}" has its messages only in transcript.md, as in old versions of chibi: it can be read, but not continued. Branch it to continue.`,
  )
}

/** A context that state.json does not list is found all the same, by chibi too: a failure is no reason to refuse. */
async function noted(scope: WritingScope, nowSeconds: number): Promise<void> {
  try {
    const { disk, home, paths, noticed } = scope
    await noteActivity(disk, homePaths(home), paths.name, nowSeconds, noticed)
  } catch (error) {
    scope.noticed(`state.json was not updated: ${(error as Error).message}`)
  }
  try {
    const { disk, home, paths, noticed } = scope
    await restoreTitleFromFolder(disk, homePaths(home), paths.name, noticed)
  } catch (error) {
    scope.noticed(`The title stays in the folder: ${(error as Error).message}`)
  }
}

/** A context that is gone may have left its flag, which does not count for the one that has the name now. */
async function forgetNamesake({ disk, home, paths, noticed }: WritingScope): Promise<void> {
  try {
    const files = homePaths(home)
    if (!(await readContextFlags(disk, files)).archived.includes(paths.name)) return
    await withStateLock(disk, files, () =>
      updateContextFlags(disk, files, (flags) => withArchived(flags, paths.name, false), noticed),
    )
  } catch (error) {
    noticed(
      `It may be shown as archived, because an earlier one with this name was: ${(error as Error).message}`,
    )
  }
}

async function checkWhetherThere(scope: WritingScope, create: boolean): Promise<void> {
  const { disk, home, paths } = scope
  if (!create) {
    const folder = isContextName(paths.name) ? await disk.stat(paths.folder) : undefined
    if (folder?.kind === 'directory') return
    throw new AppError('not-found', `There is no context "${paths.name}".`)
  }
  const found = await findContextFiles(disk, home, paths).catch((error: unknown) => {
    throw toReadError(paths.name, error)
  })
  // A folder without a word in it is what a creation leaves that was cut off.
  if (found?.files.some((file) => file.sizeBytes > 0))
    throw new AppError('exists', `A context named "${paths.name}" already exists.`)
}
