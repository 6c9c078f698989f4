import type { PageText, Partitions } from '../../../shared/model/conversation/partitions'
import { toReadError, toWriteError } from '../core/errors'
import { type ContextPaths, contextPaths, homePaths } from '../core/home-paths'
import { mustLieInside } from '../core/inside-home'
import type { RotationPolicy } from '../core/manifest'
import type { ContextFiles } from '../files/context-files'
import { editWaitingMessage, restoreWaitingMessage } from '../inbox/edit-waiting'
import type { InboxMessage } from '../inbox/inbox'
import { inboxPaths } from '../inbox/inbox-delivery'
import { type ContextMutationScope, mustExist, withContextLock } from '../lock/context-mutation'
import { listPartitions } from '../partitions/partition-list'
import { makeCurrent } from '../registry/current-context'
import { withStateLock } from '../registry/known-contexts'
import { readContextText, writeContextText } from '../texts/context-texts'
import { readMarkdownPage } from '../texts/read-markdown-page'

/** A person's reads and changes of the side files of a context. */
export interface Upkeep {
  /** Lists the files of a transcript, with the thresholds in force. @throws AppError `not-found`, `unreadable` */
  partitions(name: string): Promise<Partitions>
  /** Reads the end of `transcript.md`; null where there is none. @throws AppError `not-found`, `unreadable` */
  page(name: string): Promise<PageText | null>
  /** Makes a context the one that chibi uses where none is named. @throws AppError `not-found`, `read-only`, `disk-full`, `io` */
  makeCurrent(name: string): Promise<void>
  /** Reads `summary.md`; null where there is none. @throws AppError `not-found`, `unreadable` */
  readSummary(name: string): Promise<string | null>
  /**
   * Replaces `summary.md` under the context's lock; null removes it.
   *
   * @throws AppError `locked`, `busy` (another text is there than `before`), `bad-argument`, `not-found`, `read-only`, `disk-full`, `io`
   */
  writeSummary(name: string, text: string | null, before: string | null): Promise<void>
  /**
   * Changes the text of a waiting message under the context's lock; null removes it.
   *
   * @throws AppError `locked`, `busy` (it does not wait any more), `not-found`, `read-only`, `disk-full`, `io`
   */
  changeInbox(name: string, message: Omit<InboxMessage, 'to'>, text: string | null): Promise<void>
  /** Puts back a removed message. @throws as `changeInbox` */
  putInbox(name: string, message: Omit<InboxMessage, 'to'>): Promise<void>
}

/** The parts of a home that its upkeep works with. */
export interface UpkeepDeps {
  readonly home: string
  readonly scopeOf: (name: string) => Promise<ContextMutationScope>
  readonly policyOf: (name: string) => Promise<RotationPolicy>
  readonly reading: <T>(
    name: string,
    read: (found: ContextFiles, paths: ContextPaths) => Promise<T>,
  ) => Promise<T>
}

/** Creates the `Upkeep` of a home; reads nothing yet. */
export function openUpkeep({ home, scopeOf, policyOf, reading }: UpkeepDeps): Upkeep {
  /** Does some work under the lock; a failure becomes an AppError. */
  async function locked(
    name: string,
    what: string,
    work: (scope: ContextMutationScope) => Promise<void>,
  ): Promise<void> {
    const scope = await scopeOf(name)
    try {
      await withContextLock(scope, async () => {
        await mustLieInside(scope.disk, home, contextPaths(home, name))
        await work(scope)
      })
    } catch (error) {
      throw toWriteError(what, error)
    }
  }

  return {
    partitions: async (name) => {
      const { disk } = await scopeOf(name)
      const policy = await policyOf(name)
      return reading(name, (found, paths) => listPartitions(disk, paths, found, policy))
    },
    async page(name) {
      const scope = await scopeOf(name)
      try {
        await mustExist(scope)
        return await readMarkdownPage(scope.disk, contextPaths(home, name))
      } catch (error) {
        throw toReadError('transcript.md', error)
      }
    },
    async makeCurrent(name) {
      const scope = await scopeOf(name)
      const { disk, noticed } = scope
      const paths = homePaths(home)
      try {
        await mustExist(scope)
        await withStateLock(disk, paths, () => makeCurrent(disk, paths, name, noticed))
      } catch (error) {
        throw toWriteError('session.json', error)
      }
    },
    readSummary: async (name) => readContextText(await scopeOf(name), 'summary.md'),
    writeSummary: (name, text, before) =>
      locked(name, 'summary.md', (scope) => writeContextText(scope, 'summary.md', text, before)),
    changeInbox: (name, message, text) =>
      locked(name, 'inbox.jsonl', ({ disk }) =>
        editWaitingMessage(disk, inboxPaths(home, name), message, text),
      ),
    putInbox: (name, message) =>
      locked(name, 'inbox.jsonl', ({ disk }) =>
        restoreWaitingMessage(disk, inboxPaths(home, name), { ...message, to: name }),
      ),
  }
}
