import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { Gap } from '../../../shared/model/conversation/reading'
import { firstWords } from '../../../shared/model/family/outline'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import type { AcceptValue } from '../../disk/json/json-accept'
import { decodeJsonLineInSlices } from '../../disk/json/json-line'
import { readLines } from '../../disk/reading/lines'
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
    const { head, words } = await beginningOf(opened, accept, signal)
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
    yield* jsonLineFacts(opened, source.file, accept, signal)
    for (const part of unread) yield new Gap(part)
  } catch (error) {
    throw unreadableSource(whole, error)
  } finally {
    await opened.close()
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
