import { isUtf8 } from 'node:buffer'
import path from 'node:path'
import { EntryId, type Place } from '../../../shared/model/entry'
import type { Disk } from '../../disk/disk'
import { beginningOf, decodeJsonLine } from '../../disk/json-line'
import { chunkBytesFor, type RawLine, readLines } from '../../disk/lines'
import { readWholeFile } from '../../disk/read'
import { openSource } from '../json-lines'
import type { NamelessEntry } from '../meaning'
import type { Fact, SourceFile, SourceRef } from '../reader'
import { namedDocumentEntry } from './documents'
import { type VoiceLine, voiceLine } from './line'

/** What a line gives of one conversation. */
export interface Told {
  readonly facts: readonly Fact[]
  /** In Unix seconds; undefined where the line tells none. */
  readonly instant: number | undefined
}

type Mark = 'recovered' | 'damaged'

/**
 * The lines of a conversation in one of its files, in file order; lines of others are left out, blank and damaged ones
 * between are told. @throws AppError `not-found`, DiskError
 *
 * @param at which of the conversation's files: ids of lines are unique in all of them
 */
export async function* toldInFile(
  ref: SourceRef,
  at: number,
  source: SourceFile,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<Told> {
  const { file } = source
  const whole = path.join(ref.root, file)
  const suffix = idSuffix(at, file)
  if (source.isDocument) {
    yield await toldOfDocument(disk, whole, file, suffix)
    return
  }
  const { offset, line, end } = source.part ?? wholeFile
  const opened = await openSource(disk, whole)
  try {
    let number = line
    const chunkBytes = chunkBytesFor(end - offset)
    for await (const lines of readLines(opened, { from: offset, to: end, chunkBytes, signal }))
      for (const raw of lines) {
        const told = toldOfLine(raw, file, number, suffix, ref.key)
        if (told !== undefined) yield told
        number += 1
      }
  } finally {
    await opened.close()
  }
}

const wholeFile = { offset: 0, line: 1, end: Number.MAX_SAFE_INTEGER }

/**
 * What stands behind the number of a line in an entry's id: nothing in a conversation's first file, `@2025-08-02` in
 * another one of its days.
 */
export function idSuffix(at: number, file: string): string {
  if (at === 0) return ''
  const name = path.posix
    .basename(file)
    .replace(/^exchanges_/, '')
    .replace(/\.(?:gz|zst)$/i, '')
    .replace(/\.(?:jsonl|txt)$/i, '')
  return `@${name}`
}

/** Undefined for a line of another conversation. */
function toldOfLine(
  raw: RawLine,
  file: string,
  line: number,
  suffix: string,
  key: string,
): Told | undefined {
  const place = { file, line, offset: raw.offset, length: raw.length }
  const decoded = decodeJsonLine(raw, voiceLine)
  if (decoded.type === 'blank') return { facts: [{ type: 'blank', place }], instant: undefined }
  if (decoded.type === 'value') {
    const { value, hasBadBytes } = decoded
    return value.key === key
      ? toldOfValues([value], place, suffix, hasBadBytes ? 'damaged' : undefined)
      : undefined
  }
  const { reason, torn, recovered } = decoded
  const damaged = { ...place, reason, bytes: beginningOf(raw), ...(torn ? { torn } : {}) }
  const own = recovered.filter((value) => value.key === key)
  const { facts, instant } = toldOfValues(own, place, suffix, 'recovered')
  return { facts: [{ type: 'damaged', damaged }, ...facts], instant }
}

function toldOfValues(
  values: readonly VoiceLine[],
  place: Place & { readonly line: number },
  suffix: string,
  mark: Mark | undefined,
): Told {
  const entries = values.flatMap((value) => value.entries)
  const facts = entries.map((entry, part) => entryFact(entry, place, suffix, part, mark))
  return { facts, instant: entries[0]?.timestamp ?? undefined }
}

function entryFact(
  nameless: NamelessEntry,
  place: Place & { readonly line: number },
  suffix: string,
  part: number,
  mark: Mark | undefined,
): Fact {
  const id = EntryId.parse(`L${place.line}${suffix}${part === 0 ? '' : `#${part + 1}`}`)
  const marked = mark === undefined ? {} : { metadata: { ...nameless.metadata, [mark]: true } }
  return { type: 'entry', entry: { id, ...nameless, ...marked, ...place } }
}

/** A text file is one entry, which stands in it from its first byte to its last; or blank. */
async function toldOfDocument(
  disk: Disk,
  whole: string,
  file: string,
  suffix: string,
): Promise<Told> {
  const { bytes, text, isBlank } = await readDocument(disk, whole)
  const place = { file, line: 1, offset: 0, length: bytes.length }
  if (isBlank) return { facts: [{ type: 'blank', place }], instant: undefined }
  const mark = isUtf8(bytes) ? undefined : 'damaged'
  const fact = entryFact(namedDocumentEntry(text, file), place, suffix, 0, mark)
  return { facts: [fact], instant: undefined }
}

/** @throws DiskError `too-large` it is no text that anybody said */
export async function readDocument(disk: Disk, whole: string) {
  const bytes = await readWholeFile(disk, whole)
  const text = new TextDecoder().decode(bytes)
  return { bytes, text, isBlank: text.trim() === '' }
}
