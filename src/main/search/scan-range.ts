import type { ConversationKey } from '../../shared/model/conversation/conversation'
import type { SourceId } from '../../shared/model/conversation/sources'
import type { FoundDecoder, PlacedEntry, SearchDecoder } from '../../shared/model/search'
import type { Disk, DiskFile } from '../disk/interface/disk'
import { readExactly } from '../disk/reading/lines'
import { unpackFault } from '../disk/unpack/unpacked-file'
import type { LeftEntries } from '../library/search'
import { BlockReader, countBlockLines } from '../segments/build/block-reader'
import { SavedTexts } from '../segments/build/saved-texts'
import { type ByteSearch, createByteSearch } from './bytes/byte-search'
import { type KnownHazards, linesThatPass } from './bytes/found-lines'
import type { LineFinder } from './bytes/line-finder'
import type { OpenFiles } from './bytes/open-files'
import { noPrefilter } from './bytes/prefilter'
import { leafConditions } from './conditions/condition'
import type { Conditions } from './conditions/conditions'
import { scanWithOutputs } from './scan-saved'
import type { ToolNamesCache } from './tool-names'

/** A file to search, with what its conversation is. One for all ranges of it, since it crosses to workers. */
export interface ScannedFile {
  readonly path: string
  /** See `SearchFile.place`. */
  readonly place: string
  readonly identity: string
  readonly decoder: string
  readonly source: SourceId
  /** The conversation's, for entries without one of their own: its key, and its time in Unix seconds. */
  readonly key: ConversationKey
  readonly updated: number | null
  /** See `SearchFile.idSuffix`. */
  readonly idSuffix?: string | undefined
  /** See `SearchFile.lineKey`. */
  readonly lineKey?: string | undefined
  /** Its entries on branches that were left, where a condition asks for that; `unknown` where they cannot be read. */
  readonly left?: LeftEntries | 'unknown' | undefined
}

/** A range of one file to search: whole lines of it, or a document. */
export interface ScanRange {
  readonly of: ScannedFile
  readonly from: number
  readonly to: number
  /** The number of the line at `from`. */
  readonly firstLine: number
  /** Of its lines. */
  readonly hazards: KnownHazards
  /** Whether the conditions on its conversation hold, by their numbers in `Conditions.scope`. */
  readonly scope: readonly boolean[]
}

/** Size of a block that is read and searched at once. */
const blockBytes = 1024 * 1024

/** Tools that a scan reads with; the next one uses them again. */
export interface ScanTools {
  readonly reader: BlockReader
  /** Undefined where the processor cannot do it. */
  readonly search: ByteSearch | undefined
}

/** Creates tools for a scan. */
export function createScanTools(createSearch = () => createByteSearch()): ScanTools {
  const search = createSearch()
  const reader =
    search === undefined ? new BlockReader() : new BlockReader((length) => search.reserve(length))
  return { reader, search }
}

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
  files: OpenFiles,
  { reader, lines }: { readonly reader: BlockReader; readonly lines: LineFinder },
  { decoder, hasOutputs }: FoundDecoder,
  range: ScanRange,
  conditions: Conditions,
  names: ToolNamesCache | undefined,
  take: (entry: PlacedEntry) => void,
  signal: AbortSignal | undefined,
): Promise<ScanEnd> {
  const file = await files.open(range.of.path, range.of.identity)
  if (file === undefined) return { isMoved: true }
  if (decoder.unit === 'document')
    for (const entry of decoder.decode(await readExactly(file, range.from, range.to - range.from)))
      take(entry)
  else if (hasOutputs && decoder.savedOutputs !== undefined) {
    const texts = new SavedTexts(disk, decoder.savedOutputs, range.of.path)
    await scanWithOutputs(file, reader, decoder, range, conditions, texts, names, take, signal)
    return { isMoved: false, fault: unpackFault(file) ?? texts.fault }
  } else if (names !== undefined)
    await scanWithTools(file, reader, decoder, range, names, take, signal)
  else await scanLines(file, reader, lines, decoder, range, take, signal)
  return { isMoved: false, fault: unpackFault(file) }
}

async function scanLines(
  file: DiskFile,
  reader: BlockReader,
  lines: LineFinder,
  decoder: Extract<SearchDecoder, { unit: 'line' }>,
  range: ScanRange,
  take: (entry: PlacedEntry) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const linesToDecode = lines.linesOf(decoder, range.hazards)
  let firstLine = range.firstLine
  for (let at = range.from; at < range.to && !signal?.aborted; ) {
    const block = await reader.read(file, at, range.to, blockBytes)
    if (block.length === 0) return
    for (const { start, end, index } of linesToDecode(block)) {
      const line = firstLine + index
      for (const entry of decoder.decode(block.toString('utf8', start, end), line))
        take({ ...entry, line, offset: at + start, length: end - start })
    }
    at += block.length
    if (at < range.to) firstLine += countBlockLines(block)
  }
}

/**
 * Returns true where a condition needs the names of tools from earlier lines of the file.
 *
 * @param wantsFacts every match needs the name of its tool
 */
export function needsToolNames(
  decoder: SearchDecoder,
  { root }: Conditions,
  wantsFacts: boolean,
): boolean {
  return (
    decoder.unit === 'line' &&
    decoder.namesToolsEarlier === true &&
    root !== undefined &&
    (wantsFacts ||
      leafConditions(root).some((leaf) => leaf.type === 'field' && leaf.field === 'tool'))
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
    for (const { start, end, index } of linesThatPass(block, noPrefilter)) {
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
