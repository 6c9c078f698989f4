import path from 'node:path'
import { z } from 'zod'
import { type EntryDraft, EntryId } from '../../shared/model/entry'
import type { TranscriptRow } from '../../shared/model/transcript'
import type { Disk } from '../disk/disk'
import { endOfValue } from '../disk/json-values'
import { readWholeFile } from '../disk/read'
import { decodeLegacyPage } from './legacy-page'
import type { LineFact } from './line-facts'
import type { TranscriptFile } from './transcript-file'

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

/** What a file holds that is one document: `context.json`, or `transcript.md`. */
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
  return decodeLegacyDocument(bytes, file.place, context)
}

/** Whether a file is chibi's page for people, by its name. */
export function isLegacyPage(file: string): boolean {
  return path.posix.basename(file) === 'transcript.md'
}

/**
 * What the bytes of a `context.json` or a `transcript.md` hold, by the name of their place; where that is empty, what
 * begins with a brace is JSON. Never throws: what is no such document is one damaged record.
 */
export function decodeLegacyDocument(
  bytes: Uint8Array,
  placeName: string,
  context: string,
): LegacyDocument {
  const text = Buffer.from(bytes).toString('utf8')
  const isPage = placeName === '' ? !/^\ufeff?\s*\{/.test(text) : isLegacyPage(placeName)
  if (isPage) {
    const facts = decodeLegacyPage(bytes, placeName, context)
    return { facts, createdAt: undefined, summary: undefined }
  }
  const found = parse(text)
  if (found === undefined)
    return { facts: [whole(placeName, bytes)], createdAt: undefined, summary: undefined }
  const places = elementPlaces(text, found.messages.length)
  const facts = found.messages.map((value, i) => {
    const at = places[i] ?? { offset: 0, length: bytes.length }
    const place = { file: placeName, line: i + 1, ...at }
    const message = Message.safeParse(value)
    const row: TranscriptRow = message.success
      ? { type: 'entry', entry: { ...messageEntry(message.data, i + 1, context), ...place } }
      : { type: 'damaged', damaged: { ...place, reason: 'not a message', bytes: '' } }
    const kind = message.success ? ('entry' as const) : ('damaged' as const)
    return { kind, place, ended: true, rows: [row] }
  })
  return { facts, createdAt: found.created_at, summary: found.summary ?? undefined }
}

function parse(text: string): z.infer<typeof Document> | undefined {
  try {
    return Document.safeParse(JSON.parse(text)).data
  } catch {
    return undefined // Told as one damaged record.
  }
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
function elementPlaces(
  text: string,
  count: number,
): readonly { readonly offset: number; readonly length: number }[] {
  const key = /"messages"\s*:\s*\[\s*/.exec(text)
  if (key === null) return []
  const places: { offset: number; length: number }[] = []
  let at = key.index + key[0].length
  let offset = Buffer.byteLength(text.slice(0, at))
  for (let i = 0; i < count; i++) {
    const end = endOfValue(text, at)
    if (end.type === 'fault') break
    const length = Buffer.byteLength(text.slice(at, end.end))
    places.push({ offset, length })
    const next = end.end + (/^\s*,?\s*/.exec(text.slice(end.end, end.end + 4096))?.[0].length ?? 0)
    offset += length + Buffer.byteLength(text.slice(end.end, next))
    at = next
  }
  return places
}
