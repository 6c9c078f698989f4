import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { ConversationKey } from '../../../shared/model/conversation/conversation'
import { Gap, readingOf } from '../../../shared/model/conversation/reading'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { inListedFile } from '../common/found-files'
import { glanceOf } from '../common/glance'
import { jsonLineFacts } from '../common/json-lines'
import { LineLinks } from '../common/line-links'
import { factsOfFile } from '../common/one-file'
import type {
  ConversationFact,
  Glance,
  HistoryReader,
  SourceFact,
  SourceFile,
  SourceRef,
} from '../common/reader'
import { withBeginning } from './base'
import { listThreads } from './files'
import { ThreadFollower } from './follow'
import { type Beginning, readBeginning, readEnding } from './head'
import { codexBackup, rolloutName } from './home'
import { codexFormat } from './known'
import { codexLine } from './line'
import { threadRecords } from './thread-records'

/**
 * The reader of Codex CLI's rollouts: a file for each thread, with what was sent to the model and what came back, and
 * beside that events for the screen, which repeat it.
 *
 * Format: Codex CLI up to 0.154, by its source of August 2026 and by real files; its maker promises nothing about it.
 * Events are no entries, encrypted thoughts are left out, and so is the history that a summary repeats; what has no field
 * is in `metadata` (`images`, `attachments`, `usage`, `model`, `raw_type`, `raw_fields`). A thread that goes on from
 * another one (`history_base`) has that one's lines before its own: docs/sources/codex.md.
 */
export const codexReader: HistoryReader = {
  id: 'codex',
  databaseFormats: (databases) => [threadRecords(databases)],
  defaultRoots: ['~/.codex'],
  footprint: {
    conversation: [
      ['sessions', /^\d+$/, /^\d+$/, /^\d+$/, rolloutName],
      ['sessions', rolloutName],
      ['archived_sessions', rolloutName],
    ],
  },
  rootVariable: 'CODEX_HOME',
  watchedFolders: ['sessions', 'archived_sessions'],
  backup: codexBackup,
  list: listThreads,
  restatesNumbers: true,
  keepsSigns: true,
  namesToolsEarlier: true,
  meaningOf: codexLine,
  known: codexFormat,
  forkRule: 'every-child',
  withBeginning,
  beginning: threadBeginning,
  glance: threadGlance,
  read: (ref, disk, signal) => readingOf(ref.key, readThread(ref, disk, signal)),
  lastTime: (ref, disk, signal) =>
    inFile(ref, ownFile(ref), disk, async (file) => (await readEnding(file, signal)).time),
}

function threadBeginning(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<ConversationFact> {
  return inFile(ref, ownFile(ref), disk, async (file) => {
    const { storedTitle } = ref
    // A name that is kept beside the files counts before those in them.
    const ending = storedTitle === undefined ? await readEnding(file, signal) : undefined
    return conversationOf(ref, await readBeginning(file, signal), storedTitle ?? ending?.name)
  })
}

async function threadGlance(ref: SourceRef, disk: Disk, signal: AbortSignal): Promise<Glance> {
  return inFile(ref, ownFile(ref), disk, async (file) => {
    const { name, time } = await readEnding(file, signal)
    const beginning = await readBeginning(file, signal)
    return glanceOf(ref, conversationOf(ref, beginning, ref.storedTitle ?? name), time)
  })
}

/** Titles in Codex's own order: one that is kept beside the files, the last name in the file, a person's first words. */
function conversationOf(
  { key }: SourceRef,
  { head, words }: Beginning,
  storedTitle: string | undefined,
): ConversationFact {
  return {
    key,
    title: storedTitle ?? words ?? key,
    storedTitle,
    project: head?.project ?? null,
    createdAt: head?.createdAt,
    ...calledBy(head?.parentThread),
  }
}

/** A subagent's parent is the thread whose agent called it. */
function calledBy(thread: string | undefined): Pick<ConversationFact, 'parent' | 'subagentOf'> {
  const key = ConversationKey.safeParse(thread)
  if (!key.success) return { parent: null }
  return { parent: { key: key.data, entries: 0 }, subagentOf: { key: key.data } }
}

async function* readThread(
  listed: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const ref = await withBeginning(listed, disk, signal)
  yield { type: 'conversation', conversation: await threadBeginning(ref, disk, signal) }
  for (const part of ref.unread ?? []) yield new Gap(part)
  const thread = new ThreadFollower()
  yield* thread.follow(linesOf(ref, thread, disk, signal))
}

/** The lines of the threads that it goes on from, without what has no place in a conversation; then its own. */
async function* linesOf(
  ref: SourceRef,
  thread: ThreadFollower,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const own = ownFile(ref)
  const read = { thread, links: new LineLinks() }
  for (const source of ref.files)
    if (source === own) yield* linesIn(ref, source, read, disk, signal)
    else yield* inheritedIn(ref, source, read, disk, signal)
}

/** State that goes on from file to file. */
interface ThreadLines {
  readonly thread: ThreadFollower
  readonly links: LineLinks
}

/** Reads the beginning that a thread has in another file. A part that cannot be read is a gap: the thread's own lines can be. */
async function* inheritedIn(
  ref: SourceRef,
  source: SourceFile,
  read: ThreadLines,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  try {
    for await (const fact of linesIn(ref, source, read, disk, signal))
      if (fact instanceof Gap || fact.type === 'damaged') yield fact
      else if (fact.type === 'entry') yield { ...fact, entry: { ...fact.entry, inherited: true } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    yield new Gap({ file: source.file, fromByte: 0, cause: 'failed', sentence: error.message })
  }
}

function linesIn(
  { root }: SourceRef,
  { file, idSuffix, part }: SourceFile,
  { thread, links }: ThreadLines,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const read = { idSuffix, links, to: part?.end }
  return factsOfFile(disk, path.join(root, file), (opened) =>
    jsonLineFacts(opened, file, thread.accept, signal, read),
  )
}

/** The last one; a thread that goes on from others has theirs before it. */
function ownFile({ key, files }: SourceRef): SourceFile {
  return files.at(-1) ?? { file: `${key}.jsonl`, bytes: 0, mtimeMs: undefined }
}

function inFile<T>(
  { root }: SourceRef,
  { file }: SourceFile,
  disk: Disk,
  read: (file: DiskFile) => Promise<T>,
): Promise<T> {
  return inListedFile(disk, path.join(root, file), read)
}
