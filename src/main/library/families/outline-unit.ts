import { isoTime } from '../../../shared/model/basics/time'
import { ConversationKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import {
  allowGaps,
  refuseFailed,
  type UnreadPart,
} from '../../../shared/model/conversation/reading'
import { buildOutline, type Outline } from '../../../shared/model/family/outline'
import type { Disk } from '../../disk/interface/disk'
import type { ConversationFact } from '../../readers/common/reader'
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
  { key, reader, ref }: ConversationUnit,
  disk: Disk,
  signal: AbortSignal,
  listener?: UnitListener,
): Promise<Outline | undefined> {
  const builder = buildOutline()
  let conversation: ConversationFact | undefined
  const leaves: EntryId[] = []
  let first: number | undefined
  let last: number | undefined
  const onGap = listener === undefined ? refuseFailed(ref.key) : listener.gap
  for await (const fact of allowGaps(reader.read(ref, disk, signal), onGap)) {
    signal.throwIfAborted()
    if (fact.type === 'conversation' && conversation === undefined) {
      conversation = fact.conversation
      listener?.conversation(conversation)
    }
    if (fact.type === 'leaf') leaves.push(...fact.leaves)
    if (fact.type !== 'entry') continue
    listener?.entry(fact.entry)
    first ??= fact.entry.timestamp ?? undefined
    last = fact.entry.timestamp ?? last
    builder.add(fact.entry)
  }
  if (conversation === undefined) return undefined
  const { title, storedTitle, createdAt, formerKeys, subagentOf } = conversation
  const fileSeconds = ref.updatedAtMs === undefined ? undefined : ref.updatedAtMs / 1000
  return builder.end({
    source: ref.source,
    key: ConversationKey.parse(parseLibraryKey(key).key),
    title,
    storedTitle,
    formerKeys,
    subagentOf,
    forkRule: reader.forkRule,
    leaves,
    created: isoTime(createdAt ?? first),
    updated: isoTime(last ?? fileSeconds ?? createdAt),
  })
}
