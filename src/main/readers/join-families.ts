import { ConversationKey } from '../../shared/model/conversation/conversation'
import type { Entry, EntryId } from '../../shared/model/conversation/entry'
import { blockingKeys, groupRelatives } from '../../shared/model/family/blocking-keys'
import { contextOrigin, type SubagentOrigin } from '../../shared/model/family/family'
import { mergeTree } from '../../shared/model/family/merge'
import { outlineOf } from '../../shared/model/family/outline'
import { type Kinship, kinshipsOf } from '../../shared/model/family/parents'
import type { ForkRule } from '../../shared/model/family/tree'

/** The part of a conversation that its relatives add to, and that they are compared by. */
interface Member {
  readonly source: string
  readonly key: string
  readonly title: string
  readonly storedTitle?: string | undefined
  readonly created: string | null
  readonly updated: string | null
  readonly parent: { readonly key: string; readonly entries: number } | null
  readonly formerKeys?: readonly string[] | undefined
  readonly forkRule?: ForkRule
  readonly subagentOf?: SubagentOrigin
  readonly active: readonly EntryId[]
  readonly entries: readonly Entry[]
}

/**
 * Adds to conversations what their relatives know: each one's parent, unless it is known; `inherited` on the entries
 * that it repeats of its parent; and for formats without ids the ids of the oldest file that holds an entry.
 *
 * Order stays. Reads every text once, then is near-linear in the messages.
 */
export function joinFamilies<T extends Member>(conversations: readonly T[]): readonly T[] {
  const outlines = conversations.map((conversation) =>
    outlineOf({ ...conversation, key: ConversationKey.parse(conversation.key) }),
  )
  const joined = conversations.slice()
  for (const group of groupRelatives(outlines.map(blockingKeys))) {
    if (group.length < 2) continue
    const positions = new Map(group.map((at) => [outlines[at], at]))
    const tree = mergeTree([...positions.keys()].flatMap((outline) => outline ?? []))
    kinshipsOf(tree).forEach((kinship, i) => {
      const at = positions.get(tree.outlines[i]) ?? -1
      const member = conversations[at]
      if (member !== undefined) joined[at] = withKinship(member, kinship)
    })
  }
  return joined
}

function withKinship<T extends Member>(conversation: T, kinship: Kinship): T {
  const { entries } = conversation
  const parent = conversation.parent ?? parentOf(kinship)
  // Our own anchor comes before the entries that its branch inherited.
  const first = entries[0] !== undefined && contextOrigin(entries[0]) !== undefined ? 1 : 0
  const end = first + (parent?.entries ?? 0)
  const ids = sharedIds(conversation, kinship)
  const copies = new Set(kinship.copies)
  const joined = entries.map((entry, i) => {
    const id = ids[i] ?? entry.id
    if ((i >= first && i < end && kinship.copies === undefined) || copies.has(i))
      return { ...entry, id, inherited: true as const }
    return id === entry.id ? entry : { ...entry, id }
  })
  const renamed = new Map(entries.map((entry, i) => [entry.id, joined[i]?.id ?? entry.id]))
  const active = conversation.active.map((id) => renamed.get(id) ?? id)
  return { ...conversation, parent, active, entries: joined }
}

function parentOf({ parent }: Kinship): Member['parent'] {
  return parent === undefined ? null : { key: parent.key, entries: parent.entries }
}

/** None where two entries would have the same one: an id must name one entry of a conversation. */
function sharedIds({ entries }: Member, kinship: Kinship): readonly EntryId[] {
  const ids = entries.map((entry, i) => kinship.sharedIds[i] ?? entry.id)
  return new Set(ids).size < ids.length ? [] : kinship.sharedIds
}
