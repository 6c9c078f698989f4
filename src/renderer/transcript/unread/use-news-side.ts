import { useEffect } from 'react'
import { useStores, useTranscript } from '../../state/context'
import type { ListItem } from '../items/use-items'
import { isNewsAbove } from './news-border'

/** Tells the unread store on which side of the view the border is. @param firstInView index of the first item in view */
export function useNewsSide(items: readonly ListItem[], firstInView = 0): void {
  const { unread } = useStores()
  const atEnd = useTranscript(({ run }) => run.atEnd)
  useEffect(
    () => unread.getState().setBorderAbove(isNewsAbove(items, firstInView, atEnd)),
    [unread, items, firstInView, atEnd],
  )
}
