import type { ConversationKey } from '../../shared/model/conversation/conversation'
import type { SourceId } from '../../shared/model/conversation/sources'
import type { FoundDecoder, PlacedEntry, SearchDecoder } from '../../shared/model/search'
import type { Disk, DiskFile } from '../disk/interface/disk'
import { readExactly } from '../disk/reading/lines'
import { unpackFault } from '../disk/unpack/unpacked-file'
import { type BlockReader, countBlockLines } from '../segments/build/block-reader'
import { SavedTexts } from '../segments/build/saved-texts'
import { linesToDecode } from './block-lines'
import type { Conditions } from './matcher'
import { noPrefilter, prefilterFor } from './prefilter'
import { scanWithOutputs } from './scan-saved'
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

/** The end of reading a range. */
export interface ScanEnd {
  /** The file is another one now. */
  readonly isMoved: boolean
  /** Why an archive cannot be read to its end, or an output, as `unpackFault` words it. */
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
  { decoder, hasOutputs }: FoundDecoder,
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
    else if (hasOutputs && decoder.savedOutputs !== undefined) {
      const texts = new SavedTexts(disk, decoder.savedOutputs, range.path)
      const kept = names
      await scanWithOutputs(file, reader, decoder, range, conditions, texts, kept, take, signal)
      return { isMoved: false, fault: unpackFault(file) ?? texts.fault }
    } else if (names !== undefined)
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
