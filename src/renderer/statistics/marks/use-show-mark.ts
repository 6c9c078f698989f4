import { useState } from 'react'
import type { StatisticsMark } from '../../../shared/model/statistics/marks'
import { useActions, useStatistics } from '../../state/context'
import { focusSoon } from '../../ui/behaviour/focus'
import { conversationsText } from './labels'

/** Names of the ranges of time. */
export const rangeNames = {
  '30d': '30 days',
  '12w': '12 weeks',
  year: 'Year',
  all: 'All',
} as const

/** Returns a function that shows a mark's conversations in the library, and what screen readers get of it. */
export function useShowMark(): {
  readonly show: (mark: StatisticsMark, label: string) => void
  readonly shown: string
} {
  const { showConversationsOf } = useActions()
  const range = useStatistics((state) => state.range)
  const [shown, setShown] = useState('')
  const inTime = range === 'all' ? '' : `, ${rangeNames[range].toLowerCase()}`
  async function show(mark: StatisticsMark, label: string): Promise<void> {
    const number = await showConversationsOf(mark, `${label}${inTime}`)
    if (number === undefined) return
    setShown(`${label}: ${conversationsText(number)} in the library.`)
    focusSoon('library')
  }
  return { show: (mark, label) => void show(mark, label), shown }
}
