import { useEffect, useMemo } from 'react'
import { LibraryKey } from '../../../shared/model/conversation/conversation'
import { useLandmarks, useStores } from '../../state/context'
import { useLabelsIn } from '../../state/transcript-state'
import { type OutlineRow, outlineRows } from './outline-rows'

const noConversation = LibraryKey.parse('none')

/** Returns the rows of the outline of the open conversation, as far as it was read; has labelled entries looked for. */
export function useOutlineRows(): readonly OutlineRow[] {
  const { landmarks } = useStores()
  const key = useLandmarks((state) => state.key)
  const known = useLandmarks((state) => state.landmarks)
  const places = useLandmarks((state) => state.places)
  const isWhole = useLandmarks(({ part }) => part === 1)
  const labels = useLabelsIn(key ?? noConversation)
  // biome-ignore lint/correctness/useExhaustiveDependencies: entries that came may be those that were not found
  useEffect(() => {
    // An entry that is not found costs a reading of all.
    if (isWhole) void landmarks.getState().findLabelled(labels.map(({ here }) => here))
  }, [landmarks, labels, isWhole, places])
  return useMemo(() => outlineRows(known, labels, places), [known, labels, places])
}
