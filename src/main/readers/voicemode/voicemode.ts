import path from 'node:path'
import { allowGaps, Gap, readingOf } from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import { unreadableSource } from '../common/json-lines'
import type { ConversationFact, HistoryReader, SourceFact, SourceRef } from '../common/reader'
import { conversationLines, type DayFileLine } from './conversation-lines'
import { countVoiceLine } from './count'
import { lookIntoDays } from './day-index'
import { documentEntries } from './documents'
import { fileLedgers } from './file-ledgers'
import { voicemodeFormat } from './known'
import { voiceLine } from './line'
import { lastInstant, listConversations, openingOf } from './list'
import { Opening } from './opening'

/**
 * The reader of voicemode's logs of what was heard and spoken: one file per day, with lines of several conversations;
 * a conversation that continues after midnight is in several files.
 *
 * Format: formats chapter 4, seen from 2.5.0 (lines of version 1) to 8.12.0 (version 3), and the older text files of
 * `transcriptions`. Nothing of a line is lost: what has no field is in `metadata` (`speech`, `audio`, `raw_fields`).
 * Times are those at which the log was written, not at which the words began. The low-level log of events is not read.
 */
export const voicemodeReader: HistoryReader = {
  id: 'voicemode',
  defaultRoots: ['~/.voicemode'],
  footprint: {
    day: [
      ['logs', 'conversations', /^exchanges_.*\.jsonl(?:\.gz|\.zst)?$/i],
      ['logs', /^exchanges_.*\.jsonl(?:\.gz|\.zst)?$/i],
    ],
    file: [['transcriptions', /^[^.].*\.txt$/i]],
  },
  rootVariable: 'VOICEMODE_BASE_DIR',
  list: listConversations,
  known: voicemodeFormat,
  lookInto: lookIntoDays,
  meaningOf: voiceLine,
  countOf: countVoiceLine,
  documentOf: documentEntries,
  watchedFolders: ['logs', 'logs/conversations', 'conversations', 'transcriptions'],
  beginning: conversationBeginning,
  read: readIt,
  accounts: (root, disk, signal, isWanted) =>
    readingOf(root, fileLedgers(root, disk, signal, isWanted)),
  async lastTime(ref, disk, signal) {
    try {
      return await lastInstant(ref, disk, signal)
    } catch (error) {
      throw unreadableSource(ref.key, error)
    }
  },
}

function readIt(ref: SourceRef, disk: Disk, signal: AbortSignal) {
  return readingOf(ref.key, readConversation(ref, disk, signal))
}

/** From its first lines when it was listed; from all where lines are out of order. */
async function conversationBeginning(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<ConversationFact> {
  const isOfDocuments = ref.files.some(({ isDocument }) => isDocument)
  if (ref.isUnordered || isOfDocuments) {
    // A part that cannot be read has no first words.
    for await (const fact of allowGaps(readIt(ref, disk, signal), () => undefined))
      if (fact.type === 'conversation') return fact.conversation
  }
  try {
    return (await openingOf(ref, disk, signal)).fact(ref.key)
  } catch (error) {
    throw unreadableSource(ref.key, error)
  }
}

/** By instant, since lines may come late. Holds the conversation, which is what one person said and heard. */
async function* readConversation(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const lines: DayFileLine[] = []
  for (const source of ref.files)
    try {
      for await (const one of conversationLines(ref, source, disk, signal)) lines.push(one)
    } catch (error) {
      throw unreadableSource(path.join(ref.root, source.file), error)
    }
  const ordered = byInstant(lines).flatMap(({ facts }) => facts)
  yield { type: 'conversation', conversation: conversationOf(ref.key, ordered) }
  yield* ordered
  for (const part of ref.unread ?? []) yield new Gap(part)
}

/** Stable; a line without an instant stays after the one before it. */
function byInstant(lines: readonly DayFileLine[]): readonly DayFileLine[] {
  let before = Number.NEGATIVE_INFINITY
  return lines
    .map((one) => {
      before = one.instant ?? before
      return { one, instant: before }
    })
    .sort((a, b) => (a.instant === b.instant ? 0 : a.instant - b.instant))
    .map(({ one }) => one)
}

function conversationOf(key: string, facts: readonly (SourceFact | Gap)[]): ConversationFact {
  const opening = new Opening()
  for (const fact of facts) {
    if (!(fact instanceof Gap) && fact.type === 'entry') opening.take(fact.entry)
    if (opening.isComplete) break
  }
  return opening.fact(key)
}
