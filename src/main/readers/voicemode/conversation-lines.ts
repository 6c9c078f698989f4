import { isUtf8 } from 'node:buffer'
import path from 'node:path'
import type { Gap } from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import { chunkBytesFor, type FileLine, readLines } from '../../disk/reading/lines'
import { readWholeFile } from '../../disk/reading/read'
import { decodeSourceLine, lineId, openSource, unpackGap } from '../common/json-lines'
import type { SourceFact, SourceFile, SourceRef } from '../common/reader'
import { namedDocumentEntries } from './documents'
import { voiceLine } from './line'

/** The facts of one conversation on a line, or a part that could not be read. */
export interface DayFileLine {
  readonly facts: readonly (SourceFact | Gap)[]
  /** In Unix seconds; undefined where the line has none. */
  readonly instant: number | undefined
}

/**
 * Reads the lines of a conversation in one of its files, in file order, with blank and damaged lines between them;
 * lines of other conversations are left out.
 *
 * @throws AppError `not-found`, DiskError
 */
export async function* conversationLines(
  ref: SourceRef,
  source: SourceFile,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<DayFileLine> {
  const { file } = source
  const whole = path.join(ref.root, file)
  if (source.isDocument) {
    yield await documentLine(disk, whole, file, source.idSuffix)
    return
  }
  const { offset, line, end } = source.part ?? wholeFile
  const opened = await openSource(disk, whole)
  try {
    let number = line
    let reached = offset
    const chunkBytes = chunkBytesFor(end - offset)
    for await (const lines of readLines(opened, { from: offset, to: end, chunkBytes, signal }))
      for (const raw of lines) {
        const found = await lineOf(raw, source, number, ref.key)
        if (found !== undefined) yield found
        number += 1
        reached = raw.offset + raw.length
      }
    const gap = unpackGap(opened, file, reached)
    if (gap !== undefined) yield { facts: [gap], instant: undefined }
  } finally {
    await opened.close()
  }
}

const wholeFile = { offset: 0, line: 1, end: Number.MAX_SAFE_INTEGER }

/** Undefined for a line of another conversation. */
async function lineOf(
  raw: FileLine,
  source: SourceFile,
  line: number,
  key: string,
): Promise<DayFileLine | undefined> {
  const { file, idSuffix } = source
  const { kind, place, rows } = await decodeSourceLine(raw, file, line, voiceLine, {
    key,
    idSuffix,
  })
  // No line of voicemode's is of the format alone.
  if (kind === 'control') return undefined
  if (kind === 'blank') return { facts: [{ type: 'blank', place }], instant: undefined }
  const first = rows.find((row) => row.type === 'entry')
  return { facts: rows, instant: first?.entry.timestamp ?? undefined }
}

/** The place of every entry of a text file is all of it; or it is blank. */
async function documentLine(
  disk: Disk,
  whole: string,
  file: string,
  suffix: string | undefined,
): Promise<DayFileLine> {
  const { bytes, text, isBlank } = await readDocument(disk, whole)
  const place = { file, line: 1, offset: 0, length: bytes.length }
  if (isBlank) return { facts: [{ type: 'blank', place }], instant: undefined }
  const isWhole = isUtf8(bytes)
  const facts = namedDocumentEntries(text, file).map((nameless, at): SourceFact => {
    const marked = isWhole ? {} : { metadata: { ...nameless.metadata, damaged: true } }
    const entry = { id: lineId(1, at, suffix), ...nameless, ...marked, ...place }
    return { type: 'entry', entry }
  })
  return { facts, instant: undefined }
}

/**
 * Reads a text file of up to 16 MB.
 *
 * @throws DiskError `too-large` above 16 MB
 */
export async function readDocument(disk: Disk, whole: string) {
  const bytes = await readWholeFile(disk, whole)
  const text = new TextDecoder().decode(bytes)
  return { bytes, text, isBlank: text.trim() === '' }
}
