import type { ConversationKey } from '../../shared/model/conversation/conversation'
import type { SourceId } from '../../shared/model/conversation/sources'
import type { PlacedEntry, SearchDecoder } from '../../shared/model/search'
import type { Disk, DiskFile } from '../disk/interface/disk'
import { readExactly } from '../disk/reading/lines'
import { unpackFault } from '../disk/unpack/unpacked-file'
import { type BlockReader, countBlockLines } from '../segments/build/block-reader'
import type { Conditions } from './matcher'
import { noPrefilter, type Prefilter, prefilterFor } from './prefilter'
import type { ToolNamesCache } from './tool-names'

/** A range of one file to search: whole lines of it, or a document. */
export interface ScanRange {
  readonly path: string
  readonly identity: string
  readonly decoder: string
  readonly from: number
  readonly to: number
  /** The number of the line at `from`. */
  readonly firstLine: number
  /** See `IndexedSegment`; true where unknown. */
  readonly hazards: boolean
  readonly source: SourceId
  /** The conversation's, for entries without one of their own: its key, and its time in Unix seconds. */
  readonly key: ConversationKey
  readonly updated: number | null
  /** See `SearchFile.idSuffix`. */
  readonly idSuffix?: string | undefined
  /** See `SearchFile.lineKey`. */
  readonly lineKey?: string | undefined
}

/** Size of a block that is read and searched at once. */
const blockBytes = 1024 * 1024
const lineFeed = 0x0a

/** The end of reading a range. */
export interface ScanEnd {
  /** The file is another one now. */
  readonly isMoved: boolean
  /** Why an archive cannot be read to its end, as `unpackFault` words it. */
  readonly fault?: string | undefined
}

/**
 * Reads a range and passes each entry that may match to `take`.
 *
 * @throws DiskError
 */
export async function scanRange(
  disk: Disk,
  reader: BlockReader,
  decoder: SearchDecoder,
  range: ScanRange,
  conditions: Conditions,
  names: ToolNamesCache | undefined,
  take: (entry: PlacedEntry) => void,
  signal: AbortSignal | undefined,
): Promise<ScanEnd> {
  const file = await disk.open(range.path, 'read')
  try {
    if ((await file.stat()).identity !== range.identity) return { isMoved: true }
    if (decoder.unit === 'document')
      for (const entry of decoder.decode(
        await readExactly(file, range.from, range.to - range.from),
      ))
        take(entry)
    else if (names !== undefined)
      await scanWithTools(file, reader, decoder, range, names, take, signal)
    else await scanLines(file, reader, decoder, range, conditions, take, signal)
    return { isMoved: false, fault: unpackFault(file) }
  } finally {
    await file.close()
  }
}

async function scanLines(
  file: DiskFile,
  reader: BlockReader,
  decoder: Extract<SearchDecoder, { unit: 'line' }>,
  range: ScanRange,
  conditions: Conditions,
  take: (entry: PlacedEntry) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const prefilter =
    conditions.words.length > 0
      ? prefilterFor(conditions.words, !range.hazards, decoder.restatesNumbers)
      : noPrefilter
  let firstLine = range.firstLine
  for (let at = range.from; at < range.to && !signal?.aborted; ) {
    const block = await reader.read(file, at, range.to, blockBytes)
    if (block.length === 0) return
    for (const { start, end, index } of linesToDecode(block, prefilter)) {
      const line = firstLine + index
      for (const entry of decoder.decode(block.toString('utf8', start, end), line))
        take({ ...entry, line, offset: at + start, length: end - start })
    }
    at += block.length
    if (at < range.to) firstLine += countBlockLines(block)
  }
}

/** Returns true where a condition needs the names of tools from earlier lines of the file. */
export function needsToolNames(decoder: SearchDecoder, { tests }: Conditions): boolean {
  return (
    decoder.unit === 'line' &&
    decoder.namesToolsEarlier === true &&
    tests.some((test) => test.type === 'field' && test.field === 'tool')
  )
}

/** Reads the file from its beginning, or from where the last job on it came to: a tool is named further up. */
async function scanWithTools(
  file: DiskFile,
  reader: BlockReader,
  decoder: Extract<SearchDecoder, { unit: 'line' }>,
  range: ScanRange,
  kept: ToolNamesCache,
  take: (entry: PlacedEntry) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { identity, sizeBytes, mtimeMs } = await file.stat()
  const state = `${identity} ${sizeBytes} ${mtimeMs}`
  const names = kept.take(state, range.from)
  while (names.at < range.to && !signal?.aborted) {
    const block = await reader.read(file, names.at, range.to, blockBytes)
    if (block.length === 0) return
    for (const { start, end, index } of linesToDecode(block, noPrefilter)) {
      const [line, offset] = [names.line + index, names.at + start]
      for (const entry of decoder.decode(block.toString('utf8', start, end), line)) {
        const named = names.named(entry)
        if (offset >= range.from) take({ ...named, line, offset, length: end - start })
      }
    }
    names.at += block.length
    names.line += countBlockLines(block)
  }
  kept.keep(state, names)
}

interface FoundLine {
  readonly start: number
  readonly end: number
  /** Lines of the block before it. */
  readonly index: number
}

/** Text is searched in pieces of about this size: a larger string would be fresh memory each time. */
const windowBytes = 64 * 1024

/** The lines of a block that the prefilter lets pass, in order. */
function* linesToDecode(block: Buffer, prefilter: Prefilter): Generator<FoundLine> {
  let index = 0
  let counted = 0
  for (let from = 0; from < block.length; ) {
    const to = endOfWindow(block, from)
    const latin1 = block.toString('latin1', from, to)
    for (let at = prefilter.next(latin1, 0); at >= 0; ) {
      const start = from + at === 0 ? 0 : block.lastIndexOf(lineFeed, from + at - 1) + 1
      const feed = block.indexOf(lineFeed, from + at)
      index += countBlockLines(block.subarray(counted, start))
      counted = start
      yield { start, end: feed < 0 ? block.length : feed, index }
      if (feed < 0) return
      at = prefilter.next(latin1, feed + 1 - from)
    }
    from = to
  }
}

/** The end of the last line that begins and ends in the window from `from` on, or of the one line that is longer. */
function endOfWindow(block: Buffer, from: number): number {
  if (block.length - from <= windowBytes) return block.length
  const last = block.lastIndexOf(lineFeed, from + windowBytes - 1)
  const end = last >= from ? last : block.indexOf(lineFeed, from + windowBytes)
  return end < 0 ? block.length : end + 1
}
