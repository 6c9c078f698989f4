import path from 'node:path'
import { pushAll } from '../../../shared/model/basics/long-lists'
import { wellFormedJson } from '../../../shared/model/basics/well-formed'
import type { Disk } from '../../disk/interface/disk'
import { decodeJsonLineInSlices } from '../../disk/json/json-line'
import { isNotFound, readSmallFile } from '../../disk/reading/read'
import { appendDurably } from '../../disk/writing/append'
import { isSameFile, moveToFreeName, removeIfSame } from '../../disk/writing/atomic'
import { contextPaths } from '../core/home-paths'
import {
  type AsideInbox,
  type AsideProgress,
  freeAsideName,
  listAsideInboxes,
  readAsideInbox,
  readAsideProgress,
  toAsideProgress,
  writeAsideProgress,
} from './aside-inbox'
import { InboxMessage, splitInboxLines } from './inbox'

export { InboxMessage }

/**
 * Returns a key of a message's id, time, sender and text: messages with the same key are one. Lone surrogates count as
 * the transcript keeps them.
 */
export function messageKey(message: Omit<InboxMessage, 'to'>): string {
  const { id, timestamp, from, content } = message
  return wellFormedJson([id, timestamp, from, content])
}

/** Content of an inbox. */
interface InboxContent {
  /** In the order in which they arrived; each once. */
  readonly messages: readonly InboxMessage[]
  /** Lines that hold no message, unchanged. */
  readonly damaged: readonly Uint8Array[]
}

/** Paths of a context's inbox and of the files that its delivery writes. */
export interface InboxPaths {
  readonly folder: string
  readonly inbox: string
  /** Progress of the inboxes that were moved aside (`inbox.sorting*.skein.jsonl`). */
  readonly sorted: string
  /** Lines that hold no message are kept here when the inbox is emptied; chibi drops them. */
  readonly damaged: string
}

/** Returns the paths of a context's inbox. */
export function inboxPaths(home: string, context: string): InboxPaths {
  const { folder } = contextPaths(home, context)
  return {
    folder,
    inbox: path.join(folder, 'inbox.jsonl'),
    sorted: path.join(folder, 'inbox.sorted.skein.json'),
    damaged: path.join(folder, 'inbox.damaged.skein.jsonl'),
  }
}

/**
 * Reads the waiting messages of a context; changes nothing. A last line without an end waits for it, unless it is a
 * whole message.
 *
 * @throws DiskError
 */
export async function readWaitingMessages(disk: Disk, paths: InboxPaths): Promise<InboxContent> {
  const lines: SortedLine[] = []
  const progress = await readAsideProgress(disk, paths.sorted)
  for (const name of await listAsideInboxes(disk, paths.folder)) {
    const aside = await readAsideInbox(disk, paths.folder, name, progress.get(name))
    if (aside !== undefined) pushAll(lines, (await sortAside(aside)).lines)
  }
  const inbox = (await readSmallFile(disk, paths.inbox)) ?? new Uint8Array(0)
  pushAll(lines, await sortInbox(inbox.subarray(0, await wholeEnd(inbox))))
  const byKey = new Map<string, InboxMessage>()
  for (const { messages } of lines)
    for (const message of messages) {
      const key = messageKey(message)
      if (!byKey.has(key)) byKey.set(key, message)
    }
  const damaged = lines.filter((line) => line.isDamaged).map((line) => line.bytes)
  return { messages: [...byKey.values()], damaged }
}

/**
 * Removes delivered messages from a context's inbox; call it once they are durable where they were delivered.
 *
 * The file is first moved aside, so that another process that appends meanwhile makes a new one; then every line of it
 * that was not delivered is appended to that, and every damaged one to a file of its own, durable before the progress
 * says that the lines are done. A process that has the old file open may still write to it: it is removed only when a
 * later call finds nothing new in it. New lines are delivered then, and a line without an end is set aside once it has
 * stayed unchanged.
 *
 * A crash at any step leaves each line in at least one of the files, and a message that is read twice has the same
 * key. The caller holds the context's lock, as chibi does when it takes its messages.
 *
 * @param delivered their keys
 *
 * @throws DiskError what was not done yet is done by the next call
 */
export async function removeDeliveredMessages(
  disk: Disk,
  paths: InboxPaths,
  delivered: ReadonlySet<string>,
): Promise<void> {
  const progress = await readAsideProgress(disk, paths.sorted)
  const names = await listAsideInboxes(disk, paths.folder)
  const after = new Map<string, AsideProgress>()
  const quiet: AsideInbox[] = []
  const sort = async (name: string) => {
    const aside = await readAsideInbox(disk, paths.folder, name, progress.get(name))
    if (aside === undefined) return
    // A move that was cut off has left both names for one file: nothing was taken out of it yet.
    if (isSameFile(aside.stat, await disk.stat(paths.inbox))) {
      await removeIfSame(disk, aside.path, async (at) =>
        isSameFile(aside.stat, await disk.stat(at)),
      )
      return
    }
    const { lines, end } = await sortAside(aside)
    await keepLines(disk, paths, lines, delivered)
    if (aside.isQuiet) quiet.push(aside)
    after.set(name, toAsideProgress(aside, end))
  }
  for (const name of names) await sort(name)
  const fresh = freeAsideName(new Set([...names, ...progress.keys()]))
  if (await isMovedAside(disk, paths, fresh)) await sort(fresh)
  if (after.size === 0) return
  await disk.syncFolder(paths.folder)
  for (const aside of quiet) {
    // A last check: what came since it was read is taken by the next call.
    const isQuiet = async (at: string) => {
      const stat = await disk.stat(at)
      return isSameFile(aside.stat, stat) && stat?.sizeBytes === aside.bytes.length
    }
    if (await removeIfSame(disk, aside.path, isQuiet)) after.delete(aside.name)
  }
  await writeAsideProgress(disk, paths.sorted, after)
}

async function isMovedAside(disk: Disk, paths: InboxPaths, name: string): Promise<boolean> {
  try {
    const target = path.join(paths.folder, name)
    await moveToFreeName(disk, paths.inbox, target)
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

async function keepLines(
  disk: Disk,
  paths: InboxPaths,
  lines: readonly SortedLine[],
  delivered: ReadonlySet<string>,
): Promise<void> {
  for (const line of lines) {
    if (line.isDamaged) await appendDurably(disk, paths.damaged, line.bytes)
    for (const message of line.messages)
      if (!delivered.has(messageKey(message)))
        await appendDurably(disk, paths.inbox, Buffer.from(wellFormedJson(message)))
  }
}

/** Sorts what is to be done of an inbox that was moved aside, and finds where that ends. */
async function sortAside({ bytes, handled, isQuiet }: AsideInbox): Promise<{
  readonly lines: readonly SortedLine[]
  readonly end: number
}> {
  // A line that has stayed without an end gets none any more.
  const end = isQuiet ? bytes.length : Math.max(handled, await wholeEnd(bytes, handled))
  return { lines: await sortInbox(bytes.subarray(handled, end)), end }
}

/** Where the last line ends that is whole: by its line feed, or because it is a message without one. */
async function wholeEnd(bytes: Uint8Array, from = 0): Promise<number> {
  const end = Math.max(from, bytes.lastIndexOf(0x0a) + 1)
  const rest = await sortInbox(bytes.subarray(end))
  return rest.some((line) => line.isDamaged) ? end : bytes.length
}

interface SortedLine {
  readonly bytes: Uint8Array
  readonly isDamaged: boolean
  /** Also of a damaged line: every whole message on it, as after a lost line feed. */
  readonly messages: readonly InboxMessage[]
}

/** Each line that is not blank, with its messages. */
async function sortInbox(bytes: Uint8Array = new Uint8Array(0)): Promise<readonly SortedLine[]> {
  const sorted: SortedLine[] = []
  for (const line of splitInboxLines(bytes)) {
    const raw = { bytes: line, offset: 0, length: line.length, ended: true }
    const decoded = await decodeJsonLineInSlices(raw, messageIn)
    if (decoded.type === 'value')
      sorted.push({ bytes: line, isDamaged: false, messages: [decoded.value] })
    else if (decoded.type === 'damaged')
      sorted.push({ bytes: line, isDamaged: true, messages: decoded.recovered })
  }
  return sorted
}

function messageIn(value: unknown): InboxMessage | string {
  return InboxMessage.safeParse(value).data ?? 'not a message'
}

/**
 * Formats messages as chibi puts them before a prompt: each on a line of its own between two markers, then a blank
 * line.
 */
export function formatInbox(messages: readonly InboxMessage[]): string {
  const lines = messages.map(({ from, content }) => `[From: ${from}] ${content}\n`)
  return `--- INBOX MESSAGES ---\n${lines.join('')}--- END INBOX ---\n\n`
}
