import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import { AppError } from '../../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { CurrentHome } from '../open-home'

/** Titles that are given in Skein: one question at a time for a conversation. */
export interface TitlesDomain {
  readonly handlers: Handlers<Contract['titles']>
  /** Stops all questions; resolves when nobody waits for an answer any more. */
  close(): Promise<void>
}

interface Asking {
  readonly controller: AbortController
  readonly ended: Promise<unknown>
}

export function titlesDomain(home: CurrentHome): TitlesDomain {
  const going = new Map<LibraryKey, Asking>()

  /** @throws AppError `not-found` */
  async function mustBeThere(key: LibraryKey): Promise<void> {
    if ((await home().library.find(key)) === undefined)
      throw new AppError('not-found', `There is no conversation "${parseLibraryKey(key).key}".`)
  }

  return {
    handlers: {
      async set({ key, title }) {
        await mustBeThere(key)
        const { titling, titled } = home()
        await titling.set(key, title)
        await titled(key)
      },
      async preview({ key }) {
        await mustBeThere(key)
        return home().titling.preview(key)
      },
      async ask({ key }) {
        if (going.has(key)) throw new AppError('busy', 'The model is being asked already.')
        const controller = new AbortController()
        const { titling, titled } = home()
        const asking = mustBeThere(key).then(() => titling.ask(key, true, controller.signal))
        going.set(key, { controller, ended: asking.catch(() => undefined) })
        try {
          const end = await asking
          if (end.outcome === 'titled' || end.outcome === 'kept') await titled(key)
          return end
        } finally {
          going.delete(key)
        }
      },
      cancel: async ({ key }) => going.get(key)?.controller.abort(),
    },
    async close() {
      const all = [...going.values()]
      for (const { controller } of all) controller.abort()
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}
