import { AppError } from '../../../shared/model/basics/errors'
import { type EntryDraft, isAnchor, speakerOf } from '../../../shared/model/conversation/entry'
import type { BranchAction } from '../../../shared/model/family/branching'
import { isToolEntry } from './tool-turn'

/** The part of its entry that an action takes over. */
export type BranchCut =
  /** The entry too; of a tool turn, all of it. */
  | 'after'
  /** Everything before it. */
  | 'before'
  /** Everything before the tool turn that it belongs to. */
  | 'before-turn'

/**
 * Returns where a branch is cut. A call is never parted from its result: `branch` takes over the whole tool turn,
 * `regenerate` repeats it from its first call on. At a person's message `regenerate` asks for its answer.
 *
 * @throws AppError `bad-argument` an `edit` of an entry that no person wrote, a `regenerate` of an anchor
 */
export function branchCut(
  action: BranchAction['type'],
  entry: Pick<EntryDraft, 'entry_type' | 'role' | 'to' | 'content'>,
): BranchCut {
  if (action === 'branch') return 'after'
  const speaker = speakerOf(entry)
  if (action === 'edit') {
    if (speaker === 'user') return 'before'
    throw new AppError('bad-argument', 'Only user messages can be edited and sent again.')
  }
  if (isAnchor(entry)) throw new AppError('bad-argument', 'There is no answer here to regenerate.')
  // A page of another system is taken over as a person's message.
  if (speaker === 'user' || entry.entry_type === 'document') return 'after'
  return isToolEntry(entry) ? 'before-turn' : 'before'
}
