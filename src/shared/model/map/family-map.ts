import { z } from 'zod'
import { LibraryKey } from '../conversation/conversation'
import { EntryId } from '../conversation/entry'
import { BranchNode } from '../family/family'

/** A node of a family without the conversations that hold it: of thousands of nodes each may have thousands. */
export const MapNode = BranchNode.omit({ keys: true, holders: true })
export type MapNode = z.infer<typeof MapNode>

// By hand: of 50,000 entries there are hundreds of thousands.
const Numbers = z.custom<readonly number[]>(
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'number'),
)

/**
 * Facts of every message (line of the source) of a family, each once, in the order of the nodes and of the messages in
 * them. Flat lists, so that filters and sums over them are cheap: see `renderer/map/ROOM.md`.
 */
export const MapFacts = z.object({
  /** By node: its first message; one more than there are nodes, so that the next one is its end. */
  starts: Numbers,
  /** By message: its first entry in `ids`; one more than there are messages. */
  entries: Numbers,
  /** Of every entry, as the conversation of its node has them. */
  ids: z.array(EntryId),
  /** By message: bits, see `messageTrait`. */
  traits: Numbers,
  /** By message, in Unix ms; 0 where it is not known. */
  times: Numbers,
  /** By message: one more than the position of its model's name; 0 where it names none. */
  models: Numbers,
  modelNames: z.array(z.string()),
  toolNames: z.array(z.string()),
  /** Two numbers a tool call, by message: the message, and the position of the tool's name. */
  calls: Numbers,
  /** The message of each failed tool result. */
  failures: Numbers,
  /** Five numbers a usage record, by message: the message, input, output and all tokens, the cost or -1 for none. */
  usages: Numbers,
})
export type MapFacts = z.infer<typeof MapFacts>

/** A family as its map needs it, around one conversation. */
export const FamilyMap = z.object({
  /** Parents first, siblings by birth. `active` is the way of the conversation that was asked for. */
  nodes: z.array(MapNode),
  /** All conversations of the family, and the node in which each is now, by position in `nodes`. */
  conversations: z.array(z.object({ key: LibraryKey, title: z.string(), leaf: z.int() })),
  /** The nodes on the way of the conversation that was asked for, with the ids that its entries have in it. */
  path: z.array(z.object({ node: z.string(), firstEntry: EntryId, lastEntry: EntryId })),
  facts: MapFacts,
})
export type FamilyMap = z.infer<typeof FamilyMap>

/** Answer to the question for a conversation's map, as far as it is known now. */
export const FamilyMapAnswer = z.object({
  /** Null when nothing of the conversation is known, or it has no entry. */
  map: FamilyMap.nullable(),
  /** Conversations are still being read: a later answer may say more. */
  counting: z.boolean(),
})
export type FamilyMapAnswer = z.infer<typeof FamilyMapAnswer>
