import type { Contract } from '../../shared/ipc/contract'
import type { Handlers } from '../../shared/ipc/primitives'
import { type LibraryKey, partsOf } from '../../shared/model/conversation'
import { AppError } from '../../shared/model/errors'
import type { SentReader } from '../llm/sent/sent'

export function sentHandlers(sent: () => SentReader): Handlers<Contract['sent']> {
  return {
    of: async ({ key, entryId }) => sent().of(nameOf(key), entryId),
    body: async ({ key, entryId }) =>
      JSON.stringify(await sent().body(nameOf(key), entryId), null, 2),
    around: async ({ key, entryId }) => sent().around(nameOf(key), entryId),
  }
}

/** @throws AppError `bad-argument`: what another system sends its model is not known here */
function nameOf(key: LibraryKey): string {
  const { source, key: name } = partsOf(key)
  if (source === 'chibi') return name
  throw new AppError(
    'bad-argument',
    "This is another system's conversation: what its model was sent is not known here.",
  )
}
