import { isoTime } from '../../shared/model/time'
import type { Disk } from '../disk/disk'
import { lastWrite } from './gather'
import type { HistoryReader, SourceRef } from './reader'

/** What a list shows of a conversation; `readUnit` tells the same from a whole reading. */
export interface Glance {
  readonly title: string
  readonly project: string | null
  /** ISO 8601 in UTC, or null where nothing tells. */
  readonly created: string | null
  readonly updated: string | null
}

/** Facts looked at for the time of the first entry, where the source does not tell when a conversation was begun. */
const lookAt = 32

/**
 * Title and times of a unit that is one conversation, from a short read of its beginning, and of its end where its
 * entries have times; never the whole. Undefined where nothing of a conversation stands in it.
 *
 * @throws AppError `unreadable`, `not-found`
 */
export async function glanceAt(
  reader: HistoryReader,
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<Glance | undefined> {
  const begun = await beginningOf(reader, ref, disk, signal)
  if (begun === undefined) return undefined
  const { title, project, createdAt } = begun
  const last = await reader.lastTime?.(ref, disk, signal)
  return {
    title,
    project,
    created: isoTime(createdAt ?? begun.firstTime),
    updated: isoTime(last ?? lastWrite(ref, createdAt)),
  }
}

async function beginningOf(reader: HistoryReader, ref: SourceRef, disk: Disk, signal: AbortSignal) {
  if (reader.beginning !== undefined)
    return { ...(await reader.beginning(ref, disk, signal)), firstTime: undefined }
  let seen = 0
  let found: { title: string; project: string | null; createdAt: number | undefined } | undefined
  for await (const fact of reader.read(ref, disk, signal)) {
    seen += 1
    if (fact.type === 'conversation') found = fact.conversation
    const firstTime = fact.type === 'entry' ? fact.entry.timestamp : null
    if (found === undefined && seen < lookAt) continue
    if (found?.createdAt !== undefined || firstTime !== null || seen >= lookAt)
      return found && { ...found, firstTime: firstTime ?? undefined }
  }
  return found && { ...found, firstTime: undefined }
}
