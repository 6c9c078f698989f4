import type {
  QuickDraftNames,
  QuickMessage,
  QuickView,
  QuickWords,
} from '../../../../shared/ipc/app/quick'
import type { Contract } from '../../../../shared/ipc/contract'
import type { Handlers } from '../../../../shared/ipc/wire/primitives'

/** Functions of the quick entry, as its window may call them. */
export interface QuickCalls {
  view(): Promise<QuickView>
  /** @throws AppError `not-found`, and as a run that cannot start */
  send(message: QuickMessage): Promise<QuickDraftNames>
  keep(words: QuickWords): Promise<void>
  hide(): void
}

/** Serves the calls of `quickContract`, to the window of the quick entry alone. */
export function quickHandlers(quick: QuickCalls): Handlers<Contract['quick']> {
  return {
    view: () => quick.view(),
    send: (message) => quick.send(message),
    keep: (words) => quick.keep(words),
    hide: async () => quick.hide(),
  }
}
