import { pushAll } from '../../../shared/model/basics/long-lists'
import { isoTime } from '../../../shared/model/basics/time'
import { ConversationKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import {
  allowGaps,
  refuseFailed,
  type UnreadPart,
} from '../../../shared/model/conversation/reading'
import { keyedEntries } from '../../../shared/model/family/blocking-keys'
import { buildOutline, type Outline } from '../../../shared/model/family/outline'
import type { Disk } from '../../disk/interface/disk'
import { type ConversationFact, forkRuleOf } from '../../readers/common/reader'
import type { ConversationUnit } from '../scan/conversation-units'

/** Hears a conversation while its outline is made. */
export interface UnitListener {
  /** Its head, before any entry. */
  conversation(fact: ConversationFact): void
  entry(entry: Entry): void
  /** A part that could not be read. May throw, which ends the reading. */
  gap(part: UnreadPart): void
}

/**
 * Reads a conversation and makes its outline, without holding text; undefined where the files hold no conversation.
 * The outline of a damaged one has what can be read.
 *
 * @param listener hears what is read; a part that may be readable the next time is an error without one
 * @throws AppError; `unreadable` also where a part may be readable the next time
 */
export async function outlineUnit(
  unit: ConversationUnit,
  disk: Disk,
  signal: AbortSignal,
  listener?: UnitListener,
): Promise<Outline | undefined> {
  return (await outlined(unit, disk, signal, { listener }))?.outline
}

/** Outline of a conversation, or of its beginning. */
export interface UnitBeginning {
  readonly outline: Outline
  /** The conversation ends there: the outline is that of all of it. */
  readonly isWhole: boolean
}

/**
 * Reads as much of a conversation as `blockingKeys` takes, and makes the outline of that; undefined where the files hold
 * no conversation.
 *
 * @throws AppError; `unreadable` also where a part may be readable the next time
 */
export function outlineBeginning(
  unit: ConversationUnit,
  disk: Disk,
  signal: AbortSignal,
): Promise<UnitBeginning | undefined> {
  // Beyond the last of them, so that its message is whole.
  return outlined(unit, disk, signal, { most: 2 * keyedEntries })
}

async function outlined(
  { key, reader, ref }: ConversationUnit,
  disk: Disk,
  signal: AbortSignal,
  how: { readonly listener?: UnitListener | undefined; readonly most?: number },
): Promise<UnitBeginning | undefined> {
  const { listener, most = Number.POSITIVE_INFINITY } = how
  const builder = buildOutline()
  let conversation: ConversationFact | undefined
  const leaves: EntryId[] = []
  let first: number | undefined
  let last: number | undefined
  let entries = 0
  const onGap = listener === undefined ? refuseFailed(ref.key) : listener.gap
  for await (const fact of allowGaps(reader.read(ref, disk, signal), onGap)) {
    signal.throwIfAborted()
    if (fact.type === 'conversation' && conversation === undefined) {
      conversation = fact.conversation
      listener?.conversation(conversation)
    }
    if (fact.type === 'leaf') pushAll(leaves, fact.leaves)
    if (fact.type !== 'entry') continue
    if (++entries > most) break
    listener?.entry(fact.entry)
    first ??= fact.entry.timestamp ?? undefined
    last = fact.entry.timestamp ?? last
    builder.add(fact.entry)
  }
  if (conversation === undefined) return undefined
  const { title, storedTitle, createdAt, formerKeys, subagentOf } = conversation
  const fileSeconds = ref.updatedAtMs === undefined ? undefined : ref.updatedAtMs / 1000
  const outline = builder.end({
    source: ref.source,
    key: ConversationKey.parse(parseLibraryKey(key).key),
    title,
    storedTitle,
    formerKeys,
    subagentOf,
    forkRule: forkRuleOf(reader, ref),
    leaves,
    created: isoTime(createdAt ?? first),
    updated: isoTime(last ?? fileSeconds ?? createdAt),
  })
  return { outline, isWhole: entries <= most }
}
