import { randomUUID } from 'node:crypto'
import { AppError } from '../../../shared/model/basics/errors'
import { type Entry, type EntryDraft, EntryId } from '../../../shared/model/conversation/entry'
import type { Disk } from '../../disk/interface/disk'
import { toWriteError } from '../core/errors'
import { type ContextPaths, contextPaths } from '../core/home-paths'
import type { TranscriptWriter } from '../core/writer-types'
import { appendMarkdownPage, formatMarkdownPage, hasMarkdownPage } from '../texts/markdown-page'
import { beginPendingCompaction, readSummary } from './pending-compaction'

/** A context window that replaces the one before. */
export interface NewWindow {
  /** The anchor's summary of everything that is not in the window any more. */
  readonly summary: string
  /** Whether summary.md, which is sent to the model, gets the same text. */
  readonly replacesSummary: boolean
  /** The entries of the window before that stay in it, in their order. */
  readonly kept: readonly EntryId[]
  /** Further metadata of the anchor; JSON. */
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The context that is compacted: its disk, home and open writer. */
export interface CompactScope {
  readonly disk: Disk
  readonly home: string
  /** Open; it holds the context's lock. */
  readonly writer: TranscriptWriter
  /** Unix milliseconds. */
  readonly now: () => number
}

/**
 * Begins a new context window by a `compaction` anchor. The transcript is only appended to, and nothing in it is
 * written twice: the anchor names the entries that stay in the window.
 *
 * The order of the writes: `compacting.skein.json`, the anchor, summary.md, context.jsonl, and then the first file is
 * removed. The anchor decides: after a crash before it the window is the old one, after it the new one, and the next
 * writer does the rest. chibi, which does not know the file, finds the old window until the anchor is there, then the
 * old window with a summary that covers it, then the new one. It does not use `.dirty`: chibi would build a window
 * without the kept entries.
 *
 * Before all of it, what leaves the window is appended to `transcript.md`, where there is one, as chibi up to 0.8.5
 * did. What stays is appended when it leaves.
 *
 * @returns the anchor
 *
 * @throws AppError `lock-lost`, `disk-full`, `io`, `unreadable`: then the window is the old one
 */
export async function compactWindow(
  { disk, home, writer, now }: CompactScope,
  { summary, replacesSummary, kept, metadata }: NewWindow,
): Promise<Entry> {
  const paths = contextPaths(home, writer.context)
  const scope = { disk, paths }
  const id = EntryId.parse(randomUUID())
  try {
    const before = replacesSummary ? await readSummary(disk, paths) : undefined
    // A summary of chibi's is in no anchor of the transcript: the new anchor keeps it, so that nothing is lost.
    const isReplaced = before !== undefined && before !== '' && before !== summary
    const draft: EntryDraft = {
      id,
      timestamp: Math.floor(now() / 1000),
      from: 'system',
      to: writer.context,
      content: 'Context compacted',
      entry_type: 'compaction',
      metadata: {
        summary,
        ...(kept.length === 0 ? {} : { kept }),
        ...metadata,
        ...(isReplaced ? { replaced_summary: before } : {}),
      },
    }
    await writePage(scope, writer, kept)
    await beginPendingCompaction(scope, { anchor: id, summary: replacesSummary })
    try {
      return (await writer.append(draft)).entry
    } catch (error) {
      const entry = await foundAnyway(writer, id)
      if (entry !== undefined) return entry
      // The file stays: the next load checks for the anchor, and removes it.
      throw error
    }
  } catch (error) {
    throw error instanceof AppError
      ? error
      : toWriteError(`The new context window of "${writer.context}"`, error)
  }
}

async function writePage(
  { disk, paths }: { readonly disk: Disk; readonly paths: ContextPaths },
  writer: TranscriptWriter,
  kept: readonly EntryId[],
): Promise<void> {
  if (!(await hasMarkdownPage(disk, paths))) return
  const staying = new Set(kept)
  const leaving = (await writer.window('notice')).filter(({ id }) => !staying.has(id))
  await appendMarkdownPage(disk, paths, formatMarkdownPage(leaving))
}

/** A write whose sync failed may be there all the same; then the window is the new one for every reader. */
async function foundAnyway(writer: TranscriptWriter, id: EntryId): Promise<Entry | undefined> {
  if (writer.lost.aborted) return undefined
  const [entry] = await writer.window(() => undefined).catch(() => [])
  return entry?.id === id ? entry : undefined
}
