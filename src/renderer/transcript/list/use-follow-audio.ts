import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { useAudio } from '../../state/context'
import type { ListItem } from '../items/use-items'
import { turnElementOf } from './use-list-keys'

/**
 * Scrolls to the next recording when it begins to play, for a reader who had the one before in view. Others stay
 * where they are.
 *
 * @returns the key of the item that plays
 */
export function useFollowAudio(options: {
  readonly items: readonly ListItem[]
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>
  readonly scroller: HTMLDivElement
}): string | undefined {
  const { items, virtualizer, scroller } = options
  const itemKey = useAudio(({ current }) => current?.itemKey)
  const before = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each recording, not when items come
  useEffect(() => {
    const wasSeen = before.current !== undefined && isSeen(scroller, before.current)
    before.current = itemKey
    if (itemKey === undefined || !wasSeen) return
    const index = items.findIndex(({ key }) => key === itemKey)
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' })
  }, [itemKey, virtualizer, scroller])
  return itemKey
}

/** Returns true where a part of an item's turn is in view. */
function isSeen(scroller: HTMLElement, itemKey: string): boolean {
  const turn = turnElementOf(scroller, itemKey)?.getBoundingClientRect()
  const view = scroller.getBoundingClientRect()
  return turn !== undefined && turn.bottom > view.top && turn.top < view.bottom
}
