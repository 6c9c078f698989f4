import { randomUUID } from 'node:crypto'
import type { Entry, EntryDraft } from '../../../shared/model/conversation/entry'
import { EntryId, isAnchor } from '../../../shared/model/conversation/entry'
import { handleGaps, type OnGap, type UnreadPart } from '../../../shared/model/conversation/reading'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import type { FilePermissions } from '../../disk/interface/permissions'
import { type FileLine, readLines, readLinesBackward } from '../../disk/reading/lines'
import { isNotFound } from '../../disk/reading/read'
import { appendLine } from '../../disk/writing/append'
import { removeIfThere, renameFile, temporaryName } from '../../disk/writing/atomic'
import type { ContextPaths } from '../core/home-paths'
import { toWholeSeconds, type WritingScope } from '../core/writing-scope'
import type { TranscriptFile, TranscriptFiles } from '../files/context-files'
import { endPosition, type Position } from '../lines/cursor'
import { decodeLineAsync, encodeEntry, encodeEntryAsync } from '../lines/entry-line'
import { stepsBackward, stepsForward } from '../lines/line-steps'
import { keepReplacedWindow } from './absorb-window'
import { finishClear } from './clear'
import { endPendingCompaction, readPendingCompaction, writeSummary } from './pending-compaction'

/** A rebuilt window is written in pieces of about this size. */
const batchBytes = 256 * 1024
const lineFeed = Buffer.from('\n')

/** The disk and paths needed to read a context window. */
interface ReadingScope {
  readonly disk: Disk
  readonly paths: ContextPaths
}

/**
 * Reads a context window: the last anchor, the earlier entries that it keeps (`metadata.kept`), and what follows it,
 * without changes of the system prompt.
 *
 * @param onGap is called, before any entry, with each part of the window whose file is not there any more
 *
 * @throws AppError `unreadable` where `onGap` is to refuse; FileMovedError, DiskError
 */
export async function* readWindowEntries(
  scope: ReadingScope,
  found: TranscriptFiles,
  onGap: OnGap,
): AsyncGenerator<Entry> {
  const { disk, paths } = scope
  const { files, missing } = found
  const { anchor, at } = await findWindowStart(scope, files)
  const ids = anchor === undefined ? [] : keptEntryIds(anchor)
  const kept = await keptEntries(scope, files, at, ids)
  // A kept entry may be in any earlier file; those that were found are in none of the missing ones.
  const isNeeded = (before: number) =>
    anchor === undefined || before > at.file || kept.length < ids.length
  const parts = missing.filter(({ before }) => isNeeded(before)).map(({ part }) => part)
  handleGaps(paths.name, parts, onGap)
  let isAnchorGiven = false
  for await (const { fact } of stepsForward(disk, paths.name, files, at, undefined))
    for (const row of fact.rows) {
      if (row.type !== 'entry' || !belongsToWindow(row.entry)) continue
      yield row.entry
      if (isAnchorGiven || row.entry.id !== anchor?.id) continue
      isAnchorGiven = true
      yield* kept
    }
}

/** Returns the ids of the entries before an anchor that stay in its context window, in their order. */
export function keptEntryIds({ metadata }: Pick<EntryDraft, 'metadata'>): readonly string[] {
  const kept: unknown = metadata?.kept
  return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
}

/**
 * Reads entries before a position by their ids, in the transcript's order. Reads back to the first of them;
 * what is not there any more, as in a partition that was lost, is left out.
 */
async function keptEntries(
  { disk, paths }: ReadingScope,
  files: readonly TranscriptFile[],
  before: Position,
  ids: readonly string[],
): Promise<readonly Entry[]> {
  if (ids.length === 0) return []
  const wanted = new Map<string, number>()
  for (const id of ids) wanted.set(id, (wanted.get(id) ?? 0) + 1)
  const found: Entry[] = []
  for await (const { fact } of stepsBackward(disk, paths.name, files, before, undefined)) {
    for (const row of [...fact.rows].reverse()) {
      const due = row.type === 'entry' ? wanted.get(row.entry.id) : undefined
      if (row.type !== 'entry' || due === undefined || !belongsToWindow(row.entry)) continue
      found.push(row.entry)
      if (due > 1) wanted.set(row.entry.id, due - 1)
      else wanted.delete(row.entry.id)
    }
    if (wanted.size === 0) break
  }
  return found.reverse()
}

/**
 * Updates context.jsonl to the transcript; does nothing where its last id is right and no compaction was interrupted.
 *
 * @param coming the entry that is about to be appended: a compaction that waits for it was not cut off
 */
export async function syncWindow(
  scope: WritingScope,
  found: TranscriptFiles,
  coming: EntryId | undefined,
): Promise<void> {
  const { disk, paths } = scope
  const { files } = found
  const pending = await readPendingCompaction(scope)
  const isPending = pending !== undefined && (pending === 'damaged' || pending.anchor !== coming)
  const isDirty = isPending || (await disk.stat(paths.dirty)) !== undefined
  const last = await lastWindowEntry(scope, files)
  const there = await lastIdIn(scope)
  const lastId =
    last !== undefined && isAnchor(last) ? (keptEntryIds(last).at(-1) ?? last.id) : last?.id
  // chibi leaves the window of a new context empty, without its anchor.
  // Entries that an anchor keeps were also at the end of the window before it: then the first line decides.
  const isBegun = lastId === last?.id || (await firstIdIn(scope)) === last?.id
  const isRight =
    last === undefined || (there === lastId && isBegun) || (there === 'empty' && isAnchor(last))
  if (isRight && !isDirty && (there !== undefined || last === undefined)) return
  if (last !== undefined) await (isPending ? rebuildWindow : writeWindow)(scope, found)
  else if (pending !== undefined && isPending) await endPendingCompaction(scope, pending)
  if (last?.entry_type === 'archival') await finishClear(disk, paths, last)
  await scope.mustHold()
  await removeIfThere(disk, paths.dirty)
}

/** Replaces context.jsonl by the context window that the transcript has, and finishes a compaction that was begun. */
export async function rebuildWindow(scope: WritingScope, found: TranscriptFiles): Promise<void> {
  const pending = await readPendingCompaction(scope)
  if (pending === undefined) return writeWindow(scope, found)
  const { anchor } = await findWindowStart(scope, found.files)
  // The summary first: a reader between the two finds an old window with a summary of it, and nothing is missing.
  if (pending !== 'damaged' && pending.summary && anchor?.id === pending.anchor) {
    await scope.mustHold()
    await writeSummary(scope, anchor)
  }
  await writeWindow(scope, found)
  await endPendingCompaction(scope, pending)
}

async function writeWindow(scope: WritingScope, found: TranscriptFiles): Promise<void> {
  const { disk, paths } = scope
  await keepReplacedWindow(scope, found.files)
  const nowSeconds = Math.floor(scope.now() / 1000)
  const temporary = temporaryName(paths.window)
  const file = await disk.open(temporary, 'create-new', windowPermissions(scope))
  try {
    try {
      let lines: Uint8Array[] = []
      let pending = 0
      const flush = async () => {
        if (lines.length > 0) await appendLine(file, temporary, joined(lines), false)
        lines = []
        pending = 0
      }
      let isFirst = true
      const unread = ({ sentence }: UnreadPart) => scope.noticed(sentence)
      for await (const entry of readWindowEntries(scope, found, unread)) {
        if (isFirst && !isAnchor(entry))
          lines.push(encodeEntry(madeAnchor(scope, entry), nowSeconds))
        isFirst = false
        const coming = encodeEntryAsync(entry, nowSeconds)
        const line = coming instanceof Promise ? await coming : coming
        lines.push(line)
        pending += line.length
        if (pending >= batchBytes) await flush()
      }
      await flush()
      await file.sync()
    } finally {
      await file.close()
    }
    // Where this comes late, the window is an older one: then its last entry, or `.dirty`, has it built again.
    await scope.mustHold()
    await renameFile(disk, temporary, paths.window)
  } catch (error) {
    await removeIfThere(disk, temporary).catch(() => {})
    throw error
  }
  await disk.syncFolder(paths.folder)
}

/**
 * Returns the permissions for context.jsonl: those of the old one, else of the active partition, since both have the
 * same text.
 */
export function windowPermissions({ paths }: WritingScope): FilePermissions {
  return { like: [paths.window, paths.active] }
}

/** Creates the context.jsonl of a new context as chibi does: empty, without its anchor. */
export async function createEmptyWindow(scope: WritingScope): Promise<void> {
  const file = await scope.disk.open(scope.paths.window, 'append', windowPermissions(scope))
  await file.close()
}

/** Returns true for an entry that can be in a context window: any but a change of the system prompt. */
export function belongsToWindow(entry: Pick<EntryDraft, 'entry_type'>): boolean {
  return entry.entry_type !== 'system_prompt_changed'
}

/**
 * Finds the last anchor and where its line begins; without one, the beginning of the first file. Reads back to it.
 */
export async function findWindowStart(
  { disk, paths }: ReadingScope,
  files: readonly TranscriptFile[],
): Promise<{ readonly at: Position; readonly anchor: Entry | undefined }> {
  for await (const { fact, from } of stepsBackward(
    disk,
    paths.name,
    files,
    endPosition(files),
    undefined,
  ))
    for (const row of [...fact.rows].reverse())
      if (row.type === 'entry' && isAnchor(row.entry)) return { at: from, anchor: row.entry }
  return { at: { file: 0, offset: 0, line: 1 }, anchor: undefined }
}

/** Resolves to true where the files have an entry; damaged lines are none. */
export async function hasEntries(
  scope: WritingScope,
  files: readonly TranscriptFile[],
): Promise<boolean> {
  const { disk, paths } = scope
  for await (const { fact } of stepsBackward(
    disk,
    paths.name,
    files,
    endPosition(files),
    undefined,
  ))
    if (fact.rows.some((row) => row.type === 'entry')) return true
  return false
}

async function lastWindowEntry(
  scope: WritingScope,
  files: readonly TranscriptFile[],
): Promise<Entry | undefined> {
  const { disk, paths } = scope
  for await (const { fact } of stepsBackward(
    disk,
    paths.name,
    files,
    endPosition(files),
    undefined,
  )) {
    const rows = [...fact.rows].reverse()
    for (const row of rows) if (row.type === 'entry' && belongsToWindow(row.entry)) return row.entry
  }
  return undefined
}

/** The id of the window's last line; 'empty' where it has none, undefined where it is missing or damaged there. */
function lastIdIn(scope: WritingScope): Promise<string | undefined> {
  return idIn(scope, (file, sizeBytes) => readLinesBackward(file, sizeBytes))
}

/** The same of its first line. */
function firstIdIn(scope: WritingScope): Promise<string | undefined> {
  return idIn(scope, (file) => readLines(file))
}

async function idIn(
  scope: WritingScope,
  read: (file: DiskFile, sizeBytes: number) => AsyncIterable<readonly FileLine[]>,
): Promise<string | undefined> {
  const { window } = scope.paths
  let file: DiskFile
  try {
    file = await scope.disk.open(window, 'read')
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
  try {
    const { sizeBytes } = await file.stat()
    for await (const lines of read(file, sizeBytes))
      for (const line of lines) {
        const decoded = await decodeLineAsync(line)
        if (decoded.type === 'entry') return decoded.draft.id
        if (decoded.type === 'damaged') return undefined
      }
    return 'empty'
  } finally {
    await file.close()
  }
}

/** chibi makes up an anchor where the transcript has none. */
function madeAnchor(scope: WritingScope, first: Entry): EntryDraft {
  return {
    id: EntryId.parse(randomUUID()),
    timestamp: toWholeSeconds(first.timestamp),
    from: 'system',
    to: scope.paths.name,
    content: 'Context created',
    entry_type: 'context_created',
  }
}

function joined(lines: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(lines.flatMap((line, i) => (i === 0 ? [line] : [lineFeed, line])))
}
