import type { BackgroundNotice } from '../../../shared/ipc/app/background'
import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'

/** Serves the list of what was put off or failed in the background. */
export function backgroundHandlers(notices: {
  list(): readonly BackgroundNotice[]
  dismiss(upTo: number): void
}): Handlers<Contract['background']> {
  return {
    list: async () => [...notices.list()],
    async dismiss({ upTo }) {
      notices.dismiss(upTo)
      return [...notices.list()]
    },
  }
}
