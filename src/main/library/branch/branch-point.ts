import { AppError } from '../../../shared/model/basics/errors'
import { type EntryDraft, isAnchor, speakerOf } from '../../../shared/model/conversation/entry'
import type { BranchAction } from '../../../shared/model/family/branching'
import { isToolEntry } from './tool-turn'

/** What an action takes over of the entry that it is asked for. */
export type BranchCut =
  /** The entry too; of a tool turn, all of it. */
  | 'after'
  /** What stands before it. */
  | 'before'
  /** What stands before the tool turn that it belongs to. */
  | 'before-turn'

/**
 * Where a branch is cut. A tool's call is never parted from its result: `branch` takes a turn over whole,
 * `regenerate` asks for it again from its first call on. From a person's words `regenerate` asks for their answer.
 *
 * @throws AppError `bad-argument` an `edit` of what no person said, a `regenerate` of an anchor
 */
export function branchCut(
  action: BranchAction['type'],
  entry: Pick<EntryDraft, 'entry_type' | 'role' | 'to' | 'content'>,
): BranchCut {
  if (action === 'branch') return 'after'
  const speaker = speakerOf(entry)
  if (action === 'edit') {
    if (speaker === 'user') return 'before'
    throw new AppError('bad-argument', 'Only what a person wrote can be edited and sent again.')
  }
  if (isAnchor(entry))
    throw new AppError('bad-argument', 'Nothing was answered there that could be asked for again.')
  // A page of another system is taken over as a person's words.
  if (speaker === 'user' || entry.entry_type === 'document') return 'after'
  return isToolEntry(entry) ? 'before-turn' : 'before'
}
