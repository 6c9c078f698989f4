import { randomUUID } from 'node:crypto'
import path from 'node:path'
import {
  type Entry,
  type EntryDraft,
  EntryId,
  isAnchor,
} from '../../../shared/model/conversation/entry'
import type { Disk } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { removeIfSame } from '../../disk/writing/atomic'
import { toWriteError } from '../core/errors'
import type { ContextPaths } from '../core/home-paths'
import type { TranscriptWriter } from '../core/writer-types'
import { appendMarkdownPage, formatMarkdownPage, hasMarkdownPage } from '../texts/markdown-page'
import { readSummary } from './pending-compaction'

/** The payload of chibi's hooks pre_clear and post_clear; its keys are chibi's. */
export interface ClearData {
  readonly context_name: string
  /** As the model was sent them: the calls of one turn are one message. */
  readonly message_count: number
  readonly summary: string
}

/** Options of a clear: the page for people, and the hooks. */
export interface ClearOptions {
  /** Appends the messages of the window to `transcript.md`; where there is one they are appended in any case. */
  readonly withPage?: boolean
  /** Called before and after; must not reject. */
  readonly hooks?: (point: 'pre_clear' | 'post_clear', data: ClearData) => Promise<void>
}

/** The outcome of a clear. */
export interface ClearResult {
  /** False where it was empty already: then nothing was written. */
  readonly cleared: boolean
  readonly messages: number
}

/** The context that is cleared; the writer holds its lock. */
interface ClearScope {
  readonly disk: Disk
  readonly paths: ContextPaths
  readonly writer: TranscriptWriter
  /** Unix milliseconds. */
  readonly now: () => number
}

/**
 * Begins a new context window as chibi's `clear` does: it appends an `archival` anchor to the transcript, whose lines
 * stay as they are, and removes the summary of earlier windows. chibi deletes that summary; here the anchor keeps it,
 * in `metadata.cleared_summary`, which is sent to no model.
 *
 * @throws AppError `lock-lost`, `disk-full`, `io`, `unreadable`: without the anchor nothing is cleared
 */
export async function clearWindow(scope: ClearScope, options: ClearOptions): Promise<ClearResult> {
  const { disk, paths, writer } = scope
  const window = await writer.window('notice')
  const messages = messagesIn(window)
  const summary = await readSummary(disk, paths)
  try {
    if (messages === 0) return { cleared: false, messages }
    const data = { context_name: paths.name, message_count: messages, summary: summary ?? '' }
    await options.hooks?.('pre_clear', data)
    if (options.withPage === true || (await hasMarkdownPage(disk, paths)))
      await appendMarkdownPage(disk, paths, formatMarkdownPage(window))
    await markDirty(disk, paths)
    await writer.append(anchor(paths.name, summary, Math.floor(scope.now() / 1000)))
    if (summary !== undefined) await removeSummary(disk, paths, summary)
    await options.hooks?.('post_clear', data)
    return { cleared: true, messages }
  } catch (error) {
    throw toWriteError(`The new context window of "${paths.name}"`, error)
  }
}

function anchor(name: string, summary: string | undefined, timestamp: number): EntryDraft {
  return {
    id: EntryId.parse(randomUUID()),
    timestamp,
    from: 'system',
    to: name,
    content: 'Context archived/cleared',
    entry_type: 'archival',
    ...(summary === undefined || summary === '' ? {} : { metadata: { cleared_summary: summary } }),
  }
}

/** Counts the window's messages for a model; entries that are not sent, such as our errors, do not count. */
function messagesIn(window: readonly Entry[]): number {
  let count = 0
  let isInTurn = false
  for (const entry of window) {
    if (isAnchor(entry)) continue
    const isCall = entry.entry_type === 'tool_call' || entry.entry_type === 'flow_control_call'
    const isSent =
      entry.entry_type === 'message' ||
      entry.entry_type === 'tool_result' ||
      entry.entry_type === 'flow_control_result'
    if (isSent || (isCall && !isInTurn)) count += 1
    isInTurn = isCall
  }
  return count
}

/**
 * Creates `.dirty`, durably: chibi and the next writer of ours rebuild context.jsonl when they see it, also after a
 * crash.
 */
export async function markDirty(disk: Disk, paths: ContextPaths): Promise<void> {
  const file = await disk.open(paths.dirty, 'append')
  await file.close()
  await disk.syncFolder(paths.folder)
}

/**
 * Removes the summary that an interrupted clear left, if it is the one in its anchor. Another summary was written
 * since, and stays.
 *
 * @throws DiskError
 */
export async function finishClear(
  disk: Disk,
  paths: ContextPaths,
  { metadata }: Pick<Entry, 'metadata'>,
): Promise<void> {
  const cleared = metadata?.cleared_summary
  // Without one, as in chibi's own clearing, a summary that cannot be read must not keep anybody from writing.
  if (typeof cleared !== 'string') return
  await removeSummary(disk, paths, cleared)
}

/** Only if it is the one that the anchor keeps: another process may have written another one since. */
async function removeSummary(disk: Disk, paths: ContextPaths, text: string): Promise<void> {
  const file = path.join(paths.folder, 'summary.md')
  if (await removeIfSame(disk, file, async (at) => (await readSmallText(disk, at)) === text))
    await disk.syncFolder(paths.folder)
}
