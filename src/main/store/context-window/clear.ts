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

/** chibi's payload of pre_clear and post_clear; its keys are chibi's. */
export interface ClearData {
  readonly context_name: string
  /** As the model was sent them: the calls of one turn are one message. */
  readonly message_count: number
  readonly summary: string
}

export interface ClearOptions {
  /** What was said in the window also goes to `transcript.md`; where there is one it does in any case. */
  readonly withPage?: boolean
  /** Is heard before and after; must not reject. */
  readonly hooks?: (point: 'pre_clear' | 'post_clear', data: ClearData) => Promise<void>
}

/** What became of a window. */
export interface ClearResult {
  /** False where it was empty already: then nothing was written. */
  readonly cleared: boolean
  readonly messages: number
}

/** What a clearing needs of its context, whose lock the writer holds. */
interface ClearScope {
  readonly disk: Disk
  readonly paths: ContextPaths
  readonly writer: TranscriptWriter
  /** Unix milliseconds. */
  readonly now: () => number
}

/**
 * Begins a new window as chibi's `clear` does: an `archival` anchor is appended to the transcript, of which nothing is
 * changed, and what the model was to remember of earlier windows goes with the window. chibi deletes that summary; here
 * the anchor keeps it, in `metadata.cleared_summary`, where no model is told it.
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
    throw toWriteError(`The new window of "${paths.name}"`, error)
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

/** The window as messages for a model; entries that it is not sent, such as errors of ours, are none. */
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

/** chibi rebuilds the window when it sees it, wherever a crash comes; so does the next writer of ours. */
export async function markDirty(disk: Disk, paths: ContextPaths): Promise<void> {
  const file = await disk.open(paths.dirty, 'append')
  await file.close()
  await disk.syncFolder(paths.folder)
}

/**
 * Takes away what a clearing that was cut off has left: the summary that its anchor keeps. One that is another was written
 * since, and stays. @throws DiskError
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

/** Only where it says what the anchor keeps: another process may have written another one since. */
async function removeSummary(disk: Disk, paths: ContextPaths, text: string): Promise<void> {
  const file = path.join(paths.folder, 'summary.md')
  if (await removeIfSame(disk, file, async (at) => (await readSmallText(disk, at)) === text))
    await disk.syncFolder(paths.folder)
}
