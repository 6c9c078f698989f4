import type { ComparePoint } from '../../../shared/model/comparison/comparison-view'
import { libraryKeyOf } from '../../../shared/model/conversation/conversation'
import { type BranchNode, type Family, leavesOf } from '../../../shared/model/family/family'

/**
 * Returns the way to a node of a family as one side of a comparison: to where its conversation is now, unless another
 * leaf is of that conversation too.
 */
export function comparePointOf(family: Family, node: BranchNode): ComparePoint {
  const key = libraryKeyOf(node.source, node.key)
  const leaves = leavesOf(family).filter((one) => libraryKeyOf(one.source, one.key) === key)
  return leaves.length === 1 && leaves[0]?.id === node.id ? { key } : { key, entry: node.toEntry }
}
