import { joinFingerprints, textFingerprint } from '../basics/fingerprint'
import { firstWords } from '../basics/first-words'
import { isoMs } from '../basics/time'
import type { ConversationKey } from '../conversation/conversation'
import { type Entry, type EntryId, shownText, speakerOf } from '../conversation/entry'
import { cannotRepeat, entryIdentity, toolFingerprint } from './entry-identity'
import { type ContextOrigin, contextOrigin, type SubagentOrigin } from './family'
import { entryTraits, hasTrait, type messageTrait } from './message-traits'
import { addFacts, endFacts, type FactsDraft, newFacts, type OutlineFacts } from './outline-facts'
import { type ForkRule, layStrands, resolveParents, type Strands, type TreeRecord } from './tree'
import { isFurtherPart } from './tree-record'
import { waysOf } from './ways'

/** Fields of an entry that an outline is made of. */
export type OutlinedEntry = Pick<
  Entry,
  | 'id'
  | 'timestamp'
  | 'to'
  | 'content'
  | 'entry_type'
  | 'role'
  | 'tool_call_id'
  | 'metadata'
  | 'parent'
> &
  Partial<Pick<Entry, 'file' | 'offset'>>

/** A conversation as its reader gives it. */
export interface OutlinedConversation {
  readonly source: string
  readonly key: ConversationKey
  readonly title: string
  /** A title that a person or the tool gave to this very conversation; a chibi context's name is none. */
  readonly storedTitle?: string | undefined
  /** Keys that it had before. */
  readonly formerKeys?: readonly string[] | undefined
  /** ISO 8601; null where it is not known. */
  readonly created: string | null
  readonly updated: string | null
  /** The path to the current leaf; without it, `leaves` decide. */
  readonly active?: readonly EntryId[] | undefined
  /** Where the conversation may be now: the first of these that is one of its entries; else the last entry. */
  readonly leaves?: readonly EntryId[] | undefined
  /** In file order. */
  readonly entries: Iterable<OutlinedEntry>
  readonly forkRule?: ForkRule | undefined
  /** For the conversation of a subagent. */
  readonly subagentOf?: SubagentOrigin | undefined
}

/**
 * Outline of a conversation, by which its relatives are found: fingerprints instead of texts, about 100 bytes a
 * message. A message is a line of the source with all its entries (`L7`, `L7#2`), so that two files never part in
 * the middle of a line. Arrays are indexed by message.
 */
export interface Outline {
  readonly source: string
  readonly key: ConversationKey
  readonly title: string
  readonly storedTitle: string | undefined
  /** Unix milliseconds. */
  readonly createdMs: number | undefined
  readonly updatedMs: number | undefined
  readonly origin: ContextOrigin | undefined
  /** Keys that it had before: origins that were written then name it so. */
  readonly formerKeys: readonly string[]
  /** Of every entry, in file order. */
  readonly ids: readonly EntryId[]
  /** Where each message begins in `ids`; one more than there are messages, so that the next one is its end. */
  readonly starts: readonly number[]
  readonly marks: readonly number[]
  /** The fingerprint of the message's tool call ids, where they cannot be equal by chance; else 0. */
  readonly tools: readonly number[]
  /** The fingerprint of what cycod leaves when it cuts the message; 0 where it cuts nothing. */
  readonly heads: readonly number[]
  readonly traits: readonly number[]
  /** Unix milliseconds; 0 where it is not known. */
  readonly times: readonly number[]
  /** A message's first words; empty where nobody speaks. */
  readonly words: readonly string[]
  readonly facts: OutlineFacts
  /** Of conversations with parent ids inside. */
  readonly strands: Strands | undefined
  /** The message at which the conversation is now; -1 where it has none. */
  readonly leaf: number
  /** Where it was called, for the conversation of a subagent. */
  readonly subagentOf: SubagentOrigin | undefined
}

/** Makes the outline of a conversation. Reads every entry once, in order; linear in the bytes of their contents. */
export function outlineOf(conversation: OutlinedConversation): Outline {
  const builder = buildOutline()
  for (const entry of conversation.entries) builder.add(entry)
  return builder.end(conversation)
}

/** Makes the outline of a conversation that is read piece by piece, so that its texts need not be held. */
export function buildOutline(): {
  /** Takes the next entry, in file order. */
  add(entry: OutlinedEntry): void
  end(conversation: Omit<OutlinedConversation, 'entries'>): Outline
} {
  const draft = newDraft()
  return {
    add: (entry) => addEntry(draft, entry),
    end: (conversation) => endOutline(draft, conversation),
  }
}

function endOutline(draft: Draft, conversation: Omit<OutlinedConversation, 'entries'>): Outline {
  const { source, key, title, storedTitle, created, updated, active, leaves } = conversation
  const tree = strandsOf(draft, conversation.forkRule ?? 'every-child')
  return {
    source,
    key,
    title,
    storedTitle,
    createdMs: isoMs(created),
    updatedMs: isoMs(updated),
    origin: draft.origin,
    formerKeys: conversation.formerKeys ?? [],
    ids: draft.ids,
    starts: [...draft.starts, draft.ids.length],
    marks: draft.marks,
    tools: draft.tools,
    heads: draft.heads,
    traits: draft.traits,
    times: draft.times,
    words: draft.words,
    facts: endFacts(draft.facts),
    strands: tree?.strands,
    leaf: leafOf(draft, active?.slice(-1) ?? leaves ?? [], tree),
    subagentOf: conversation.subagentOf,
  }
}

/** Counts the messages (lines of the source) that the first `count` entries make; one that is only begun counts. */
export function messagesIn(outline: Outline, count: number): number {
  let messages = 0
  while (messages < outline.marks.length && (outline.starts[messages] ?? 0) < count) messages++
  return messages
}

interface Draft {
  origin: ContextOrigin | undefined
  readonly ids: EntryId[]
  readonly starts: number[]
  readonly marks: number[]
  readonly tools: number[]
  readonly heads: number[]
  readonly traits: number[]
  readonly times: number[]
  readonly words: string[]
  readonly facts: FactsDraft
  readonly parents: (EntryId | null | undefined)[]
  /** Further parts of a line, and the id of its first. */
  readonly parts: Map<string, EntryId>
  /** By each id that only copies share, the fingerprint of the text that came with it first. */
  readonly texts: Map<EntryId, number>
  hasParents: boolean
}

function newDraft(): Draft {
  return {
    origin: undefined,
    ids: [],
    starts: [],
    marks: [],
    tools: [],
    heads: [],
    traits: [],
    times: [],
    words: [],
    facts: newFacts(),
    parents: [],
    parts: new Map(),
    texts: new Map(),
    hasParents: false,
  }
}

function addEntry(draft: Draft, entry: OutlinedEntry): void {
  const first = draft.ids[draft.starts.at(-1) ?? -1]
  const isPart = isFurtherPart(entry.id, first)
  if (isPart && first !== undefined) draft.parts.set(entry.id, first)
  else beginMessage(draft, entry)
  draft.ids.push(entry.id)
  const at = draft.marks.length - 1
  const identity = entryIdentity(entry)
  draft.marks[at] = joinFingerprints(draft.marks[at] ?? 0, markOf(draft, entry, identity.whole))
  // Only whole lines are cut; a line with several parts is an answer, and those are left alone.
  draft.heads[at] = isPart || identity.head === undefined ? 0 : textFingerprint(identity.head)
  const tool = toolFingerprint(entry)
  if (tool !== undefined) draft.tools[at] = joinFingerprints(draft.tools[at] ?? 0, tool)
  draft.traits[at] = (draft.traits[at] ?? 0) | entryTraits(entry)
  if (draft.words[at] === '' && speakerOf(entry) !== undefined)
    draft.words[at] = firstWords(shownText(entry))
  addFacts(draft.facts, at, entry)
}

/** The fingerprint of an entry; of one that has another text under the id of an earlier one, that of both. */
function markOf(draft: Draft, { id, content }: OutlinedEntry, whole: string): number {
  if (!cannotRepeat(id)) return textFingerprint(whole)
  const text = textFingerprint(content)
  const first = draft.texts.get(id)
  if (first === undefined) draft.texts.set(id, text)
  return textFingerprint(first === undefined || first === text ? whole : `${whole}\n${content}`)
}

function beginMessage(draft: Draft, entry: OutlinedEntry): void {
  draft.starts.push(draft.ids.length)
  for (const numbers of [draft.marks, draft.tools, draft.heads, draft.traits]) numbers.push(0)
  draft.times.push(entry.timestamp === null ? 0 : entry.timestamp * 1000)
  draft.words.push('')
  if (draft.parents.length === 0) draft.origin = contextOrigin(entry)
  if (entry.parent !== undefined) draft.hasParents = true
  draft.parents.push(entry.parent)
}

interface OutlinedTree {
  readonly records: readonly TreeRecord[]
  readonly strands: Strands
}

/** Undefined where the format has no parents. */
function strandsOf(draft: Draft, rule: ForkRule): OutlinedTree | undefined {
  if (!draft.hasParents) return undefined
  const records = draft.starts.map((start, at): TreeRecord => {
    const has = (which: keyof typeof messageTrait) => hasTrait(draft, at, which)
    const parent = draft.parents[at]
    return {
      id: draft.ids[start] ?? '',
      // A child of a line's further part hangs on the line.
      parent: parent == null ? parent : (draft.parts.get(parent) ?? parent),
      isBoundary: has('boundary'),
      speaks: has('human') ? 'human' : has('machine') ? 'other' : 'silent',
      isAside: has('aside'),
    }
  })
  return { records, strands: layStrands(records, resolveParents(records), rule) }
}

/** With parents, what only follows the leaf in the file is on its way too. */
function leafOf(draft: Draft, ids: readonly EntryId[], tree: OutlinedTree | undefined): number {
  const named = ids.map((id) => messageWith(draft, id)).find((at) => at !== undefined)
  if (tree === undefined) return named ?? draft.marks.length - 1
  const leaf = named === undefined ? [] : [tree.records[named]?.id ?? '']
  return waysOf(tree.records, tree.strands).now(leaf).messages.at(-1) ?? -1
}

function messageWith(draft: Draft, id: EntryId): number | undefined {
  const entry = draft.ids.lastIndexOf(id)
  if (entry === -1) return undefined
  let message = draft.starts.length - 1
  while (message > 0 && (draft.starts[message] ?? 0) > entry) message--
  return message
}
