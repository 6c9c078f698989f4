import type { AppError } from '../../../shared/model/basics/errors'
import { pushAll } from '../../../shared/model/basics/long-lists'
import {
  ConversationKey,
  type LibraryKey,
  parseLibraryKey,
} from '../../../shared/model/conversation/conversation'
import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import {
  allowGaps,
  notWholeError,
  type UnreadPart,
} from '../../../shared/model/conversation/reading'
import type { AdoptReport, BranchAction, EntryRef } from '../../../shared/model/family/branching'
import type { ContextOrigin } from '../../../shared/model/family/family'
import type { Disk } from '../../disk/interface/disk'
import { type ConversationFact, forkRuleOf } from '../../readers/common/reader'
import type { ContextBeginning } from '../../store/store'
import type { History } from '../sources/histories'
import { adoptedEntries, openingPrompt } from './adopt-entries'
import { adoptReportOf } from './adopt-report'
import { foreignLeftBehind, foreignPathTo } from './foreign-path'

/** A path of another system's conversation, ready to be written as a context of ours. */
export interface Adoption {
  readonly title: string
  /** Makes the beginning of the context, once it has a name. */
  readonly beginning: (context: string) => ContextBeginning
  readonly report: AdoptReport
  /** Returns the entries after the cut, on the way through the entry. */
  readonly left: () => readonly Entry[]
}

/**
 * Reads the path to an entry of a foreign conversation for copying; the source is only read. A damaged archive is
 * adopted as far as it can be read: no later try gives more, and the report lists what is missing. A failure of the
 * disk is an error: it must not make a shorter conversation.
 *
 * @param nowSeconds for entries without a time in a conversation that tells none
 *
 * @param gone makes the words where its files have no such conversation
 *
 * @throws AppError `not-found`, `unreadable`, `bad-argument`
 */
export async function readAdoption(
  history: History,
  disk: Disk,
  at: EntryRef,
  action: BranchAction['type'],
  nowSeconds: number,
  gone: (key: LibraryKey) => AppError,
): Promise<Adoption> {
  const read = await readHistory(history, disk, gone)
  const { entries, title, leaves } = read
  const forkRule = forkRuleOf(history.reader, history.ref)
  const path = foreignPathTo(entries, at, action, forkRule)
  const prompt = promptOf(path)
  const origin: ContextOrigin = {
    source: history.ref.source,
    key: ConversationKey.parse(parseLibraryKey(history.key).key),
    entry: path.at(-1)?.id ?? null,
    entries: path.length,
  }
  const begun = read.createdAt ?? entries.find(({ timestamp }) => timestamp !== null)?.timestamp
  const seconds = Math.max(0, Math.floor(begun ?? nowSeconds))
  return {
    title,
    beginning: (context) => ({
      metadata: { origin },
      entries: adoptedEntries(path, { context, seconds }),
      files: new Map(prompt === '' ? [] : [['system_prompt.md', prompt]]),
    }),
    report: adoptReportOf(path, {
      damaged: damagedBefore(read, path),
      control: read.control,
      unread: read.unread,
    }),
    left: () => foreignLeftBehind(entries, at, path, leaves, forkRule),
  }
}

function promptOf(path: readonly Entry[]): string {
  const words = openingPrompt(path).map(({ content }) => content)
  return words.filter((text) => text.trim() !== '').join('\n\n')
}

/** A conversation as its reader gives it, in time order. */
interface ReadHistory {
  readonly title: string
  /** Unix seconds; undefined where only the entries can have it. */
  readonly createdAt: number | undefined
  readonly entries: readonly Entry[]
  /** Ends of the ways that it is on now, where its format tells. */
  readonly leaves: readonly EntryId[]
  /** For each damaged line, how many entries come before it. */
  readonly damagedAfter: readonly number[]
  /** Lines that are no message. */
  readonly control: number
  /** Parts of damaged archives that could not be read. */
  readonly unread: readonly UnreadPart[]
}

async function readHistory(
  { reader, ref, key }: History,
  disk: Disk,
  gone: (key: LibraryKey) => AppError,
): Promise<ReadHistory> {
  let head: ConversationFact | undefined
  const entries: Entry[] = []
  const leaves: EntryId[] = []
  const damagedAfter: number[] = []
  let control = 0
  const unread: UnreadPart[] = []
  const onGap = (part: UnreadPart) => {
    if (part.cause !== 'damaged') throw notWholeError(ref.key, [part])
    unread.push(part)
  }
  const reading = reader.read(ref, disk, new AbortController().signal)
  for await (const fact of allowGaps(reading, onGap)) {
    if (fact.type === 'conversation') head ??= fact.conversation
    else if (fact.type === 'entry') entries.push(fact.entry)
    else if (fact.type === 'leaf') pushAll(leaves, fact.leaves)
    else if (fact.type === 'damaged') damagedAfter.push(entries.length)
    else if (fact.type === 'control') control += 1
  }
  if (head === undefined) {
    // Where a part could not be read, it may not be gone.
    if (unread.length > 0) throw notWholeError(ref.key, unread)
    throw gone(key)
  }
  const { title, createdAt } = head
  return { title, createdAt, entries, leaves, damagedAfter, control, unread }
}

function damagedBefore({ entries, damagedAfter }: ReadHistory, path: readonly Entry[]): number {
  const last = path.at(-1)
  const end = last === undefined ? -1 : entries.indexOf(last)
  return damagedAfter.filter((before) => before <= end).length
}
