import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { Gap } from '../../../shared/model/conversation/reading'
import { firstWords } from '../../../shared/model/family/outline'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import type { AcceptValue } from '../../disk/json/json-accept'
import { decodeJsonLineInSlices } from '../../disk/json/json-line'
import { readLines, readLinesBackward } from '../../disk/reading/lines'
import type { ConversationHead } from './document-conversations'
import { openListed } from './found-files'
import { jsonLineFacts, unreadableSource } from './json-lines'
import type { SourceFact, SourceRef } from './reader'
import type { NamelessEntry, ValueMeaning } from './value-meaning'

/** The meaning of a line of a conversation's record file; the conversation's own members are `control`, with its head. */
export type DocumentLine = ValueMeaning & { readonly head?: ConversationHead }

/**
 * Reads a conversation of an export as facts.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function* readRecordFile(
  ref: SourceRef,
  accept: AcceptValue<DocumentLine>,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const { key, root, files, unread = [] } = ref
  const [source] = files
  if (source === undefined) throw new AppError('not-found', `${key} no longer exists.`)
  const whole = path.join(root, source.file)
  const opened = await openListed(disk, whole)
  try {
    const { head: first, words } = await beginningOf(opened, accept, signal)
    const head = joined(first, await endingOf(opened, accept, signal))
    yield {
      type: 'conversation',
      conversation: {
        key,
        title: head?.title || words || key,
        storedTitle: head?.title || undefined,
        project: head?.project ?? null,
        createdAt: head?.createdAt,
        parent: null,
      },
    }
    yield* jsonLineFacts(opened, source.file, withModel(accept, head?.model), signal)
    for (const part of unread) yield new Gap(part)
  } catch (error) {
    throw unreadableSource(whole, error)
  } finally {
    await opened.close()
  }
}

/** Lines read from the end: the last ones may be the conversation's own members, or have no time. */
const endLines = 8

/**
 * Reads the time of the last entry of a conversation, in Unix seconds.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function lastTimeOfRecords(
  { key, root, files }: SourceRef,
  accept: AcceptValue<DocumentLine>,
  disk: Disk,
  signal: AbortSignal,
): Promise<number | undefined> {
  const [source] = files
  if (source === undefined) throw new AppError('not-found', `${key} no longer exists.`)
  const whole = path.join(root, source.file)
  const opened = await openListed(disk, whole)
  try {
    const { sizeBytes } = await opened.stat()
    let seen = 0
    const ends = { firstChunkBytes: beginningBytes, signal }
    for await (const lines of readLinesBackward(opened, sizeBytes, ends))
      for (const raw of lines) {
        const decoded = await decodeJsonLineInSlices(raw, accept)
        const line = decoded.type === 'value' ? decoded.value : undefined
        const time = line?.type === 'entries' ? line.entries.at(-1)?.timestamp : undefined
        seen += 1
        if (typeof time === 'number' || seen === endLines) return time ?? undefined
      }
    return undefined
  } catch (error) {
    throw unreadableSource(whole, error)
  } finally {
    await opened.close()
  }
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
  }
}

/** Answers that name no model are the conversation's. */
function withModel(
  accept: AcceptValue<DocumentLine>,
  model: string | undefined,
): AcceptValue<DocumentLine> {
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
          if (isHuman(entry)) found.words ??= firstWords(entry.content) || undefined
      seen += 1
      if (found.head?.title || found.words !== undefined || seen === beginningLines) return found
    }
  return found
}

function isHuman({ entry_type, role, metadata }: NamelessEntry): boolean {
  return entry_type === 'message' && role === 'user' && metadata?.injected !== true
}
