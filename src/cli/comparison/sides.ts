import type { ReadConversation } from '../../main/readers/read-root'
import { AppError } from '../../shared/model/basics/errors'
import { type ForkedSide, SharedFacts } from '../../shared/model/comparison/forked-side'
import { ConversationKey } from '../../shared/model/conversation/conversation'
import { blockingKeys, groupRelatives } from '../../shared/model/family/blocking-keys'
import { type PartedWay, partWays, wholeWay } from '../../shared/model/family/fork'
import { mergeTree } from '../../shared/model/family/merge'
import { outlineOf } from '../../shared/model/family/outline'
import { UsageError } from '../command/arguments'
import { exactlyNamed, partlyNamed } from '../conversations/find'

/** One of the two that are compared: a conversation up to one of its entries. */
interface NamedSide {
  readonly conversation: ReadConversation
  /** Position of the entry; undefined where no entry was named: then it is the whole current path. */
  readonly entry: number | undefined
}

/**
 * Finds the side that `KEY` or `KEY@ENTRY` names. A key may have an `@` of its own: a whole key wins over a part of one, and
 * a longer key over a shorter one.
 *
 * @throws AppError `not-found` no such conversation, several, or no such entry
 */
export function namedSide(operand: string, conversations: readonly ReadConversation[]): NamedSide {
  const named = (one: ReadConversation) => one
  const readings = readingsOf(operand)
  for (const { key, entry } of readings) {
    const conversation = exactlyNamed(key, conversations, named)
    if (conversation !== undefined) return sideAt(conversation, entry)
  }
  for (const { key, entry } of readings) {
    const conversation = partlyNamed(key, conversations, named)
    if (conversation !== undefined) return sideAt(conversation, entry)
  }
  throw new AppError('not-found', `There is no conversation "${operand}".`)
}

/** The operand as a key alone, then as a key and an entry, at each `@` from the last one on. */
function readingsOf(
  operand: string,
): readonly { readonly key: string; readonly entry: string | undefined }[] {
  const readings: { key: string; entry: string | undefined }[] = [
    { key: operand, entry: undefined },
  ]
  for (let at = operand.lastIndexOf('@'); at > 0; at = operand.lastIndexOf('@', at - 1))
    readings.push({ key: operand.slice(0, at), entry: operand.slice(at + 1) })
  return readings
}

function sideAt(conversation: ReadConversation, id: string | undefined): NamedSide {
  if (id === undefined) return { conversation, entry: undefined }
  const entry = conversation.entries.findLastIndex((one) => one.id === id)
  if (entry === -1)
    throw new AppError(
      'not-found',
      `There is no entry "${id}" in ${conversation.source}:${conversation.key}; "skein show KEY --json" prints their ids.`,
    )
  return { conversation, entry }
}

/** Two sides parted at their fork, and the conversations that were looked at for it: both, and their relatives. */
interface Fork {
  readonly sides: readonly [ForkedSide, ForkedSide]
  readonly family: readonly ReadConversation[]
}

/**
 * Parts two sides at the end of what they share. A relative may be the only one to know that (two branches of one parent,
 * adopted from another system), so all conversations are looked at.
 *
 * @throws UsageError where both sides end at the same entry of one conversation
 */
export function forkOf(
  named: readonly [NamedSide, NamedSide],
  conversations: readonly ReadConversation[],
): Fork {
  const outlines = conversations.map((one) =>
    outlineOf({ ...one, key: ConversationKey.parse(one.key) }),
  )
  const places = named.map(({ conversation }) => conversations.indexOf(conversation))
  const [left, right] = named.map(({ entry }, side) => {
    const outline = outlines[places[side] ?? -1]
    if (outline === undefined) throw new Error('a side is none of the conversations')
    return { outline, entry }
  })
  if (left === undefined || right === undefined) throw new Error('two sides are compared')
  const groups = groupRelatives(outlines.map(blockingKeys)).filter((group) =>
    group.some((at) => places.includes(at)),
  )
  const [group, ...more] = groups
  const ways =
    group === undefined || more.length > 0
      ? { left: wholeWay(left.outline, left.entry), right: wholeWay(right.outline, right.entry) }
      : partWays(mergeTree(group.flatMap((at) => outlines[at] ?? [])), left, right)
  const sides = [sideOf(named[0], ways.left), sideOf(named[1], ways.right)] as const
  if (named[0].conversation === named[1].conversation && endOf(ways.left) === endOf(ways.right))
    throw new UsageError('Both sides are the same: name two conversations, or two entries of one.')
  return {
    sides: [sides[0], sides[1]],
    family: groups.flat().flatMap((at) => conversations[at] ?? []),
  }
}

function sideOf({ conversation }: NamedSide, { shared, after }: PartedWay): ForkedSide {
  const at = (positions: readonly number[]) =>
    positions.flatMap((position) => conversation.entries[position] ?? [])
  const facts = new SharedFacts()
  for (const entry of at(shared)) facts.add(entry)
  return { conversation, shared: facts.part(), after: at(after) }
}

/** Position of the last entry of a way; undefined where it has none. */
function endOf({ shared, after }: PartedWay): number | undefined {
  return after.at(-1) ?? shared.at(-1)
}
