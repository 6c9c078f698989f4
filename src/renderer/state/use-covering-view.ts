import { useCompare, useLost, useMap, useSearch, useStatistics } from './context'
import { type CoveringView, viewNames } from './follow/follow-views'

/** Follows which view covers the conversation; undefined while none does. */
export function useCoveringView(): CoveringView | undefined {
  const isOpen: Readonly<Record<CoveringView, boolean>> = {
    search: useSearch((state) => state.isOpen),
    lost: useLost((state) => state.isOpen),
    map: useMap((state) => state.isOpen),
    compare: useCompare((state) => state.isOpen),
    statistics: useStatistics((state) => state.isOpen),
  }
  return viewNames.find((name) => isOpen[name])
}
