import path from 'node:path'
import { AppError } from '../../shared/model/basics/errors'
import { largestOf, pushAll } from '../../shared/model/basics/long-lists'
import { isoTime } from '../../shared/model/basics/time'
import type { Entry, EntryId } from '../../shared/model/conversation/entry'
import { allowGaps, type UnreadPart } from '../../shared/model/conversation/reading'
import type { SourceId } from '../../shared/model/conversation/sources'
import type { FileLedger } from '../../shared/model/conversation/transcript'
import { entryTree, idsAt } from '../../shared/model/family/entry-tree'
import type { SubagentOrigin } from '../../shared/model/family/family'
import type { ForkRule } from '../../shared/model/family/tree'
import type { Disk } from '../disk/interface/disk'
import { lastWrite } from './common/glance'
import {
  type ConversationFact,
  forkRuleOf,
  type HistoryReader,
  type SourceRef,
} from './common/reader'
import { joinFamilies } from './join-families'

/** A conversation as `skein read --json` prints it. */
export interface ReadConversation {
  readonly source: SourceId
  readonly key: string
  readonly title: string
  readonly storedTitle?: string | undefined
  readonly project: string | null
  /** ISO 8601 in UTC, or null where unknown. */
  readonly created: string | null
  readonly updated: string | null
  /** Named by the entries, in order of first appearance. */
  readonly models: readonly string[]
  readonly parent: { readonly key: string; readonly entries: number } | null
  /** Names that it had before, the last one first. */
  readonly formerKeys?: readonly string[]
  /** For the conversation of a subagent: where it was called. */
  readonly subagentOf?: SubagentOrigin
  /** The rule by which a place counts as a fork, where entries have parents. */
  readonly forkRule?: ForkRule
  /** The ids of the entries on the path to the current leaf. */
  readonly active: readonly EntryId[]
  readonly entries: readonly Entry[]
}

/** All of a root: the output of `skein read --json`. */
export interface ReadRoot {
  readonly conversations: readonly ReadConversation[]
  readonly files: readonly FileLedger[]
  /** Notices, with the conversation that each is about. */
  readonly notices: readonly { readonly key: string; readonly notice: string }[]
  /** Parts that could not be read, with the conversation or the root that each is about. */
  readonly unread: readonly UnreadConversationPart[]
  /** Numbers of damaged lines by conversation, for those with any in files of their own. */
  readonly damaged: readonly { readonly key: string; readonly lines: number }[]
}

/** A part that could not be read, with its conversation. */
export interface UnreadConversationPart {
  readonly key: string
  readonly part: UnreadPart
}

/**
 * Reads everything under a root, and joins families. Holds all of it: for scripts and tests, not for the app window.
 *
 * A unit that cannot be read is in `unread`, and the others are read; so is a failure to list the rest.
 *
 * @throws AppError `unreadable` nothing of the root can be listed
 */
export async function readRoot(
  reader: HistoryReader,
  root: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<ReadRoot> {
  const conversations: ReadConversation[] = []
  const files: FileLedger[] = []
  const notices: { key: string; notice: string }[] = []
  const unread: UnreadConversationPart[] = []
  const damaged: ReadRoot['damaged'][number][] = []
  const noteUnread = (key: string, part: UnreadPart) => {
    // The accounts list the root too, and meet the same failure.
    const isKnown = unread.some((one) => one.key === key && one.part.sentence === part.sentence)
    if (!isKnown) unread.push({ key, part })
  }
  const noteRest = (error: unknown) => {
    const isFirst = conversations.length + files.length + notices.length + unread.length === 0
    if (!(error instanceof AppError) || isFirst) throw error
    noteUnread(root, unreadWhole('', error))
  }
  try {
    for await (const ref of reader.list(root, disk, signal)) {
      signal.throwIfAborted()
      try {
        const read = await readUnit(reader, ref, disk, signal)
        pushAll(conversations, read.conversations)
        pushAll(files, read.files)
        pushAll(notices, read.notices)
        pushAll(unread, read.unread)
        pushAll(damaged, read.damaged)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        unread.push({ key: ref.key, part: unreadWhole(ref.files[0]?.file ?? ref.key, error) })
      }
    }
  } catch (error) {
    noteRest(error)
  }
  try {
    const accounts = reader.accounts?.(root, disk, signal)
    if (accounts !== undefined)
      for await (const fact of allowGaps(accounts, (part) => noteUnread(root, part))) {
        if (fact.type === 'file') files.push(fact.ledger)
        if (fact.type === 'notice') notices.push({ key: root, notice: fact.notice })
      }
  } catch (error) {
    noteRest(error)
  }
  return { conversations: joinFamilies(conversations), files, notices, unread, damaged }
}

function unreadWhole(file: string, { message: sentence }: AppError): UnreadPart {
  return { file, fromByte: 0, cause: 'failed', sentence }
}

/**
 * Reads one conversation; without ledgers where it shares its files, and without what only its relatives know
 * (`joinFamilies`).
 */
export async function readUnit(
  reader: HistoryReader,
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<ReadRoot> {
  const found: FoundFacts[] = []
  const files: FileLedger[] = []
  const notices: { key: string; notice: string }[] = []
  const unread: UnreadConversationPart[] = []
  const onGap = (part: UnreadPart) => void unread.push({ key: ref.key, part })
  for await (const fact of allowGaps(reader.read(ref, disk, signal), onGap)) {
    if (fact.type === 'conversation') found.push(foundFacts(fact.conversation))
    if (fact.type === 'entry') found.at(-1)?.entries.push(fact.entry)
    if (fact.type === 'damaged') found.at(-1)?.damaged.push(fact.damaged.offset)
    if (fact.type === 'leaf') pushAll(found.at(-1)?.leaves ?? [], fact.leaves)
    if (fact.type === 'file') files.push(fact.ledger)
    if (fact.type === 'notice') notices.push({ key: ref.key, notice: fact.notice })
  }
  const known = await withTime(ref, disk)
  const conversations = found.map((one) => conversationOf(known, forkRuleOf(reader, ref), one))
  const damaged = conversations.flatMap(({ key }, at) => {
    const lines = found[at]?.damaged.length ?? 0
    return lines === 0 ? [] : [{ key, lines }]
  })
  return { conversations, files, notices, unread, damaged }
}

/** Returns a reference with the time of its files, where it had none and they can be read now. */
export async function withTime(ref: SourceRef, disk: Disk): Promise<SourceRef> {
  if (ref.updatedAtMs !== undefined) return ref
  const stats = await Promise.all(
    ref.files.map(({ file }) => disk.stat(path.join(ref.root, file)).catch(() => undefined)),
  )
  const times = stats.flatMap((stat) => stat?.mtimeMs ?? [])
  return times.length === 0 ? ref : { ...ref, updatedAtMs: largestOf(times) }
}

interface FoundFacts {
  readonly fact: ConversationFact
  readonly entries: Entry[]
  /** Entries that it may be at now. */
  readonly leaves: EntryId[]
  /** Bytes of their files at which its damaged lines begin. */
  readonly damaged: number[]
}

function foundFacts(fact: ConversationFact): FoundFacts {
  return { fact, entries: [], leaves: [], damaged: [] }
}

function conversationOf(
  ref: SourceRef,
  forkRule: ForkRule | undefined,
  { fact, entries, leaves }: FoundFacts,
): ReadConversation {
  const facts = new EntryFacts()
  for (const entry of entries) facts.add(entry)
  const head = headOf(ref, fact, facts)
  const tree = entryTree(entries, forkRule)
  if (tree === undefined) return { ...head, active: entries.map((entry) => entry.id), entries }
  return {
    ...head,
    ...(forkRule === undefined ? {} : { forkRule }),
    active: idsAt(entries, tree.active(leaves)),
    entries: entries.map((entry, at) => (tree.seams.has(at) ? withSeam(entry) : entry)),
  }
}

/** An entry that goes on from the one before it in the file, since its own parent is missing. */
function withSeam(entry: Entry): Entry {
  return { ...entry, metadata: { ...entry.metadata, seam: true } }
}

/** The facts that a conversation's entries have together; takes entries in order, and holds none. */
export class EntryFacts {
  private first: number | undefined
  private last: number | undefined
  private readonly named = new Set<string>()

  add({ timestamp, metadata }: Entry): void {
    if (timestamp !== null) {
      this.first ??= timestamp
      this.last = timestamp
    }
    if (typeof metadata?.model === 'string') this.named.add(metadata.model)
  }

  /** Unix seconds of the first entry that has a time. */
  get firstTime(): number | undefined {
    return this.first
  }

  /** Unix seconds of the last entry that has a time. */
  get lastTime(): number | undefined {
    return this.last
  }

  /** Models that entries name, in order of first appearance. */
  get models(): readonly string[] {
    return [...this.named]
  }
}

/**
 * Returns the head of a conversation: all of it but its entries.
 *
 * @param told by all of them
 */
export function headOf(
  ref: SourceRef,
  fact: ConversationFact,
  facts: Pick<EntryFacts, 'firstTime' | 'lastTime' | 'models'>,
): Omit<ReadConversation, 'active' | 'entries'> {
  const { key, title, storedTitle, project, parent, createdAt, updatedAt } = fact
  const { formerKeys, subagentOf } = fact
  return {
    source: ref.source,
    key,
    title,
    ...(storedTitle === undefined ? {} : { storedTitle }),
    project,
    created: isoTime(createdAt ?? facts.firstTime),
    updated: isoTime(later(facts.lastTime ?? lastWrite(ref, createdAt), updatedAt)),
    models: facts.models,
    parent,
    ...(formerKeys === undefined ? {} : { formerKeys }),
    ...(subagentOf === undefined ? {} : { subagentOf }),
  }
}

function later(time: number | undefined, other: number | undefined): number | undefined {
  return time === undefined || other === undefined ? (time ?? other) : Math.max(time, other)
}
