import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import { AppError } from '../../../shared/model/basics/errors'
import type { InboxItem, LibraryKey } from '../../../shared/model/conversation/conversation'
import { ourContext } from '../current/our-context'
import type { CurrentHome } from '../open-home'

/** Serves what a person looks at and puts right beside a context's transcript. */
export function upkeepHandlers(home: CurrentHome): Handlers<Contract['upkeep']> {
  const checks = new Map<LibraryKey, AbortController>()

  /** Names a context in which no run goes on: what a run reads for its next request is not changed under it. @throws AppError `busy` */
  function idle(key: LibraryKey): string {
    const name = ourContext(key)
    if (home().runs.isRunning(name))
      throw new AppError('busy', `An answer is being written in "${name}". Stop it first.`)
    return name
  }

  return {
    async partitions({ key }) {
      const { rows, thresholds } = await home().store.upkeep.partitions(ourContext(key))
      return { rows: [...rows], thresholds }
    },
    async check({ key }) {
      const name = ourContext(key)
      checks.get(key)?.abort()
      const stop = new AbortController()
      checks.set(key, stop)
      try {
        const verdicts = await home().store.verify(name, stop.signal)
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
    page: ({ key }) => home().store.upkeep.page(ourContext(key)),
    makeCurrent: ({ key }) => home().store.upkeep.makeCurrent(ourContext(key)),
    readSummary: async ({ key }) => ({
      text: await home().store.upkeep.readSummary(ourContext(key)),
    }),
    writeSummary: async ({ key, text, before }) =>
      home().store.upkeep.writeSummary(idle(key), text, before),
    changeInbox: async ({ key, message, text }) =>
      home().store.upkeep.changeInbox(idle(key), messageOf(message), text),
    putInbox: async ({ key, message }) =>
      home().store.upkeep.putInbox(idle(key), messageOf(message)),
  }
}

function messageOf({ id, from, text, at }: InboxItem) {
  return { id, from, content: text, timestamp: at }
}

function cancelled(): AppError {
  return new AppError('cancelled', 'The check was cancelled.')
}
