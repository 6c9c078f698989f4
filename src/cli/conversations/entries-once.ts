import type { ReadConversation } from '../../main/readers/read-root'
import { ConversationKey } from '../../shared/model/conversation/conversation'
import type { Entry } from '../../shared/model/conversation/entry'
import { blockingKeys, groupRelatives } from '../../shared/model/family/blocking-keys'
import { outlineOf } from '../../shared/model/family/outline'
import { ownershipsOf } from '../../shared/model/family/ownership'

/** Conversations whose entries are parted among them, so that repeated ones count once. */
export interface EntriesOnce {
  /** The entries that count at each conversation, in the order given. */
  readonly own: readonly (readonly Entry[])[]
  /** Ends of branches that count at each conversation. */
  readonly leaves: readonly number[]
  /** Trees that they form, by the positions of their members; one that shares nothing is a tree alone. */
  readonly families: readonly (readonly number[])[]
}

/** Assigns each entry to the oldest conversation that has it. */
export function entriesOnce(conversations: readonly ReadConversation[]): EntriesOnce {
  const outlines = conversations.map((one) =>
    outlineOf({ ...one, key: ConversationKey.parse(one.key) }),
  )
  const own = conversations.map(({ entries }) => entries)
  const leaves = conversations.map(() => 0)
  const families: (readonly number[])[] = []
  for (const group of groupRelatives(outlines.map(blockingKeys))) {
    const members = group.flatMap((at) => outlines[at] ?? [])
    if (members.some(({ marks }) => marks.length > 0)) families.push(group)
    ownershipsOf(members).forEach((ownership, member) => {
      const at = group[member] ?? -1
      leaves[at] = ownership.leaves
      if (group.length < 2) return
      own[at] = ownership.ranges.flatMap(
        ([from, until]) => conversations[at]?.entries.slice(from, until ?? undefined) ?? [],
      )
    })
  }
  return { own, leaves, families }
}
