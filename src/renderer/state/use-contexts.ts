import { useEffect } from 'react'
import { useStore } from 'zustand'
import { useActions, useStores } from './context'
import type { ContextsState } from './contexts'
import type { NotesState } from './notes'

/** Follows what is done with contexts as wholes: select the smallest slice. */
export function useContexts<T>(select: (state: ContextsState) => T): T {
  return useStore(useStores().contexts, select)
}

/** Follows the todos and goals of the open conversation: select the smallest slice. */
export function useNotes<T>(select: (state: NotesState) => T): T {
  return useStore(useStores().notes, select)
}

/** Stays with the open conversation when it gets another name, and leaves it when it is in the trash. */
export function useFollowedPlace(): void {
  const stores = useStores()
  const { openConversation } = useActions()
  useEffect(() => {
    const { app, contexts, transcript } = stores
    const isOpen = (key: string) => {
      const { place } = app.getState()
      return place.type === 'conversation' && place.key === key
    }
    return contexts.subscribe((now, before) => {
      if (now.renamed !== undefined && now.renamed !== before.renamed && isOpen(now.renamed.from))
        openConversation(now.renamed.to)
      const { destroyed } = now
      if (destroyed === undefined || destroyed === before.destroyed || !isOpen(destroyed.key))
        return
      transcript.getState().close()
      app.getState().show({ type: 'none' })
    })
  }, [stores, openConversation])
}
