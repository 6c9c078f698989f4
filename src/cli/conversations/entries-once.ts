import type { ReadConversation } from '../../main/readers/read-root'
import { ConversationKey } from '../../shared/model/conversation/conversation'
import type { Entry } from '../../shared/model/conversation/entry'
import { blockingKeys, groupRelatives } from '../../shared/model/family/blocking-keys'
import { type MergedTree, mergeTree } from '../../shared/model/family/merge'
import { type Outline, outlineOf } from '../../shared/model/family/outline'

/**
 * Assigns each entry to the oldest conversation that has it, so that repeated ones count once.
 *
 * @returns `own` has the entries that count at each conversation, in the order given; `families` is how many trees they
 * form, one that shares nothing being a tree alone
 */
export function entriesOnce(conversations: readonly ReadConversation[]): {
  readonly own: readonly (readonly Entry[])[]
  readonly families: number
} {
  const outlines = conversations.map((one) =>
    outlineOf({ ...one, key: ConversationKey.parse(one.key) }),
  )
  const own = conversations.map(({ entries }) => entries)
  let families = 0
  for (const group of groupRelatives(outlines.map(blockingKeys))) {
    const positions = new Map(group.map((at) => [outlines[at], at]))
    const tree = mergeTree([...positions.keys()].flatMap((outline) => outline ?? []))
    if (tree.count > 0) families += 1
    if (group.length < 2) continue
    tree.outlines.forEach((outline, member) => {
      const at = positions.get(outline) ?? -1
      own[at] = ownOf(tree, member, outline, own[at] ?? [])
    })
  }
  return { own, families }
}

/** The entries whose place was first met in this conversation, and its own anchor, which has no place. */
function ownOf(
  tree: MergedTree,
  member: number,
  { starts }: Outline,
  entries: readonly Entry[],
): readonly Entry[] {
  const own: Entry[] = []
  tree.places[member]?.forEach((place, message) => {
    const isOwn = place === -1 || (tree.owner[place] === member && tree.message[place] === message)
    if (isOwn) own.push(...entries.slice(starts[message], starts[message + 1]))
  })
  return own
}
