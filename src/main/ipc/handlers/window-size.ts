import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { CurrentHome } from '../current/current-home'
import { contextNameOf } from '../current/our-context'

/** Serves what the next request of a context takes. */
export function windowSizeHandlers(
  home: CurrentHome<'sizeOfRequest' | 'sizeOfDraft'>,
): Handlers<Contract['windowSize']> {
  return {
    async of({ key }) {
      const size = await home().sizeOfRequest(contextOf(key))
      const { system, history, tools, attachments, limit, compactPercent, ...others } = size
      return {
        key,
        parts: { system, history, tools, attachments },
        ...others,
        limit: limit ?? null,
        compactPercent: compactPercent ?? null,
      }
    },
    draft: ({ key, text, images }) => home().sizeOfDraft(contextOf(key), text, images),
  }
}

function contextOf(key: LibraryKey): string {
  return contextNameOf(key, 'Skein asks no model there.')
}
