import { createHash } from 'node:crypto'
import type { Disk } from '../../main/disk/interface/disk'
import { isNotFound } from '../../main/disk/reading/read'
import type { SourceRef } from '../../main/readers/common/reader'
import type { ReadConversation } from '../../main/readers/read-root'
import { AppError } from '../../shared/model/basics/errors'
import type { Entry } from '../../shared/model/conversation/entry'
import { type FoundConversation, type ListedRef, listRefs, readListed } from '../conversations/find'
import { sayOnce } from '../conversations/tolerant-reader'

/** An entry that has come, and where. */
interface Arrival {
  readonly entry: Entry
  readonly conversation: ReadConversation
  readonly ref: SourceRef
}

interface FollowOptions {
  readonly args: Parameters<typeof listRefs>[0]
  readonly disk: Disk
  /** Ends the following. */
  readonly signal: AbortSignal
  /** Which conversations, by name. */
  readonly wanted: (ref: SourceRef) => boolean
  /** Unix milliseconds. */
  readonly now: number
  /** Lets a moment pass between two looks. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Hears what cannot be read now, in words, once each; the others are followed all the same. */
  readonly note: (words: string) => void
}

/** State of a conversation at the last look. */
interface Known {
  readonly stamp: string
  /** Ids of the entries that were there or were printed; undefined while it has not been read. */
  readonly told: ReadonlySet<string> | undefined
  /** Bytes of each file, at the first look. */
  readonly bytes: ReadonlyMap<string, number>
}

const lookEveryMs = 500
/** A conversation that changed so lately may be going on: it is read at once, since its file may be written anew and not appended to. */
const liveMs = 24 * 3_600_000

/**
 * Yields the entries that come into conversations from now on, and new conversations whole; polls twice a second and reads
 * what has changed.
 *
 * @param first gets, before anything has come, what was read at first: always the newest conversation
 */
export async function* followEntries(
  { args, disk, signal, wanted, now: startedAt, pause, note }: FollowOptions,
  first: (read: readonly FoundConversation[]) => Promise<void>,
): AsyncGenerator<Arrival> {
  /** Conversations by key: one that is away for a moment, as a file that is being replaced, stays known. */
  const known = new Map<string, Known>()
  const noteOnce = sayOnce(note)
  try {
    const refs = await look()
    const read: FoundConversation[] = []
    const newest = refs.reduce((latest, { ref }) => Math.max(latest, ref.updatedAtMs ?? 0), 0)
    for (const listed of refs) {
      const isNewest = (listed.ref.updatedAtMs ?? 0) === newest
      known.set(placeOf(listed.ref), await firstSight(listed, isNewest, read))
    }
    await first(read)
    while (!signal.aborted) {
      await pause(lookEveryMs, signal)
      for (const listed of await look()) {
        const place = placeOf(listed.ref)
        const before = known.get(place)
        if (before?.stamp !== stampOf(listed.ref)) known.set(place, yield* news(listed, before))
      }
    }
  } catch (error) {
    // Whoever ends it, ends it here: what was being read does not matter any more.
    if (!signal.aborted) throw error
  }

  async function look(): Promise<readonly ListedRef[]> {
    const refs: ListedRef[] = []
    for await (const listed of listRefs(args, disk, signal, noteOnce))
      if (wanted(listed.ref)) refs.push(listed)
    return refs
  }

  /** Old entries are known by the file's size where a file only grows; else by themselves. */
  async function firstSight(
    listed: ListedRef,
    isNewest: boolean,
    read: FoundConversation[],
  ): Promise<Known> {
    const { files, updatedAtMs } = listed.ref
    const bytes = new Map(files.map((one) => [one.file, one.bytes]))
    const stamp = stampOf(listed.ref)
    const isQuiet = updatedAtMs !== undefined && startedAt - updatedAtMs > liveMs
    if (isQuiet && !isNewest && files.length > 0) return { stamp, told: undefined, bytes }
    const found = await tryRead(listed)
    if (found === undefined) return { stamp: '', told: undefined, bytes }
    read.push(found)
    return { stamp, told: new Set(signsOf(found.conversation.entries)), bytes }
  }

  async function* news(
    listed: ListedRef,
    before: Known | undefined,
  ): AsyncGenerator<Arrival, Known> {
    const { ref } = listed
    const bytes = before?.bytes ?? new Map<string, number>()
    const found = await tryRead(listed)
    // Tried again at the next look.
    if (found === undefined) return { stamp: '', told: before?.told, bytes }
    const { conversation } = found
    const signs = signsOf(conversation.entries)
    for (const [at, entry] of conversation.entries.entries()) {
      const isOld =
        before?.told?.has(signs[at] ?? '') ??
        // A line that was unfinished then has come since.
        entry.offset + entry.length <= (bytes.get(entry.file) ?? 0)
      if (!isOld) yield { entry, conversation, ref }
    }
    return { stamp: stampOf(ref), told: new Set([...(before?.told ?? []), ...signs]), bytes }
  }

  async function tryRead(listed: ListedRef) {
    try {
      const found = await readListed(listed, disk, signal)
      // Half of it would count as all, and the rest as new.
      const failed = found?.unread.find(({ cause }) => cause === 'failed')
      if (failed === undefined) return found
      noteOnce(failed.sentence)
      return undefined
    } catch (error) {
      if (!(error instanceof AppError) && !isNotFound(error)) throw error
      noteOnce(error instanceof Error ? error.message : String(error))
      return undefined
    }
  }
}

/** Two homes may have a conversation of one name. */
function placeOf(ref: SourceRef): string {
  return `${sourceAndKey(ref)} ${ref.root}`
}

/** Makes `source:key` of a conversation. */
export function sourceAndKey(ref: Pick<SourceRef, 'source' | 'key'>): string {
  return `${ref.source}:${ref.key}`
}

/**
 * Makes a sign of each entry that no other of its conversation has: its id; where that is only the number of its line, its
 * text and how often it came before, since a line that is put in above moves the numbers.
 */
function signsOf(entries: readonly Entry[]): readonly string[] {
  const times = new Map<string, number>()
  return entries.map((entry) => {
    const { id, entry_type, from, tool_call_id, content } = entry
    const words = JSON.stringify([entry_type, from, tool_call_id, content])
    const sign = /^L\d/.test(id) ? createHash('sha256').update(words).digest('base64') : id
    const before = times.get(sign) ?? 0
    times.set(sign, before + 1)
    return `${sign} ${before}`
  })
}

function stampOf(ref: SourceRef): string {
  const files = ref.files.map(({ file, bytes, mtimeMs, identity }) => [
    file,
    bytes,
    mtimeMs,
    identity,
  ])
  return JSON.stringify([ref.bytes, ref.updatedAtMs, files])
}
