import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { SentReader } from '../../llm/sent/sent-reader'
import { ourContext } from '../current/our-context'

export function sentHandlers(sent: () => SentReader): Handlers<Contract['sent']> {
  return {
    of: async ({ key, entryId }) => sent().of(nameOf(key), entryId),
    body: async ({ key, entryId }) =>
      JSON.stringify(await sent().body(nameOf(key), entryId), null, 2),
    around: async ({ key, entryId }) => sent().around(nameOf(key), entryId),
  }
}

function nameOf(key: LibraryKey): string {
  return ourContext(key, 'what its model was sent is not known here.')
}
