import path from 'node:path'
import type { ContextSideFiles } from '../../../shared/model/conversation/conversation'
import { isAnchor } from '../../../shared/model/conversation/entry'
import { type Disk, DiskError } from '../../disk/interface/disk'
import type { ContextPaths, HomePaths } from '../core/home-paths'
import type { TranscriptFile } from '../files/context-files'
import { readInbox } from '../inbox/inbox'
import { endPosition } from '../lines/cursor'
import { readLegacyDocument } from '../lines/legacy-document'
import { stepsBackward } from '../lines/line-steps'
import { readKnownState } from '../registry/known-contexts'
import { readChibiSession } from '../registry/session'

/** Distance from the end within which the last compaction is searched: a whole transcript can be gigabytes. */
const summaryWithinBytes = 8 * 1024 * 1024

/**
 * Reads the side files of a context. One that cannot be read becomes a notice and hides nothing else. Nothing is
 * emptied, expired or made current by it.
 *
 * @throws FileMovedError
 */
export async function readSideFiles(
  disk: Disk,
  home: HomePaths,
  paths: ContextPaths,
  files: readonly TranscriptFile[],
): Promise<ContextSideFiles> {
  const notices: string[] = []
  async function tried<T>(what: string, read: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      notices.push(`${what} was not read: ${error.message}`)
      return otherwise
    }
  }
  const isThere = (name: string) => disk.stat(path.join(paths.folder, name)).then(Boolean)
  const unknown = { contexts: [], notices: [], isDamaged: false }
  const known = await tried('state.json', () => readKnownState(disk, home), unknown)
  notices.push(...known.notices)
  const nowhere = { current: undefined, previous: undefined }
  const session = await tried('session.json', () => readChibiSession(disk, home), nowhere)
  const none = { inbox: [], inboxCount: 0, inboxDamaged: 0 }
  const hasSummary = await tried('summary.md', () => isThere('summary.md'), true)
  const keptSummary = hasSummary
    ? undefined
    : await tried('The summary', () => lastSummary(disk, paths, files), undefined)
  return {
    ...(await tried('inbox.jsonl', () => readInbox(disk, paths), none)),
    hasSystemPrompt: await tried('system_prompt.md', () => isThere('system_prompt.md'), false),
    mark:
      session.current === paths.name
        ? 'current'
        : session.previous === paths.name
          ? 'previous'
          : null,
    expiresAt: known.contexts.find(({ name }) => name === paths.name)?.expiresAt ?? null,
    pageMessages: await tried('transcript.md', () => pageMessages(disk, paths, files), 0),
    ...(keptSummary === undefined ? {} : { keptSummary }),
    notices,
  }
}

/** The records of a `transcript.md` that is not the transcript itself. */
async function pageMessages(
  disk: Disk,
  paths: ContextPaths,
  files: readonly TranscriptFile[],
): Promise<number> {
  const target = paths.legacyPage
  if (files.some((file) => file.path === target)) return 0
  const stat = await disk.stat(target)
  if (stat?.kind !== 'file') return 0
  const { sizeBytes, mtimeMs, identity } = stat
  const place = path.basename(target)
  const page = { path: target, place, kind: 'document' as const, sizeBytes, mtimeMs, identity }
  return (await readLegacyDocument(disk, page, paths.name)).facts.length
}

/**
 * What the nearest compaction kept, at the last anchor or before it: chibi puts further anchors after one. A cleared
 * context has none.
 */
async function lastSummary(
  disk: Disk,
  paths: ContextPaths,
  files: readonly TranscriptFile[],
): Promise<string | undefined> {
  const end = endPosition(files)
  let bytes = 0
  for await (const { fact } of stepsBackward(disk, paths.name, files, end, undefined)) {
    for (const row of [...fact.rows].reverse()) {
      if (row.type !== 'entry' || !isAnchor(row.entry)) continue
      if (row.entry.entry_type === 'archival') return undefined
      const summary = row.entry.metadata?.summary
      if (typeof summary === 'string' && summary !== '') return summary
    }
    bytes += fact.place.length
    if (bytes > summaryWithinBytes) return undefined
  }
  return undefined
}
