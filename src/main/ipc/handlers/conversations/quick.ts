import type { QuickMessage, QuickView } from '../../../../shared/ipc/app/quick'
import type { Contract } from '../../../../shared/ipc/contract'
import type { Handlers } from '../../../../shared/ipc/wire/primitives'

/** Functions of the quick entry, as its window may call them. */
export interface QuickCalls {
  view(): Promise<QuickView>
  /** @throws AppError `not-found` */
  send(message: QuickMessage): Promise<void>
  keep(text: string): Promise<void>
  hide(): void
}

/** Serves the calls of `quickContract`, to the window of the quick entry alone. */
export function quickHandlers(quick: QuickCalls): Handlers<Contract['quick']> {
  return {
    view: () => quick.view(),
    send: (message) => quick.send(message),
    keep: ({ text }) => quick.keep(text),
    hide: async () => quick.hide(),
  }
}
