import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { MeasuredContextWindow } from '../../llm/tokens'
import { ourContext } from '../current/our-context'

/** What of the open home the calls need. */
export interface WindowSizes {
  /** See sizeOfWindow. */
  sizeOfWindow(context: string): Promise<MeasuredContextWindow>
  /** Tokens of a message that is not sent yet, by what the context's model is counted by. */
  sizeOfDraft(context: string, text: string, images: number): Promise<number>
}

/** @param home the home that is open; throws AppError `not-found` while none is */
export function windowSizeHandlers(home: () => WindowSizes): Handlers<Contract['windowSize']> {
  return {
    async of({ key }) {
      const size = await home().sizeOfWindow(nameOf(key))
      const { system, history, tools, attachments, limit, compactPercent, ...others } = size
      return {
        key,
        parts: { system, history, tools, attachments },
        ...others,
        limit: limit ?? null,
        compactPercent: compactPercent ?? null,
      }
    },
    draft: ({ key, text, images }) => home().sizeOfDraft(nameOf(key), text, images),
  }
}

function nameOf(key: LibraryKey): string {
  return ourContext(key, 'Skein asks no model there.')
}
