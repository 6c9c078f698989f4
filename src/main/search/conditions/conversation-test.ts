import type { SearchableConversation } from '../../../shared/model/search'
import { type LeafCondition, leafConditions, truthOf } from './condition'
import type { Conditions } from './conditions'
import { scopeHolds } from './holds'
import { type LabelTest, labelScope } from './label-test'

/** Conditions on conversations, each asked of a conversation once. */
export interface ConversationTest {
  /** Returns false where no entry of a conversation can pass. */
  mayHold(conversation: SearchableConversation): boolean
  /** Returns whether the conditions on a conversation hold, by their numbers. */
  scopeOf(conversation: SearchableConversation): readonly boolean[]
}

/** Makes the test of conversations for conditions. @param all that are searched */
export function conversationTest(
  { root, scope }: Conditions,
  all: readonly SearchableConversation[],
): ConversationTest {
  const scopes = new Map<SearchableConversation, readonly boolean[]>()
  const answers = new Map<SearchableConversation, boolean>()
  const labelled = new Map(
    (root === undefined ? [] : leafConditions(root)).flatMap((leaf) =>
      leaf.type === 'label'
        ? [[leaf, labelScope(leaf, all)] as [LabelTest, ReturnType<typeof labelScope>]]
        : [],
    ),
  )

  function scopeOf(conversation: SearchableConversation): readonly boolean[] {
    const known = scopes.get(conversation) ?? scope.map((test) => scopeHolds(conversation, test))
    scopes.set(conversation, known)
    return known
  }

  function leafHolds(leaf: LeafCondition, conversation: SearchableConversation) {
    if (leaf.type === 'scope') return scopeOf(conversation)[leaf.at]
    if (isOfLeftBranch(leaf)) return conversation.tree === undefined ? false : undefined
    if (leaf.type !== 'label') return undefined
    return labelled.get(leaf)?.(conversation) === false ? false : undefined
  }

  return {
    scopeOf,
    mayHold(conversation) {
      const known =
        answers.get(conversation) ??
        (root !== undefined && truthOf(root, (leaf) => leafHolds(leaf, conversation)) !== false)
      answers.set(conversation, known)
      return known
    },
  }
}

function isOfLeftBranch(leaf: LeafCondition): boolean {
  return leaf.type === 'field' && leaf.field === 'branch' && leaf.folded === 'left'
}
