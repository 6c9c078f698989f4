import { useEffect } from 'react'
import { useActions, useStores } from './context'

/** Follows the open conversation when it is renamed, and closes it when it was moved to the trash. */
export function useFollowedRoute(): void {
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
