import { isoTime } from '../../../shared/model/basics/time'
import type { LocalClock } from '../../../shared/model/basics/time-spec'
import { isGeneratedName } from '../../../shared/model/basics/title'
import { parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { Outline } from '../../../shared/model/family/outline'
import { type EntryRanges, isInRanges, ownershipsOf } from '../../../shared/model/family/ownership'
import type { StatisticsFacts } from '../../../shared/model/statistics/conversation-facts'
import { EntriesFold } from '../../../shared/model/statistics/entries-fold'
import type { Disk } from '../../disk/interface/disk'
import type { ConversationFact } from '../../readers/common/reader'
import { outlineUnit } from '../families/outline-unit'
import type { ConversationUnit } from '../scan/conversation-units'

/** A conversation that was read for statistics. */
export interface ReadUnit {
  /** Undefined where the files hold no conversation. */
  readonly outline: Outline | undefined
  readonly facts: StatisticsFacts | undefined
  /** Parts that could not be read, a sentence each. */
  readonly unread: readonly string[]
  /** False where a part may be readable the next time. */
  readonly isWhole: boolean
}

/**
 * Reads a conversation once, for its outline and its facts; holds no text.
 *
 * @param ranges the entries that count at it
 * @throws AppError where nothing can be read
 */
export async function readFacts(
  unit: ConversationUnit,
  ranges: EntryRanges,
  { disk, clock }: { readonly disk: Disk; readonly clock: LocalClock },
  signal: AbortSignal,
): Promise<ReadUnit> {
  const fold = new EntriesFold(clock)
  const unread: string[] = []
  let isWhole = true
  let head: ConversationFact | undefined
  let at = 0
  const outline = await outlineUnit(unit, disk, signal, {
    conversation: (fact) => {
      head = fact
    },
    entry: (entry) => fold.add(entry, isInRanges(at++, ranges) ? 'own' : 'shared'),
    gap: ({ cause, sentence }) => {
      unread.push(sentence)
      if (cause === 'failed') isWhole = false
    },
  })
  if (outline === undefined || head === undefined)
    return { outline: undefined, facts: undefined, unread, isWhole }
  const { title, project, storedTitle } = head
  const { source, key } = parseLibraryKey(unit.key)
  const { createdMs } = outline
  const created = isoTime(createdMs === undefined ? undefined : createdMs / 1000)
  const leaves = leavesAlone(outline)
  // A context is called as its folder is.
  const isTitled = source === 'chibi' ? !isGeneratedName(key) : storedTitle !== undefined
  const facts = fold.end({ source, key, title, project, created, leaves, isTitled })
  return { outline, facts, unread, isWhole }
}

/** Ends of branches of a conversation that shares nothing. */
function leavesAlone(outline: Outline): number {
  if (outline.strands === undefined) return outline.marks.length > 0 ? 1 : 0
  return ownershipsOf([outline])[0]?.leaves ?? 0
}
