import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import type { LibrarySort } from '../../state/app/layout'
import { formatByteSize, formatCount } from '../../ui/format/format'
import { rowTime } from './row-time'

/** Text at the end of a row, and the word that a screen reader hears after it. */
export interface RowMeta {
  readonly text: string
  readonly unit?: string
}

/** Returns what the library is sorted by of a conversation: its size, its number of entries, else the time of its last change. */
export function rowMeta(
  summary: Pick<ConversationSummary, 'updated' | 'entries' | 'bytes'>,
  sort: LibrarySort,
  nowMs: number,
  isUnderDate: boolean,
): RowMeta {
  if (sort === 'size') return { text: formatByteSize(summary.bytes) }
  if (sort === 'entries')
    return summary.entries === undefined
      ? { text: '–', unit: 'not counted' }
      : { text: formatCount(summary.entries), unit: 'entries' }
  return { text: rowTime(summary, nowMs, isUnderDate) }
}
