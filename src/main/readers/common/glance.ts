import { isoSeconds, isoTime } from '../../../shared/model/basics/time'
import { allowGaps } from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import type { ConversationFact, Glance, HistoryReader, SourceRef } from './reader'

/** Facts read for the time of the first entry, where the source has no time of the beginning. */
const mostFacts = 32

/**
 * Reads title and times of a unit that is one conversation, from a short read of its beginning, and of its end where
 * its entries have times; never all of it. Undefined where it holds no conversation.
 *
 * @throws AppError `unreadable`, `not-found`
 */
export async function glanceAt(
  reader: HistoryReader,
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<Glance | undefined> {
  if (ref.glance !== undefined) return ref.glance
  if (reader.glance !== undefined) return reader.glance(ref, disk, signal)
  const begun = await beginningOf(reader, ref, disk, signal)
  if (begun === undefined) return undefined
  return glanceFrom(ref, begun, await reader.lastTime?.(ref, disk, signal))
}

/** Facts that the ends of a conversation's file tell. */
export interface ReadEnds {
  /** The first fact of `read`. */
  readonly first: ConversationFact
  /** The result of `lastTime`. */
  readonly lastTime: number | undefined
}

/** Makes a reader have title and times by one reading of both ends of a file, where `read` and `lastTime` read them twice. */
export function withGlance(
  reader: HistoryReader,
  readEnds: (ref: SourceRef, disk: Disk, signal: AbortSignal) => Promise<ReadEnds>,
): HistoryReader {
  return {
    ...reader,
    async glance(ref, disk, signal) {
      const { first, lastTime } = await readEnds(ref, disk, signal)
      if (first.createdAt !== undefined) return glanceOf(ref, first, lastTime)
      // Only its entries may tell when it began.
      return glanceFrom(ref, await beginningOf(reader, ref, disk, signal), lastTime)
    },
  }
}

/**
 * Returns what a list shows of a conversation, from its first fact and the time of its last entry.
 *
 * @param last when the last entry was said, in Unix seconds, as `first` is of the first one; undefined where nothing tells
 */
export function glanceOf(
  ref: Pick<SourceRef, 'updatedAtMs'>,
  { title, project, createdAt }: Pick<ConversationFact, 'title' | 'project' | 'createdAt'>,
  last: number | undefined,
  first?: number,
): Glance {
  return {
    title,
    project,
    created: isoTime(createdAt ?? first),
    updated: isoTime(last ?? lastWrite(ref, createdAt)),
  }
}

/** Returns the time that the list of a source has of a conversation, in Unix seconds: it may have changed after its last entry. */
export function listedTime({ glance }: Pick<SourceRef, 'glance'>): number | undefined {
  return glance?.updated == null ? undefined : isoSeconds(glance.updated)
}

/**
 * Returns the time of the file, in Unix seconds, for entries without times; at least the conversation's beginning,
 * since clocks and copies may have an earlier one.
 */
export function lastWrite(
  { updatedAtMs }: Pick<SourceRef, 'updatedAtMs'>,
  createdAt: number | undefined,
): number | undefined {
  return updatedAtMs === undefined ? createdAt : Math.max(updatedAtMs / 1000, createdAt ?? 0)
}

interface Beginning extends ConversationFact {
  readonly firstTime: number | undefined
}

function glanceFrom(
  ref: SourceRef,
  begun: Beginning | undefined,
  lastTime: number | undefined,
): Glance | undefined {
  return begun && glanceOf(ref, begun, lastTime ?? begun.updatedAt, begun.firstTime)
}

async function beginningOf(
  reader: HistoryReader,
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<Beginning | undefined> {
  if (reader.beginning !== undefined)
    return { ...(await reader.beginning(ref, disk, signal)), firstTime: undefined }
  let seen = 0
  let found: ConversationFact | undefined
  // A title is that of what can be read; a count of the conversation reports what cannot.
  for await (const fact of allowGaps(reader.read(ref, disk, signal), () => undefined)) {
    seen += 1
    if (fact.type === 'conversation') found = fact.conversation
    const firstTime = fact.type === 'entry' ? fact.entry.timestamp : null
    if (found === undefined && seen < mostFacts) continue
    if (found?.createdAt !== undefined || firstTime !== null || seen >= mostFacts)
      return found && { ...found, firstTime: firstTime ?? undefined }
  }
  return found && { ...found, firstTime: undefined }
}
