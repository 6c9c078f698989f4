import { isoMs } from '../../../shared/model/basics/time'
import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import { daysBetween, listTime } from '../../ui/format/format'

/** Returns the time of a conversation's last change as a row shows it; under the head of its date without the day. */
export function rowTime(
  { updated }: Pick<ConversationSummary, 'updated'>,
  nowMs: number,
  isUnderDate: boolean,
): string {
  const ms = isoMs(updated)
  if (ms === undefined) return ''
  return !isUnderDate && daysBetween(ms, nowMs) === 1 ? 'Yesterday' : listTime(ms, nowMs)
}
