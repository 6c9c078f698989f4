import path from 'node:path'
import { z } from 'zod'
import { wellFormedJson } from '../../shared/model/well-formed'
import { appendDurably } from '../disk/append'
import { moveToFree } from '../disk/atomic'
import type { Disk } from '../disk/disk'
import { decodeJsonLine } from '../disk/json-line'
import { isNotFound, readSmallFile } from '../disk/read'
import { contextPaths } from './home'
import { linesOf } from './inbox'

/** A message that waits in a context's inbox. */
export const InboxMessage = z.object({
  id: z.string(),
  timestamp: z.number(),
  from: z.string(),
  to: z.string(),
  content: z.string(),
})
export type InboxMessage = z.infer<typeof InboxMessage>

/** What an inbox holds. */
interface InboxContent {
  /** In the order in which they arrived; each id once. */
  readonly messages: readonly InboxMessage[]
  /** Lines that hold no message, as they stand. */
  readonly damaged: readonly Uint8Array[]
}

/** Where a context's inbox lies, and what is made of it while it is emptied. */
export interface InboxPaths {
  readonly inbox: string
  /** The inbox while its lines are sorted: what a crash left of that is read before the inbox. */
  readonly sorting: string
  /** Lines that hold no message are kept here when the inbox is emptied; chibi drops them. */
  readonly damaged: string
}

export function inboxPaths(home: string, context: string): InboxPaths {
  const { folder } = contextPaths(home, context)
  return {
    inbox: path.join(folder, 'inbox.jsonl'),
    sorting: path.join(folder, 'inbox.sorting.skein.jsonl'),
    damaged: path.join(folder, 'inbox.damaged.skein.jsonl'),
  }
}

/** Reads what waits for a context; changes nothing. @throws DiskError */
export async function readWaiting(disk: Disk, paths: InboxPaths): Promise<InboxContent> {
  const sorting = await readSmallFile(disk, paths.sorting)
  const inbox = await readSmallFile(disk, paths.inbox)
  const all = [...sortInbox(sorting), ...sortInbox(inbox)]
  const byId = new Map<string, InboxMessage>()
  for (const { messages } of all)
    for (const message of messages) if (!byId.has(message.id)) byId.set(message.id, message)
  const damaged = all.filter((line) => line.isDamaged).map((line) => line.bytes)
  return { messages: [...byId.values()], damaged }
}

/**
 * Takes delivered messages out of a context's inbox; call it once they stand durably where they were delivered.
 *
 * The file is first moved aside, so that whoever appends meanwhile makes a new one; then every line of it that was not
 * delivered is appended to that, and every damaged one to a file of its own, durable before the old file goes. A crash at
 * any step leaves each line in at least one of the files, and a message that is read twice has the same id. Whoever calls
 * holds the context's lock, as chibi does when it takes its messages.
 *
 * @throws DiskError what was not done yet is done by the next call
 */
export async function emptyInbox(
  disk: Disk,
  paths: InboxPaths,
  delivered: ReadonlySet<string>,
): Promise<void> {
  // What a crash left comes first: nothing may be moved over it.
  await sortOut(disk, paths, delivered)
  try {
    await moveToFree(disk, paths.inbox, paths.sorting, { durable: true })
  } catch (error) {
    if (isNotFound(error)) return
    throw error
  }
  await sortOut(disk, paths, delivered)
}

async function sortOut(
  disk: Disk,
  paths: InboxPaths,
  delivered: ReadonlySet<string>,
): Promise<void> {
  const [aside, inbox] = [await disk.stat(paths.sorting), await disk.stat(paths.inbox)]
  if (aside === undefined) return
  // A move that was cut off has left both names for one file: nothing was taken out of it yet.
  if (aside.identity === inbox?.identity) return disk.unlink(paths.sorting)
  const sort = async (bytes: Uint8Array) => {
    for (const line of sortInbox(bytes)) {
      if (line.isDamaged) await appendDurably(disk, paths.damaged, line.bytes)
      for (const message of line.messages)
        if (!delivered.has(message.id))
          await appendDurably(disk, paths.inbox, Buffer.from(wellFormedJson(message)))
    }
  }
  // Whoever had it open before it was moved may write to it still: an unfinished line waits for its end.
  let rest = new Uint8Array(0)
  for (let seen = 0, size = -1; size !== seen + rest.length; ) {
    const bytes = (await readSmallFile(disk, paths.sorting)) ?? rest
    const end = bytes.lastIndexOf(0x0a) + 1
    await sort(bytes.subarray(seen, end))
    seen = end
    rest = new Uint8Array(bytes.subarray(end))
    size = (await disk.stat(paths.sorting))?.sizeBytes ?? bytes.length
  }
  await sort(rest)
  await disk.syncFolder(path.dirname(paths.inbox))
  await disk.unlink(paths.sorting)
}

interface SortedLine {
  readonly bytes: Uint8Array
  readonly isDamaged: boolean
  /** Also of a damaged line: every whole message on it, as after a lost line feed. */
  readonly messages: readonly InboxMessage[]
}

/** Each line that is not blank, and what stands on it. */
function sortInbox(bytes: Uint8Array = new Uint8Array(0)): readonly SortedLine[] {
  return [...linesOf(bytes)].flatMap((line): readonly SortedLine[] => {
    const raw = { bytes: line, offset: 0, length: line.length, ended: true }
    const decoded = decodeJsonLine(raw, messageIn)
    if (decoded.type === 'blank') return []
    if (decoded.type === 'value')
      return [{ bytes: line, isDamaged: false, messages: [decoded.value] }]
    return [{ bytes: line, isDamaged: true, messages: decoded.recovered }]
  })
}

function messageIn(value: unknown): InboxMessage | string {
  return InboxMessage.safeParse(value).data ?? 'not a message'
}

/** The messages as chibi puts them before a prompt: each on a line of its own between two marks, then a blank line. */
export function inboxText(messages: readonly InboxMessage[]): string {
  const lines = messages.map(({ from, content }) => `[From: ${from}] ${content}\n`)
  return `--- INBOX MESSAGES ---\n${lines.join('')}--- END INBOX ---\n\n`
}
