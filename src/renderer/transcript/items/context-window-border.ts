import { createContext } from 'react'
import type { WindowStart } from '../../../shared/model/conversation/transcript'
import type { PageRun } from '../../state/transcript-state'
import { sourceLinesOf } from './items'
import type { ListItem } from './use-items'

/** Border of the context window among the items. */
export interface ContextWindowBorder {
  isOut(item: ListItem, index: number): boolean
}

/** Context that is true for turns that are no longer sent to the model. */
export const OutsideContextWindow = createContext(false)

const none: ContextWindowBorder = { isOut: () => false }

/**
 * Finds the start of the context window among the items. Where its anchor is not among the rows, all items are
 * outside or none is.
 *
 * @param start undefined where nothing is known, null where there is no border: then nothing is out
 */
export function contextWindowBorder(
  items: readonly ListItem[],
  { bytesBefore }: Pick<PageRun, 'bytesBefore'>,
  start: WindowStart | null | undefined,
): ContextWindowBorder {
  if (start == null) return none
  const kept = new Set<string>(start.kept)
  const at = items.findLastIndex(
    (item) => item.type === 'seam' && item.entries.some(({ id }) => id === start.anchor),
  )
  const first = at >= 0 ? at : bytesBefore < start.bytesBefore ? items.length : 0
  return {
    isOut: (item, index) => index < first && !isLive(item) && !isKept(item, kept),
  }
}

function isLive({ type }: ListItem): boolean {
  return type === 'live' || type === 'unwritten'
}

function isKept(item: ListItem, kept: ReadonlySet<string>): boolean {
  if (kept.size === 0 || item.type === 'live' || item.type === 'unwritten') return false
  return sourceLinesOf(item).some(({ id }) => id !== undefined && kept.has(id))
}
