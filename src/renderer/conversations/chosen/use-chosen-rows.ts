import { useMemo } from 'react'
import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import { useChosen } from '../../state/context'
import { useNow } from '../../ui/behaviour/hooks'
import { useFilteredConversations } from '../filters/use-filtered'

const minuteMs = 60_000

/** Returns the chosen conversations that the library shows, in its order: what a filter hides is not acted on. */
export function useChosenRows(): readonly ConversationSummary[] {
  const keys = useChosen((state) => state.keys)
  const shown = useFilteredConversations(useNow(minuteMs), keys.size > 0)
  return useMemo(
    () => shown.filter(({ key, gone }) => keys.has(key) && gone !== true),
    [keys, shown],
  )
}
