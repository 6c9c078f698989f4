import { createContext, useContext } from 'react'
import type { StatisticsMark } from '../../../shared/model/statistics/marks'

/** Shows the conversations of a mark, under a label. */
export type ShowMark = (mark: StatisticsMark, label: string) => void

/** Provider of `ShowMark` for everything in the view. */
export const ShowMarkContext = createContext<ShowMark>(() => undefined)

/** Returns the function that shows a mark's conversations. */
export function useShownMark(): ShowMark {
  return useContext(ShowMarkContext)
}
