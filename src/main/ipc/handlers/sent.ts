import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { CurrentHome } from '../current/current-home'
import { contextNameOf } from '../current/our-context'

/** Serves what models were sent. */
export function sentHandlers(home: CurrentHome<'sent'>): Handlers<Contract['sent']> {
  return {
    of: async ({ key, entryId }) => home().sent.of(contextOf(key), entryId),
    body: async ({ key, entryId }) =>
      JSON.stringify(await home().sent.body(contextOf(key), entryId), null, 2),
    around: async ({ key, entryId }) => home().sent.around(contextOf(key), entryId),
  }
}

function contextOf(key: LibraryKey): string {
  return contextNameOf(key, 'what its model was sent is not known here.')
}
