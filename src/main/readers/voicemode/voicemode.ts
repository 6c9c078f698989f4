import path from 'node:path'
import type { Entry } from '../../../shared/model/entry'
import { firstWords } from '../../../shared/model/outline'
import type { Disk } from '../../disk/disk'
import { unreadable } from '../json-lines'
import type { ConversationFact, Fact, HistoryReader, SourceRef } from '../reader'
import { accountsOf } from './accounts'
import { documentEntry } from './documents'
import { nothingHeard, voiceLine } from './line'
import { lastInstant, listConversations } from './list'
import { type Told, toldInFile } from './reading'

/**
 * voicemode's logs of what was heard and spoken: a file a day, in which lines of several conversations stand, and a
 * conversation that goes on after midnight stands in several files.
 *
 * Format: formats chapter 4, seen from 2.5.0 (lines of version 1) to 8.12.0 (version 3), and the older text files of
 * `transcriptions`. Of a line nothing is lost: what has no field is in `metadata` (`speech`, `audio`, `raw_fields`).
 * Times are those of the log's writing, not of the words' beginning. The low-level log of events is not read.
 */
export const voicemode: HistoryReader = {
  id: 'voicemode',
  label: 'voicemode',
  defaultRoots: ['~/.voicemode'],
  list: listConversations,
  meaningOf: voiceLine,
  documentOf: documentEntry,
  watchedFolders: ['logs', 'logs/conversations', 'transcriptions'],
  beginning: conversationBeginning,
  read: readConversation,
  accounts: accountsOf,
  async lastTime(ref, disk, signal) {
    try {
      return await lastInstant(ref, disk, signal)
    } catch (error) {
      throw unreadable(ref.key, error)
    }
  },
}

/** So many facts of a beginning are looked at for the words of a person, and for a project. */
const lookAt = 64
/** Read at once for it: a few utterances. */
const beginningBytes = 16 * 1024

/** From the first lines, or from all where lines do not stand in their order. */
async function conversationBeginning(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<ConversationFact> {
  if (ref.isUnordered) {
    for await (const fact of readConversation(ref, disk, signal))
      if (fact.type === 'conversation') return fact.conversation
  }
  const facts: Fact[] = []
  for (const [at, source] of ref.files.entries())
    try {
      for await (const one of toldInFile(ref, at, source, disk, signal, beginningBytes)) {
        facts.push(...one.facts)
        if (tellsAll(facts) || facts.length >= lookAt) return conversationOf(ref.key, facts)
      }
    } catch (error) {
      throw unreadable(path.join(ref.root, source.file), error)
    }
  return conversationOf(ref.key, facts)
}

/** Whether a person's words, a time and a project are among the facts. */
function tellsAll(facts: readonly Fact[]): boolean {
  const entries = facts.flatMap((fact) => (fact.type === 'entry' ? [fact.entry] : []))
  return (
    entries.some((entry) => entry.role === 'user' && isWorded(entry)) &&
    entries.some(({ timestamp }) => timestamp !== null) &&
    entries.some(({ metadata }) => typeof metadata?.project === 'string')
  )
}

function isWorded({ content }: Pick<Entry, 'content'>): boolean {
  return content.trim() !== '' && content !== nothingHeard
}

/** By instant, since lines may come late. Holds the conversation, which is what one person said and heard. */
async function* readConversation(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<Fact> {
  const told: Told[] = []
  for (const [at, source] of ref.files.entries())
    try {
      for await (const one of toldInFile(ref, at, source, disk, signal)) told.push(one)
    } catch (error) {
      throw unreadable(path.join(ref.root, source.file), error)
    }
  const ordered = byInstant(told).flatMap(({ facts }) => facts)
  yield { type: 'conversation', conversation: conversationOf(ref.key, ordered) }
  yield* ordered
}

/** Stable; what has no instant stays behind what stands before it. */
function byInstant(told: readonly Told[]): readonly Told[] {
  let before = Number.NEGATIVE_INFINITY
  return told
    .map((one) => {
      before = one.instant ?? before
      return { one, instant: before }
    })
    .sort((a, b) => (a.instant === b.instant ? 0 : a.instant - b.instant))
    .map(({ one }) => one)
}

function conversationOf(key: string, facts: readonly Fact[]): ConversationFact {
  const entries = facts.flatMap((fact) => (fact.type === 'entry' ? [fact.entry] : []))
  const worded = entries.filter(isWorded)
  const titled = worded.find(({ role }) => role === 'user') ?? worded[0] ?? entries[0]
  const projects = entries.map(({ metadata }) => metadata?.project)
  const title = firstWords(titled?.content ?? '')
  return {
    key,
    title: title === '' ? key : title,
    project: projects.find((project) => typeof project === 'string') ?? null,
    createdAt: entries.find(({ timestamp }) => timestamp !== null)?.timestamp ?? undefined,
    parent: null,
  }
}
