import {
  decoderNamed,
  type FoundDecoder,
  type SearchDecoder,
  type SearchDecoders,
} from '../../../shared/model/search'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { readFileFilter } from '../coverage/cover-by-filter'
import type { FilterFile } from '../coverage/coverage'
import { digestRun } from '../coverage/run-digest'
import { PartBuilder } from '../parts/part-builder'
import type { IndexedFile } from '../parts/part-format'
import type { PartIndex } from '../parts/part-index'
import type { HiddenAscii } from '../parts/term-collector'
import { hazardsOf } from '../terms/hazards'
import { BlockReader } from './block-reader'
import { SavedTexts } from './saved-texts'
import { SegmentReading } from './segment-reading'

/**
 * A file whose bytes `from` to `to` are to be indexed, with the size and time at which they were last known to be
 * unchanged.
 */
export interface FileToIndex extends IndexedFile {
  /** The start of a line. */
  readonly from: number
  readonly to: number
  /** The number of the line at `from`. */
  readonly firstLine: number
  /** Its own filter, which answers for all of it: what that holds is taken over, and the text is not read. */
  readonly filter?: FilterFile
  /** The part travels with the file: it does not hold its path. */
  readonly travels?: true
}

/** Size at which a segment ends, with the line that reaches it. */
export const segmentBytes = 512 * 1024

const lineFeed = 0x0a
/** Most facts that are remembered to have been added; more is added again. */
const _mostFacts = 1000

/**
 * Reads files and builds one part from them, file after file; small files share a segment. Files that do not fit or
 * cannot be read are not in it. Resolves to undefined when it would be empty, or the signal aborted.
 *
 * @param segmentSize for tests
 */
export async function buildPart(
  disk: Disk,
  decoders: SearchDecoders,
  files: readonly FileToIndex[],
  signal?: AbortSignal,
  segmentSize: number = segmentBytes,
): Promise<Buffer | undefined> {
  const segment = new SegmentReading(new PartBuilder(), segmentSize)
  const indexed: IndexedFile[] = []
  // Texts first: filters that are taken over are segments of their own.
  for (const file of inOrder(files)) {
    const decoder = decoderNamed(decoders, file.decoder)
    if (signal?.aborted || segment.isFull) break
    if (decoder === undefined || file.from >= file.to) continue
    const part = await ownPartOf(disk, file)
    if (part !== undefined && part.segments.length > segment.partRoom) continue
    indexed.push(factsOf(file))
    if (part !== undefined) segment.addPart(part, indexed.length - 1)
    else await readInto(segment, disk, decoder, file, indexed.length - 1, signal)
  }
  if (signal?.aborted) return undefined
  return segment.finish(indexed)
}

function factsOf(file: FileToIndex): IndexedFile {
  const { identity, path, sizeBytes, mtimeMs, chain, decoder, travels } = file
  const where = travels ? { identity: '', path: '' } : { identity, path }
  return { ...where, sizeBytes, mtimeMs, chain, decoder }
}

function inOrder(files: readonly FileToIndex[]): readonly FileToIndex[] {
  return [...files].sort((a, b) => Number(a.filter !== undefined) - Number(b.filter !== undefined))
}

/** The part in a file's own filter, where file and filter are unchanged and it is valid for this process. */
async function ownPartOf(disk: Disk, file: FileToIndex): Promise<PartIndex | undefined> {
  if (file.filter === undefined) return undefined
  const stat = await disk.stat(file.path).catch(() => undefined)
  const isSame =
    stat?.identity === file.identity &&
    stat.sizeBytes === file.sizeBytes &&
    stat.mtimeMs === file.mtimeMs
  if (!isSame) return undefined
  const stored = await readFileFilter(disk, file.filter.path)
  return stored?.sha256 === file.filter.sha256 && stored.part.isTrusted ? stored.part : undefined
}

async function readInto(
  segment: SegmentReading,
  disk: Disk,
  { decoder, hasOutputs }: FoundDecoder,
  file: FileToIndex,
  number: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const opened = await disk.open(file.path, 'read').catch(() => undefined)
  if (opened === undefined) return
  try {
    // It was renamed or replaced meanwhile: the next round finds it where it is.
    if ((await opened.stat()).identity !== file.identity) return
    if (decoder.unit === 'document') await addDocument(segment, decoder, opened, file, number)
    else {
      const { savedOutputs } = decoder
      const texts =
        hasOutputs && savedOutputs !== undefined
          ? new SavedTexts(disk, savedOutputs, file.path)
          : undefined
      await addLines(segment, decoder, opened, file, number, texts, signal)
    }
  } catch {
    // A file that cannot be read now has no filter, so a search reads it and reports what is wrong.
  } finally {
    await opened.close()
  }
}

async function addDocument(
  segment: SegmentReading,
  decoder: Extract<SearchDecoder, { unit: 'document' }>,
  opened: DiskFile,
  file: FileToIndex,
  number: number,
): Promise<void> {
  const bytes = await readExactly(opened, 0, file.sizeBytes)
  if (bytes.length < file.sizeBytes) return
  const blocks = segment.beginRun()
  segment.beginLine(blocks, 0, 0)
  for (const entry of decoder.decode(bytes)) segment.addEntry(entry)
  segment.addHazards(blocks, 'any')
  segment.addRun({
    file: number,
    from: 0,
    to: bytes.length,
    firstLine: 1,
    lines: 0,
    digest: digestRun(bytes),
  })
}

async function addLines(
  segment: SegmentReading,
  decoder: Extract<SearchDecoder, { unit: 'line' }>,
  opened: DiskFile,
  file: FileToIndex,
  number: number,
  outputs: SavedTexts | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const reader = new BlockReader()
  let line = file.firstLine
  for (let at = file.from; at < file.to && !segment.isFull && !signal?.aborted; ) {
    const block = await reader.read(opened, at, file.to, segment.room)
    if (block.length === 0) return
    const blocks = segment.beginRun()
    const nextEscape = escapesIn(block)
    let lineStart = 0
    let index = 0
    for (; lineStart < block.length; index++) {
      const feed = block.indexOf(lineFeed, lineStart)
      const end = feed < 0 ? block.length : feed
      segment.beginLine(blocks, lineStart, index)
      let known: HiddenAscii = 'none'
      // What an escape stands for is no byte of the line; other hazards the texts show while they are folded.
      let isUnknown = nextEscape(lineStart) < end
      for (const entry of decoder.decode(block.toString('utf8', lineStart, end), line + index)) {
        const isSaved = outputs !== undefined && entry.saved !== undefined
        const found = segment.addEntry(isSaved ? await outputs.filled(entry) : entry)
        if (found === 'unknown') isUnknown = true
        else if (known !== 'any' && found !== 'none') known = found
      }
      // Line by line: a string of the whole block would be fresh memory each time.
      if (isUnknown && known !== 'any') known = hazardsOf(block.toString('latin1', lineStart, end))
      segment.addHazards(blocks, known)
      if (feed < 0) break
      lineStart = feed + 1
    }
    // The loop counts line feeds: a last line without one is not among them.
    const lines = index
    segment.addRun({
      file: number,
      from: at,
      to: at + block.length,
      firstLine: line,
      lines,
      ...(lineStart < block.length ? { openLine: at + lineStart } : {}),
      ...(blocks.marks.length > 0 ? { marks: blocks.marks } : {}),
      digest: digestRun(block),
    })
    at += block.length
    line += lines
  }
}

/** Tells the place of the next escape of a character at or behind a place; past the end where there is none. */
function escapesIn(block: Buffer): (from: number) => number {
  let at = -1
  return (from) => {
    if (at < from) {
      const found = block.indexOf('\\u', from, 'latin1')
      at = found < 0 ? block.length : found
    }
    return at
  }
}
