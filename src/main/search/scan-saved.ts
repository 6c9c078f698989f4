import type { PlacedEntry, SearchDecoder } from '../../shared/model/search'
import type { DiskFile } from '../disk/interface/disk'
import { type BlockReader, countBlockLines } from '../segments/build/block-reader'
import type { SavedTexts } from '../segments/build/saved-texts'
import { type KnownHazards, linesThatPass } from './bytes/found-lines'
import { noPrefilter, orText, prefilterFor } from './bytes/prefilter'
import type { Conditions } from './conditions/conditions'
import { ToolNames, type ToolNamesCache } from './tool-names'

const blockBytes = 1024 * 1024

/** Part of a file: whole lines of it. */
interface LineRange {
  readonly from: number
  readonly to: number
  /** The number of the line at `from`. */
  readonly firstLine: number
  readonly hazards: KnownHazards
}

/**
 * Reads a range of a file with saved outputs, and passes each entry that may match to `take`, its output in its text: a line that names one
 * is decoded whatever it holds itself. With `kept` tools are named by the lines above, which are read as well.
 *
 * @throws DiskError
 */
export async function scanWithOutputs(
  file: DiskFile,
  reader: BlockReader,
  decoder: Extract<SearchDecoder, { unit: 'line' }>,
  range: LineRange,
  { alternatives }: Conditions,
  texts: SavedTexts,
  kept: ToolNamesCache | undefined,
  take: (entry: PlacedEntry) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { identity, sizeBytes, mtimeMs } = await file.stat()
  const state = `${identity} ${sizeBytes} ${mtimeMs}`
  const names = kept?.take(state, range.from) ?? startAt(range)
  const prefilter =
    kept === undefined && alternatives !== undefined
      ? orText(
          prefilterFor(alternatives, range.hazards !== 'any', decoder.restatesNumbers),
          texts.mark,
        )
      : noPrefilter
  while (names.at < range.to && !signal?.aborted) {
    const block = await reader.read(file, names.at, range.to, blockBytes)
    if (block.length === 0) return
    const lines = [...linesThatPass(block, prefilter)].map(({ start, end, index }) => ({
      place: { line: names.line + index, offset: names.at + start, length: end - start },
      text: block.toString('utf8', start, end),
    }))
    names.at += block.length
    names.line += countBlockLines(block)
    for (const { place, text } of lines)
      for (const entry of decoder.decode(text, place.line)) {
        const named = kept === undefined ? entry : names.named(entry)
        if (place.offset < range.from) continue
        take({ ...(await texts.filled(named)), ...place })
      }
  }
  kept?.keep(state, names)
}

function startAt({ from, firstLine }: LineRange): ToolNames {
  const names = new ToolNames()
  names.at = from
  names.line = firstLine
  return names
}
