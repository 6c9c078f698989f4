import type { SearchDecoder } from '../../../shared/model/search'
import type { ByteSearch } from './byte-search'
import {
  type FoundLine,
  type KnownHazards,
  linesThatPass,
  linesWithNeedles,
  setNeedles,
} from './found-lines'
import { type Needles, needlesOf } from './needles'
import { noPrefilter, prefilterFor } from './prefilter'

type LineDecoding = Extract<SearchDecoder, { unit: 'line' }>

/** Finds the lines of a block that may match, in order. The block lies at the beginning of the search's memory. */
export type FindLines = (block: Buffer) => Generator<FoundLine>

/** Decides how lines are found that may match, once for each decoder: those are decoded. */
export class LineFinder {
  private readonly search: ByteSearch | undefined
  private readonly alternatives: readonly (readonly string[])[] | undefined
  private readonly known = new Map<LineDecoding, Needles | undefined>()
  /** Those that the search has now. */
  private set: Needles | undefined

  /**
   * @param search undefined where the processor cannot do it
   *
   * @param alternatives lists of folded words: every match has all of one of them; undefined where nothing is known
   */
  constructor(
    search: ByteSearch | undefined,
    alternatives: readonly (readonly string[])[] | undefined,
  ) {
    this.search = search
    this.alternatives = alternatives
  }

  /** Returns how lines are found whose bytes are known to hide no more than this. */
  linesOf(decoder: LineDecoding, hazards: KnownHazards): FindLines {
    const { search, alternatives } = this
    if (decoder.joinsPieces || alternatives === undefined)
      return (block) => linesThatPass(block, noPrefilter)
    const needles = this.needlesFor(decoder)
    if (search !== undefined && needles !== undefined) {
      if (this.set !== needles) setNeedles(search, needles)
      this.set = needles
      return (block) => linesWithNeedles(search, block, needles, hazards)
    }
    const prefilter = prefilterFor(alternatives, hazards !== 'any', decoder.restatesNumbers)
    return (block) => linesThatPass(block, prefilter)
  }

  private needlesFor(decoder: LineDecoding): Needles | undefined {
    const { alternatives, search, known } = this
    if (alternatives === undefined || search === undefined) return undefined
    if (!known.has(decoder)) known.set(decoder, needlesOf(alternatives, decoder))
    return known.get(decoder)
  }
}
