import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import { AppError } from '../../../shared/model/basics/errors'
import type { InboxItem, LibraryKey } from '../../../shared/model/conversation/conversation'
import type { CurrentHome } from '../current/current-home'
import { contextNameOf } from '../current/our-context'

/** Serves the calls of `upkeepContract`. */
export function upkeepHandlers(home: CurrentHome<'contexts'>): Handlers<Contract['upkeep']> {
  const checks = new Map<LibraryKey, AbortController>()
  const contexts = () => home().contexts

  return {
    async partitions({ key }) {
      const { rows, thresholds } = await contexts().partitions(contextNameOf(key))
      return { rows: [...rows], thresholds }
    },
    async check({ key }) {
      const name = contextNameOf(key)
      checks.get(key)?.abort()
      const stop = new AbortController()
      checks.set(key, stop)
      try {
        const verdicts = await contexts().verify(name, stop.signal)
        if (stop.signal.aborted) throw cancelled()
        return [...verdicts]
      } catch (error) {
        throw stop.signal.aborted ? cancelled() : error
      } finally {
        if (checks.get(key) === stop) checks.delete(key)
      }
    },
    async cancelCheck({ key }) {
      checks.get(key)?.abort()
    },
    page: ({ key }) => contexts().page(contextNameOf(key)),
    makeCurrent: ({ key }) => contexts().makeCurrent(contextNameOf(key)),
    readSummary: async ({ key }) => ({
      text: await contexts().readSummary(contextNameOf(key)),
    }),
    writeSummary: async ({ key, text, before }) =>
      contexts().writeSummary(contextNameOf(key), text, before),
    changeInbox: async ({ key, message, text }) =>
      contexts().changeInbox(contextNameOf(key), messageOf(message), text),
    putInbox: async ({ key, message }) =>
      contexts().putInbox(contextNameOf(key), messageOf(message)),
  }
}

function messageOf({ id, from, text, at }: InboxItem) {
  return { id, from, content: text, timestamp: at }
}

function cancelled(): AppError {
  return new AppError('cancelled', 'The check was cancelled.')
}
