import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { LibraryState, LibraryStore } from './library'

/** What a home may open with. */
interface FirstOpened {
  /** The key of the conversation that was open last. */
  readonly last: string | undefined
  /** False once something else is open, or another home. */
  readonly isWanted: () => boolean
  readonly open: (key: LibraryKey) => void
  readonly openNew: () => void
}

/**
 * Opens the conversation that was open last, else the newest; a new one where there are none. While a list comes in parts the
 * one that was open last may still come: it is waited for, until something else is opened.
 */
export function openFirst(library: LibraryStore, first: FirstOpened): void {
  if (openNow(library.getState(), first)) return
  const stop = library.subscribe((now) => {
    if (openNow(now, first)) stop()
  })
}

/** False where the list does not say yet what is opened. */
function openNow({ conversations, phase }: LibraryState, first: FirstOpened): boolean {
  if (!first.isWanted()) return true
  const known = conversations.find(({ key }) => key === first.last)
  const isWaited = phase === 'loading' && first.last !== undefined
  const wanted = known ?? (isWaited ? undefined : conversations[0])
  if (wanted === undefined && phase === 'loading') return false
  if (wanted !== undefined) first.open(wanted.key)
  else if (phase === 'ready') first.openNew()
  return true
}
