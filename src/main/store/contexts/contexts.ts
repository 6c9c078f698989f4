import { type ClearOptions, type ClearResult, clearWindow } from '../context-window/clear'
import { toReadError, toWriteError } from '../core/errors'
import { contextPaths, homePaths } from '../core/home-paths'
import { mustLieInside } from '../core/inside-home'
import type { TranscriptWriter } from '../core/writer-types'
import { type ContextMutationScope, mustExist } from '../lock/context-mutation'
import {
  archivedNames,
  type ContextFlags,
  formerNames,
  readContextFlags,
  updateContextFlags,
  withArchived,
} from '../registry/context-flags'
import { readKnownContexts, withStateLock } from '../registry/known-contexts'
import { type ChibiSession, readChibiSession } from '../registry/session'
import { type ContextText, readContextText, writeContextText } from '../texts/context-texts'
import { destroyContext } from './destroy'
import { renameContext } from './rename'

/**
 * A person's changes to a context as a whole. None of them changes a line of a transcript, and none happens by itself.
 */
export interface Contexts {
  /** Gives a context another name. @throws AppError `bad-argument`, `not-found`, `exists`, `locked`, `read-only`, `disk-full`, `io` */
  rename(from: string, to: string): Promise<void>
  /** Begins a new window; the transcript stays. @throws AppError `not-found`, `locked`, `read-only`, `disk-full`, `io` */
  clear(name: string, options?: ClearOptions): Promise<ClearResult>
  /** Puts a context away, or back. @throws AppError `not-found`, `disk-full`, `io` */
  setArchived(name: string, isArchived: boolean): Promise<void>
  /** Names of archived contexts; of contexts that are gone as well. @throws AppError `unreadable` */
  archived(): Promise<readonly string[]>
  /**
   * Removes a context's folder, because a person asked for it. Never for any other reason.
   *
   * @param remove moves the folder to the system's trash @throws AppError `not-found`, `locked`, `io`: it is there as before
   */
  destroy(name: string, remove: (folder: string) => Promise<void>): Promise<void>
  /** Former names of a context, the latest first: its branches use them. @throws AppError `unreadable` */
  formerNames(name: string): Promise<readonly string[]>
  /** Null where it has none of its own. @throws AppError `not-found`, `unreadable` */
  readText(name: string, text: ContextText): Promise<string | null>
  /** See `writeContextText`. @throws AppError `not-found`, `busy`, `bad-argument`, `read-only`, `disk-full`, `io` */
  writeText(
    name: string,
    text: ContextText,
    content: string | null,
    before: string | null,
  ): Promise<void>
  /** The context that chibi uses where none is named. @throws AppError `unreadable` */
  session(): Promise<ChibiSession>
}

/** The home and the functions that `openContexts` uses. */
export interface ContextsDeps {
  readonly home: string
  readonly scopeOf: (name: string) => Promise<ContextMutationScope>
  /** Opens an existing context, and does not wait for its lock. */
  readonly openWriter: (name: string) => Promise<TranscriptWriter>
}

/** Creates the `Contexts` of a home; reads nothing yet. */
export function openContexts(deps: ContextsDeps): Contexts {
  const { home, scopeOf } = deps
  const paths = homePaths(home)

  async function flags(): Promise<ContextFlags> {
    const { disk } = await scopeOf('')
    return readContextFlags(disk, paths).catch((error: unknown) => {
      throw toReadError(home, error)
    })
  }

  /** @throws AppError `not-found`, `read-only`, `io` */
  async function mustBeWritable(scope: ContextMutationScope): Promise<void> {
    try {
      await mustExist(scope)
      await mustLieInside(scope.disk, home, contextPaths(home, scope.name))
    } catch (error) {
      throw toWriteError(`The change to "${scope.name}"`, error)
    }
  }

  return {
    async rename(from, to) {
      const scope = await scopeOf(from)
      await mustBeWritable(scope)
      await renameContext(scope, to)
    },
    async clear(name, options = {}) {
      const { disk, now } = await scopeOf(name)
      const writer = await deps.openWriter(name)
      try {
        return await clearWindow({ disk, now, writer, paths: contextPaths(home, name) }, options)
      } finally {
        await writer.close()
      }
    },
    setArchived: async (name, isArchived) => archiveContext(await scopeOf(name), isArchived),
    async archived() {
      const { disk } = await scopeOf('')
      // Where state.json cannot be read, a flag counts for the context that has the name.
      const known = await readKnownContexts(disk, paths).catch(() => [])
      return archivedNames(await flags(), known)
    },
    destroy: async (name, remove) => destroyContext(await scopeOf(name), remove),
    formerNames: async (name) => formerNames(await flags(), name),
    readText: async (name, text) => readContextText(await scopeOf(name), text),
    async writeText(name, text, content, before) {
      const scope = await scopeOf(name)
      await mustBeWritable(scope)
      await writeContextText(scope, text, content, before)
    },
    async session() {
      const { disk } = await scopeOf('')
      return readChibiSession(disk, paths).catch((error: unknown) => {
        throw toReadError(home, error)
      })
    },
  }
}

/**
 * Archives a context, or brings it back: no file of it is changed, and a run in it continues.
 *
 * @throws AppError `not-found`, and what a failed write is
 */
async function archiveContext(scope: ContextMutationScope, isArchived: boolean): Promise<void> {
  const { disk, home, name } = scope
  const paths = homePaths(home)
  try {
    await mustExist(scope)
    await withStateLock(disk, paths, async () => {
      const known = await readKnownContexts(disk, paths)
      const createdAt = known.find((context) => context.name === name)?.createdAt
      await updateContextFlags(
        disk,
        paths,
        (marks) => withArchived(marks, name, isArchived, createdAt),
        scope.noticed,
      )
    })
  } catch (error) {
    throw toWriteError(`The ${isArchived ? 'archiving' : 'unarchiving'} of "${name}"`, error)
  }
}
