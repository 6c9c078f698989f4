import { firstWords } from '../../../shared/model/basics/first-words'
import { isWrittenByPerson } from '../../../shared/model/conversation/entry'
import { Gap } from '../../../shared/model/conversation/reading'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import type { AcceptValue } from '../../disk/json/json-accept'
import { decodeJsonLineInSlices } from '../../disk/json/json-line'
import { readLines, readLinesBackward } from '../../disk/reading/lines'
import type { ConversationHead } from './document-conversations'
import { jsonLineFacts } from './json-lines'
import { factsOfFile, fileOf, pathOf } from './one-file'
import type { ConversationFact, SourceFact, SourceRef } from './reader'
import type { ValueMeaning } from './value-meaning'

/** The meaning of a line of a conversation's record file; the conversation's own members are `control`, with its head. */
export type DocumentLine = ValueMeaning & { readonly head?: ConversationHead }

/**
 * Reads a conversation of an export as facts.
 *
 * @param known what is told elsewhere than in its record file
 * @throws AppError `not-found`, `unreadable`
 */
export async function* readRecordFile(
  ref: SourceRef,
  accept: AcceptValue<DocumentLine>,
  disk: Disk,
  signal: AbortSignal,
  known: Partial<Pick<ConversationFact, 'title' | 'storedTitle' | 'project' | 'updatedAt'>> = {},
): AsyncGenerator<SourceFact | Gap> {
  const { key, unread = [] } = ref
  const { file } = fileOf(ref)
  yield* factsOfFile(disk, pathOf(ref), async function* (opened) {
    const { conversation, model } = await readRecordHead(key, opened, accept, signal)
    yield { type: 'conversation', conversation: { ...conversation, ...known } }
    yield* jsonLineFacts(opened, file, withModel(accept, model), signal)
    for (const part of unread) yield new Gap(part)
  })
}

/** The first fact of a conversation, and the model of its answers that name none. */
interface RecordHead {
  readonly conversation: ConversationFact
  readonly model: string | undefined
}

/** Reads what a list shows of a conversation from the beginning and the last line of its record file. @throws DiskError */
export async function readRecordHead(
  key: string,
  opened: DiskFile,
  accept: AcceptValue<DocumentLine>,
  signal: AbortSignal,
): Promise<RecordHead> {
  const { head: first, words } = await beginningOf(opened, accept, signal)
  const head = joined(first, await endingOf(opened, accept, signal))
  const { subagentOf } = head ?? {}
  const conversation = {
    key,
    title: head?.title || words || key,
    storedTitle: head?.title || undefined,
    project: head?.project ?? null,
    createdAt: head?.createdAt,
    parent: subagentOf === undefined ? null : { key: subagentOf.key, entries: 0 },
    ...(subagentOf === undefined ? {} : { subagentOf }),
  }
  return { conversation, model: head?.model }
}

/** The head that the last line tells: a conversation's members may stand before and behind its records. */
async function endingOf(
  file: DiskFile,
  accept: AcceptValue<DocumentLine>,
  signal: AbortSignal,
): Promise<ConversationHead | undefined> {
  const { sizeBytes } = await file.stat()
  const ends = { firstChunkBytes: beginningBytes, signal }
  for await (const [raw] of readLinesBackward(file, sizeBytes, ends)) {
    if (raw === undefined) continue
    const decoded = await decodeJsonLineInSlices(raw, accept)
    return decoded.type === 'value' ? decoded.value.head : undefined
  }
  return undefined
}

function joined(
  one: ConversationHead | undefined,
  other: ConversationHead | undefined,
): ConversationHead | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return {
    id: one.id ?? other.id,
    title: one.title || other.title,
    project: one.project ?? other.project,
    createdAt: one.createdAt ?? other.createdAt,
    updatedAt: one.updatedAt ?? other.updatedAt,
    model: one.model ?? other.model,
    subagentOf: one.subagentOf ?? other.subagentOf,
  }
}

/** Gives answers that name no model that of their conversation. */
export function withModel<T extends ValueMeaning>(
  accept: AcceptValue<T>,
  model: string | undefined,
): AcceptValue<T> {
  if (model === undefined) return accept
  return (value, text, position) => {
    const line = accept(value, text, position)
    if (typeof line === 'string' || line.type === 'control') return line
    const entries = line.entries.map((entry) =>
      entry.role !== 'agent' || entry.metadata?.model !== undefined
        ? entry
        : { ...entry, metadata: { ...entry.metadata, model } },
    )
    return { ...line, entries }
  }
}

interface Beginning {
  head?: ConversationHead | undefined
  /** The first words of a person. */
  words?: string | undefined
}

const beginningBytes = 16 * 1024
/** By then a person has spoken. */
const beginningLines = 1000

/** A conversation begins with its own members: with a title there, nothing more is read. */
async function beginningOf(
  file: DiskFile,
  accept: AcceptValue<DocumentLine>,
  signal: AbortSignal,
): Promise<Beginning> {
  const found: Beginning = {}
  let seen = 0
  for await (const lines of readLines(file, { chunkBytes: beginningBytes, signal }))
    for (const raw of lines) {
      const decoded = await decodeJsonLineInSlices(raw, accept)
      const line = decoded.type === 'value' ? decoded.value : undefined
      found.head ??= line?.head
      if (line?.type === 'entries')
        for (const entry of line.entries)
          if (isWrittenByPerson(entry)) found.words ??= firstWords(entry.content) || undefined
      seen += 1
      if (found.head?.title || found.words !== undefined || seen === beginningLines) return found
    }
  return found
}
