import { z } from 'zod'
import { ConversationKey } from '../conversation/conversation'
import { EntryId } from '../conversation/entry'

/** A conversation as others name it: its source, and its key there. */
export const ConversationRef = z.object({ source: z.string(), key: ConversationKey })
export type ConversationRef = z.infer<typeof ConversationRef>

/**
 * A run of entries that exists once, however many files repeat it. Its children fork at its end.
 *
 * Key order and names are those of `skein branches --json`.
 */
export const BranchNode = z.object({
  /** The same as long as the run's first entry keeps its position. */
  id: z.string(),
  /** The oldest conversation that holds the run, and its source. */
  source: z.string(),
  key: ConversationKey,
  /** Every conversation whose path goes through the run, oldest first; `holders` names their sources too. */
  keys: z.array(ConversationKey),
  holders: z.array(ConversationRef),
  kind: z.enum(['run', 'subagent']),
  /** The id of the node that this one goes on from; null for a root. */
  parent: z.string().nullable(),
  /** Inclusive; ids as `key` has them. */
  fromEntry: EntryId,
  toEntry: EntryId,
  /** Entries in the run. */
  entries: z.int(),
  /** The first words of a person in it. */
  title: z.string(),
  /** When its first entry was written, else its conversation's begin; ISO 8601 in UTC. */
  created: z.string().nullable(),
  /** On the family's current path. */
  active: z.boolean(),
})
export type BranchNode = z.infer<typeof BranchNode>

/** Conversations that share a prefix, as one tree. Nodes stand parents first, siblings by birth: the order of the rows. */
export const Family = z.object({
  /** The id of the oldest root. Further roots (a branch that took nothing over) are nodes without a parent. */
  root: z.string(),
  nodes: z.array(BranchNode),
})
export type Family = z.infer<typeof Family>

/**
 * Origin of a context that began as a branch: `metadata.origin` of its `context_created` anchor. Copies of `entries`
 * entries follow the anchor; the last is a copy of `entry`. Copies of our own entries keep their ids; copies of
 * foreign ones have ids of their own.
 */
export const ContextOrigin = z.object({
  source: z.string(),
  key: ConversationKey,
  /** The last entry taken over; null when the branch begins before the first one. */
  entry: EntryId.nullable(),
  entries: z.int().nonnegative(),
})
export type ContextOrigin = z.infer<typeof ContextOrigin>

/** The call that began the conversation of a subagent. */
export const SubagentOrigin = z.object({
  /** The conversation that called it, of the same source. */
  key: ConversationKey,
  /** The id of the tool call, where the format keeps it. */
  call: z.string().optional(),
})
export type SubagentOrigin = z.infer<typeof SubagentOrigin>

/** Reads the origin that an anchor names. Undefined for every other entry, and for metadata of another shape. */
export function contextOrigin(entry: {
  readonly entry_type: string
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}): ContextOrigin | undefined {
  if (entry.entry_type !== 'context_created') return undefined
  const parsed = ContextOrigin.safeParse(entry.metadata?.origin)
  return parsed.success ? parsed.data : undefined
}

/** Lists the nodes after which no other run follows. Sub-agents are no leaves. */
export function leavesOf(family: Family): readonly BranchNode[] {
  const inner = new Set<string | null>()
  for (const node of family.nodes) if (node.kind === 'run') inner.add(node.parent)
  return family.nodes.filter((node) => node.kind === 'run' && !inner.has(node.id))
}

/** Returns true where a conversation's path goes through a node of the family. */
export function isInFamily(family: Family, conversation: ConversationRef): boolean {
  return family.nodes.some((node) => isHolder(node, conversation))
}

/** Whether a conversation's path goes through the node. */
function isHolder(node: BranchNode, conversation: ConversationRef): boolean {
  return node.holders.some(
    (holder) => holder.key === conversation.key && holder.source === conversation.source,
  )
}

/** Lists the nodes from a root to this one, both included; empty for an id that is not in the family. */
export function pathTo(family: Family, id: string): readonly BranchNode[] {
  const byId = new Map(family.nodes.map((node) => [node.id, node]))
  const path: BranchNode[] = []
  for (let node = byId.get(id); node !== undefined; node = parentOf(node, byId)) path.push(node)
  return path.reverse()
}

/** The way from one node to another. */
export interface NodePath {
  /** From the first node upward, itself first, without `common`. */
  readonly up: readonly BranchNode[]
  /** The last node that both have on their path; undefined between two roots. */
  readonly common: BranchNode | undefined
  /** Downward to the second node, itself last, without `common`. */
  readonly down: readonly BranchNode[]
}

/**
 * Finds the path from one node up to the fork and down to another: the one that compare shows and arrow keys follow.
 */
export function pathBetween(family: Family, from: string, to: string): NodePath {
  const a = pathTo(family, from)
  const b = pathTo(family, to)
  let shared = 0
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++
  return {
    up: a.slice(shared).reverse(),
    common: shared === 0 ? undefined : a[shared - 1],
    down: b.slice(shared),
  }
}

/** A place in a conversation where it could have gone on differently: "2 / 3". */
export interface PathFork {
  /** The first entry of the conversation that differs, where the marker is. */
  readonly entry: EntryId
  /** All that goes on from the same place, by birth, the conversation's own among them. */
  readonly siblings: readonly BranchNode[]
  /** Which of them this is; counts from 0. */
  readonly index: number
}

/**
 * Lists the forks on a conversation's path, root first. A conversation with branches inside has a fork for each of
 * them, also for those that are not on its open path.
 */
export function forksOf(family: Family, conversation: ConversationRef): readonly PathFork[] {
  const children = new Map<string | null, BranchNode[]>()
  for (const node of family.nodes) {
    if (node.kind !== 'run') continue
    const siblings = children.get(node.parent)
    if (siblings === undefined) children.set(node.parent, [node])
    else siblings.push(node)
  }
  const forks: PathFork[] = []
  for (const siblings of children.values()) {
    if (siblings.length < 2) continue
    siblings.forEach((node, index) => {
      if (isHolder(node, conversation)) forks.push({ entry: node.fromEntry, siblings, index })
    })
  }
  return forks
}

function parentOf(node: BranchNode, byId: ReadonlyMap<string, BranchNode>): BranchNode | undefined {
  return node.parent === null ? undefined : byId.get(node.parent)
}
