import path from 'node:path'
import { z } from 'zod'
import { type EntryDraft, EntryId } from '../../../shared/model/conversation/entry'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import type { Disk } from '../../disk/interface/disk'
import { parseInSlices } from '../../disk/json/json-parse'
import {
  blanksFrom,
  colon,
  comma,
  openBrace,
  openBracket,
  scanValue,
} from '../../disk/json/json-scan'
import { runAtOnce, runInSlices, type Sliced, sliceBytes } from '../../disk/pacing/slices'
import { readWholeFile } from '../../disk/reading/read'
import type { TranscriptFile } from '../core/transcript-file'
import { parseLegacyPage } from './legacy-page'
import type { LineFact } from './line-facts'

/** chibi before 0.5 kept a context in one document, which it rewrote: larger ones than this were never seen. */
const documentBytes = 64 * 1024 * 1024

const Message = z.object({
  id: z.string().optional(),
  role: z.string(),
  content: z.string(),
})

const Document = z.object({
  messages: z.array(z.unknown()),
  created_at: z.number().optional(),
  summary: z.string().nullish(),
})

/** The content of a file that is one document: `context.json`, or `transcript.md`. */
export interface LegacyDocument {
  readonly facts: readonly LineFact[]
  /** Unix seconds. */
  readonly createdAt: number | undefined
  readonly summary: string | undefined
}

/**
 * Reads a `context.json` or a `transcript.md`: each message is a record, counted from 1; they have no times of their own.
 *
 * @throws DiskError `not-found` where it went away since it was looked up
 */
export async function readLegacyDocument(
  disk: Disk,
  file: TranscriptFile,
  context: string,
): Promise<LegacyDocument> {
  const bytes = await readWholeFile(disk, file.path, documentBytes)
  return runInSlices(legacyDocument(bytes, file.place, context))
}

/** Returns true for the name of chibi's page for people, `transcript.md`. */
export function isLegacyPage(file: string): boolean {
  return path.posix.basename(file) === 'transcript.md'
}

/**
 * Decodes the bytes of a `context.json` or a `transcript.md`, by the file's name; without one, bytes that begin with a
 * brace are JSON. Never throws: anything else is one damaged record. It blocks: for worker threads.
 */
export function decodeLegacyDocument(
  bytes: Uint8Array,
  placeName: string,
  context: string,
): LegacyDocument {
  return runAtOnce(legacyDocument(bytes, placeName, context))
}

function* legacyDocument(
  given: Uint8Array,
  placeName: string,
  context: string,
): Sliced<LegacyDocument> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const isPage = placeName === '' ? !(yield* beginsWithBrace(bytes)) : isLegacyPage(placeName)
  if (isPage) {
    const facts = yield* parseLegacyPage(bytes, placeName, context)
    return { facts, createdAt: undefined, summary: undefined }
  }
  const found = yield* documentIn(bytes)
  if (found === undefined)
    return { facts: [whole(placeName, bytes)], createdAt: undefined, summary: undefined }
  const places = yield* elementPlaces(bytes, found.messages.length)
  const facts: LineFact[] = []
  for (const [i, value] of found.messages.entries()) {
    const at = places[i] ?? { offset: 0, length: bytes.length }
    const place = { file: placeName, line: i + 1, ...at }
    const message = Message.safeParse(value)
    const row: TranscriptRow = message.success
      ? { type: 'entry', entry: { ...messageEntry(message.data, i + 1, context), ...place } }
      : { type: 'damaged', damaged: { ...place, reason: 'not a message', bytes: '' } }
    const kind = message.success ? ('entry' as const) : ('damaged' as const)
    facts.push({ kind, place, ended: true, rows: [row] })
    if (i % messagesAtOnce === messagesAtOnce - 1) yield messagesAtOnce
  }
  return { facts, createdAt: found.created_at, summary: found.summary ?? undefined }
}

const messagesAtOnce = 1000
const byteOrderMark = Buffer.from('\ufeff')

function* beginsWithBrace(bytes: Buffer): Sliced<boolean> {
  const begin = bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
  return bytes[begin + (yield* blanksFrom(bytes, begin))] === openBrace
}

/** Undefined for what is told as one damaged record. */
function* documentIn(bytes: Buffer): Sliced<z.infer<typeof Document> | undefined> {
  const value = yield* parseInSlices(bytes)
  return value === undefined ? undefined : Document.safeParse(value.value).data
}

function messageEntry(message: z.infer<typeof Message>, line: number, context: string): EntryDraft {
  const isAgent = message.role === 'assistant'
  const isSystem = message.role === 'system'
  return {
    id: EntryId.parse(message.id ?? `L${line}`),
    timestamp: null,
    from: isAgent ? context : isSystem ? 'system' : 'user',
    to: isAgent ? 'user' : context,
    content: message.content,
    entry_type: 'message',
    role: isAgent ? 'agent' : isSystem ? 'system' : 'user',
  }
}

function whole(file: string, bytes: Uint8Array): LineFact {
  const place = { file, line: 1, offset: 0, length: bytes.length }
  const shown = Buffer.from(bytes.subarray(0, 4096)).toString('base64')
  const damaged = { ...place, reason: 'not the JSON of a context', bytes: shown }
  return { kind: 'damaged', place, ended: true, rows: [{ type: 'damaged', damaged }] }
}

/** Byte places of the elements of the document's `messages`. */
function* elementPlaces(
  bytes: Buffer,
  count: number,
): Sliced<readonly { readonly offset: number; readonly length: number }[]> {
  const places: { offset: number; length: number }[] = []
  const begin = yield* beginOfMessages(bytes)
  if (begin === undefined) return []
  let at = begin
  let spent = 0
  while (places.length < count) {
    at += yield* blanksFrom(bytes, at)
    const end = yield* scanValue(bytes, at)
    if (end.type === 'fault') break
    places.push({ offset: at, length: end.end - at })
    spent += Math.min(end.end - at, sliceBytes)
    at = end.end + (yield* blanksFrom(bytes, end.end))
    if (bytes[at] === comma) at += 1
    if (spent < sliceBytes) continue
    yield spent
    spent = 0
  }
  return places
}

const messagesKey = Buffer.from('"messages"')

/** Behind the bracket of the first list of that name. */
function* beginOfMessages(bytes: Buffer): Sliced<number | undefined> {
  for (let at = bytes.indexOf(messagesKey); at >= 0; at = bytes.indexOf(messagesKey, at + 1)) {
    let next = at + messagesKey.length
    next += yield* blanksFrom(bytes, next)
    if (bytes[next] !== colon) continue
    next += 1
    next += yield* blanksFrom(bytes, next)
    if (bytes[next] === openBracket) return next + 1
  }
  return undefined
}
