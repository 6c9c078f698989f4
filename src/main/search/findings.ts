import type { ConversationKey } from '../../shared/model/conversation/conversation'
import type { PlacedEntry, SearchFacts } from '../../shared/model/search'
import { compareHits, type HitPlace } from './order/hit-order'
import { type Snippet, snippetOf, type TextPlaces } from './snippet'

/** A match in a job. */
export interface ScanHit {
  /** Number of the range in the job. */
  readonly range: number
  readonly entryId: string
  readonly field: PlacedEntry['field']
  readonly role: PlacedEntry['role']
  readonly tool: string | undefined
  readonly key: ConversationKey | undefined
  readonly line: number
  readonly offset: number
  readonly length: number
  readonly timestamp: number | null
  /** Equal for equal texts of entries with equal ids: copies are found by it. */
  readonly fingerprint: number
  /** How well it matches, in a search for the best hits. */
  readonly relevance?: number
  /** Further facts of the entry, where they are counted. */
  readonly facts?: Pick<SearchFacts, 'model' | 'project'> & { readonly type: string }
  /** Around the first match in its text; one object for all copies of a text, so that it crosses to main once. */
  readonly cut: Snippet
}

/** A match without a snippet. */
export type PlacedMatch = Omit<ScanHit, 'cut'>

/** A text that matches, with the places of patterns in it; copies of it share one. */
interface FoundText {
  readonly text: string
  readonly places: TextPlaces
}

interface Match extends Omit<HitPlace, 'line'> {
  readonly place: PlacedMatch
  readonly found: FoundText
}

/** The matches of a scan: those that come first in the order with their texts, which snippets are cut from, all others by their places. */
export class Findings {
  private readonly limit: number
  private readonly others: PlacedMatch[] = []
  private first: Match[] = []
  /** The texts of the first, by `textOf`. */
  private texts = new Map<string, FoundText>()
  private isSorted = true
  /** Matches with their texts, before those that come later are looked for. */
  private mostHeld: number

  private readonly wantsFacts: boolean
  private readonly wantsRelevance: boolean

  /**
   * @param limit texts that get snippets @param wantsFacts whether matches have their facts
   * @param wantsRelevance whether scores are those of the best hits, which matches have then
   */
  constructor(limit: number, wantsFacts = false, wantsRelevance = false) {
    this.limit = limit
    this.wantsFacts = wantsFacts
    this.wantsRelevance = wantsRelevance
    this.mostHeld = 4 * limit + 1000
  }

  /**
   * @param at its score in the order, and its time: its own or its conversation's
   * @param key of its conversation
   * @param places of patterns in its text
   */
  add(
    range: number,
    entry: PlacedEntry,
    at: Pick<HitPlace, 'score' | 'time'>,
    key: string,
    places: TextPlaces,
  ): void {
    const place = {
      ...placeOf(range, entry),
      ...(this.wantsFacts ? { facts: factsOf(entry) } : {}),
      ...(this.wantsRelevance ? { relevance: at.score } : {}),
    }
    this.first.push({ place, found: this.foundText(place, entry.text, places), key, ...at })
    this.isSorted = false
    if (this.first.length <= this.mostHeld) return
    this.drop()
    // Copies of a few texts are all held: each further look is worth it when they are twice as many.
    this.mostHeld = Math.max(this.mostHeld, 2 * this.first.length)
  }

  /**
   * The score that a further match must reach to be among the first; -Infinity while there is room for any. Copies have
   * equal texts, so as many texts are at least as many hits.
   */
  threshold(): number {
    if (this.first.length < this.limit) return Number.NEGATIVE_INFINITY
    this.sort()
    const texts = new Set<number>()
    for (const { place, score } of this.first) {
      texts.add(place.fingerprint)
      if (texts.size >= this.limit) return score
    }
    return Number.NEGATIVE_INFINITY
  }

  /** All matches; the first in order, with snippets. Copies of one text have one snippet and count once to the limit. The last call. */
  finish(words: readonly string[]): {
    readonly hits: readonly ScanHit[]
    readonly others: readonly PlacedMatch[]
  } {
    const cuts = new Map<FoundText, Snippet>()
    this.drop()
    const hits = this.first.map(({ place, found }) => {
      const cut = cuts.get(found) ?? snippetOf(found.text, words, found.places)
      cuts.set(found, cut)
      // The place itself is the hit: there may be hundreds of thousands.
      return Object.assign(place, { cut })
    })
    return { hits, others: this.others }
  }

  /** Copies of a text hold one string: on the map of a large family nearly all matches are copies. */
  private foundText(place: PlacedMatch, text: string, places: TextPlaces): FoundText {
    const known = this.texts.get(textOf(place))
    if (known?.text === text) return known
    const found = { text, places }
    if (known === undefined) this.texts.set(textOf(place), found)
    return found
  }

  /** Lets go of the texts of all but the first. */
  private drop(): void {
    this.sort()
    const texts = new Set<string>()
    const end = this.first.findIndex(({ place }) => texts.add(textOf(place)).size > this.limit)
    if (end < 0) return
    for (const { place } of this.first.splice(end)) this.others.push(place)
    this.texts = new Map(this.first.map(({ place, found }) => [textOf(place), found]))
  }

  private sort(): void {
    if (!this.isSorted) this.first.sort(byOrder)
    this.isSorted = true
  }
}

function textOf({ field, fingerprint }: PlacedMatch): string {
  return `${field} ${fingerprint}`
}

function byOrder(a: Match, b: Match): number {
  return compareHits({ ...a, line: a.place.line }, { ...b, line: b.place.line })
}

function placeOf(range: number, entry: PlacedEntry): PlacedMatch {
  const { entryId, field, role, tool, line, offset, length, timestamp, text } = entry
  return {
    range,
    entryId,
    field,
    role,
    tool,
    key: entry.key as ConversationKey | undefined, // decoders give keys that passed their source's rule
    line,
    offset,
    length,
    timestamp,
    fingerprint: fingerprintOf(text),
  }
}

function factsOf({ type, facts }: PlacedEntry): ScanHit['facts'] & object {
  return {
    type,
    ...(facts?.model === undefined ? {} : { model: facts.model }),
    ...(facts?.project === undefined ? {} : { project: facts.project }),
  }
}

function fingerprintOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0) + text.length * 2 ** 32
}
