import type { SourceId } from '../../shared/model/conversation'
import type { Entry, EntryId } from '../../shared/model/entry'
import type { FileLedger } from '../../shared/model/transcript'
import type { Disk } from '../disk/disk'
import type { ConversationFact, HistoryReader, SourceRef } from './reader'

/** A conversation as `skein read --json` has it. */
export interface ReadConversation {
  readonly source: SourceId
  readonly key: string
  readonly title: string
  readonly project: string | null
  /** ISO 8601 in UTC, or null where nothing tells. */
  readonly created: string | null
  readonly updated: string | null
  /** Named by the entries, in order of first appearance. */
  readonly models: readonly string[]
  readonly parent: { readonly key: string; readonly entries: number } | null
  /** The ids of the entries on the path to the current leaf. */
  readonly active: readonly EntryId[]
  readonly entries: readonly Entry[]
}

/** All of a root: what `skein read --json` prints. */
export interface ReadRoot {
  readonly conversations: readonly ReadConversation[]
  readonly files: readonly FileLedger[]
  /** What was noticed, with the conversation it is about. */
  readonly notices: readonly { readonly key: string; readonly notice: string }[]
}

/** Reads everything under a root. Holds it all: for scripts and tests, not for the window. */
export async function readRoot(
  reader: HistoryReader,
  root: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<ReadRoot> {
  const conversations: ReadConversation[] = []
  const files: FileLedger[] = []
  const notices: { key: string; notice: string }[] = []
  for await (const ref of reader.list(root, disk, signal)) {
    const read = await readUnit(reader, ref, disk, signal)
    conversations.push(...read.conversations)
    files.push(...read.files)
    notices.push(...read.notices)
  }
  return { conversations, files, notices }
}

/** Reads one unit: usually one conversation. */
export async function readUnit(
  reader: HistoryReader,
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<ReadRoot> {
  const found: { fact: ConversationFact; entries: Entry[] }[] = []
  const files: FileLedger[] = []
  const notices: { key: string; notice: string }[] = []
  for await (const fact of reader.read(ref, disk, signal)) {
    if (fact.type === 'conversation') found.push({ fact: fact.conversation, entries: [] })
    if (fact.type === 'entry') found.at(-1)?.entries.push(fact.entry)
    if (fact.type === 'file') files.push(fact.ledger)
    if (fact.type === 'notice') notices.push({ key: ref.key, notice: fact.notice })
  }
  const conversations = found.map(({ fact, entries }) => conversation(reader.id, fact, entries))
  return { conversations, files, notices }
}

function conversation(
  source: SourceId,
  fact: ConversationFact,
  entries: readonly Entry[],
): ReadConversation {
  const times = entries.flatMap((entry) => (entry.timestamp === null ? [] : [entry.timestamp]))
  const { key, title, project, parent } = fact
  return {
    source,
    key,
    title,
    project,
    created: isoTime(fact.createdAt ?? times[0]),
    updated: isoTime(times.at(-1) ?? fact.createdAt),
    models: modelsOf(entries),
    parent,
    active: entries.map((entry) => entry.id),
    entries,
  }
}

function modelsOf(entries: readonly Entry[]): readonly string[] {
  const models = entries.map((entry) => entry.metadata?.model)
  return [...new Set(models.filter((model) => typeof model === 'string'))]
}

function isoTime(seconds: number | undefined): string | null {
  if (seconds === undefined) return null
  const date = new Date(seconds * 1000)
  // A number that is no time of this calendar: the entry keeps it, the conversation has none.
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
