import {
  type FindAnswer,
  type FindLine,
  type FoundPlace,
  type FoundTexts,
  mostHighlights,
  type WantedText,
} from '../../../shared/model/find/find'
import { comparedText, countLiteral, literalRanges } from '../../../shared/model/find/literal'
import { type YieldToOthers, yieldToOthers } from '../../disk/pacing/slices'
import type { HeldRow, HeldRows, HeldText } from './held-rows'
import { matchesOfPattern, type PatternMatches, patternFault } from './pattern-count'

/** Size in UTF-16 units of the texts that a pattern runs on at once: each run has its price. */
const batchUnits = 1 << 20
/** Texts on which a pattern may take too long before the others are not tried either. */
const mostSlow = 2
/** Longest text of a match that is given, in UTF-16 units. */
const longestText = 1000

/** The matches of one wanted text in the rows of a conversation, counted once and then only in what is new. */
export class CountedMatches {
  readonly wanted: WantedText
  private readonly held: HeldRows
  private readonly generation: number
  private counts: number[] = []
  private lastCounted: HeldRow | undefined
  private slow = 0
  private untried = 0

  constructor(held: HeldRows, wanted: WantedText) {
    this.held = held
    this.wanted = wanted
    this.generation = held.generation
  }

  /** Whether what was counted goes on to be true for these rows and this text. */
  isFor(held: HeldRows, wanted: WantedText): boolean {
    return (
      this.held === held &&
      this.generation === held.generation &&
      JSON.stringify(this.wanted) === JSON.stringify(wanted)
    )
  }

  /** Counts in rows that were not counted. @throws the signal's reason; a later call goes on */
  async countOn(signal: AbortSignal, giveWay: YieldToOthers = yieldToOthers): Promise<void> {
    const { rows } = this.held
    // The last row may have been a line without an end, which is another one now.
    const last = this.counts.length - 1
    if (last >= 0 && rows[last] !== this.lastCounted) this.counts.length = last
    if (this.wanted.isRegex && patternFault(this.wanted.text) !== undefined) return
    while (this.counts.length < rows.length) {
      signal.throwIfAborted()
      const batch = this.nextBatch(rows)
      if (this.wanted.isRegex) this.countPattern(batch)
      else for (const row of batch) this.counts.push(this.countLiterals(row))
      this.lastCounted = batch.at(-1)
      await giveWay(unitsOf(batch))
    }
  }

  answer(near: { readonly file: string; readonly offset: number } | undefined): FindAnswer {
    const { rows } = this.held
    const shown = this.counts
      .flatMap((count, row) => (count > 0 ? [{ row, count, at: rows[row]?.shownAt ?? row }] : []))
      .sort((a, b) => a.at - b.at || a.row - b.row)
    const from = near === undefined ? -1 : rows.findIndex(({ row }) => isAt(row, near))
    const first = from < 0 ? -1 : shown.findIndex(({ at, row }) => at >= from || row === from)
    return {
      total: shown.reduce((sum, { count }) => sum + count, 0),
      rows: shown.map(({ row }) => row),
      counts: shown.map(({ count }) => count),
      size: rows.length,
      near: first < 0 ? null : first,
      notices: this.notices(),
      fault: (this.wanted.isRegex ? patternFault(this.wanted.text) : undefined) ?? null,
    }
  }

  /** Finds a match by its row and its number there; undefined where there is none such. */
  place(row: number, nth: number): FoundPlace | undefined {
    const held = this.held.rows[row]
    if (held === undefined) return undefined
    let before = 0
    for (const { part, text } of held.texts) {
      const here = nth - before
      const { count, ranges } = this.matchesIn(text, 1, here)
      const [found] = ranges
      if (found !== undefined) {
        const [start, end] = found
        const sought = cutMatch(text, found)
        const earlier = countTexts(text.slice(0, start), sought)
        return { ...lineOf(held), part, nth: here, start, end, text: sought, before: earlier }
      }
      before += count
    }
    return undefined
  }

  /** Finds the texts that match in some lines, by part; those of the first matches, and nothing where a pattern takes too long. */
  texts(lines: readonly FindLine[]): readonly FoundTexts[] {
    const offsets = new Set(lines.map(({ offset }) => offset))
    const names = new Set(lines.map(lineName))
    const found: FoundTexts[] = []
    for (const [at, held] of this.held.rows.entries()) {
      if ((this.counts[at] ?? 0) === 0 || !offsets.has(held.row.offset)) continue
      const line = lineOf(held)
      if (!names.has(lineName(line))) continue
      for (const { part, text } of held.texts) {
        const { ranges } = this.matchesIn(text, mostHighlights, 0)
        const texts = ranges.map((range) => cutMatch(text, range))
        if (texts.length > 0) found.push({ ...line, part, texts })
      }
    }
    return found
  }

  /** Finds some matches in a text, and counts all of them. */
  private matchesIn(text: string, most: number, skipped: number): PatternMatches {
    if (this.wanted.isRegex)
      return matchesOfPattern(this.wanted, [text], most, skipped)[0] ?? { count: 0, ranges: [] }
    const ranges = literalRanges(text, this.wanted, most, skipped)
    return { count: countLiteral(comparedText(text, this.wanted), this.wanted), ranges }
  }

  private countLiterals({ texts }: HeldRow): number {
    return texts.reduce(
      (sum, text) => sum + countLiteral(text.compared(this.wanted), this.wanted),
      0,
    )
  }

  private nextBatch(rows: readonly HeldRow[]): readonly HeldRow[] {
    const from = this.counts.length
    let units = 0
    let to = from
    while (to < rows.length && units < batchUnits) units += unitsOf(rows.slice(to, ++to))
    return rows.slice(from, to)
  }

  /** Counts a pattern in some rows; a text that makes it compute without end counts nothing, and is said. */
  private countPattern(batch: readonly HeldRow[]): void {
    const texts = batch.flatMap((row) => row.texts)
    const counts = new Map<HeldText, number>()
    for (let from = 0; from < texts.length; ) {
      if (this.slow >= mostSlow) {
        this.untried += texts.length - from
        break
      }
      const rest = texts.slice(from)
      const some = matchesOfPattern(
        this.wanted,
        rest.map(({ text }) => text),
        0,
      )
      for (const [at, { count }] of some.entries()) {
        const text = rest[at]
        if (text !== undefined) counts.set(text, count)
      }
      from += some.length
      if (from < texts.length) {
        this.slow += 1
        from += 1
      }
    }
    for (const row of batch)
      this.counts.push(row.texts.reduce((sum, text) => sum + (counts.get(text) ?? 0), 0))
  }

  private notices(): string[] {
    const notices: string[] = []
    const unknown = this.slow + this.untried
    if (unknown > 0)
      notices.push(
        `The pattern takes too long on ${unknown === 1 ? 'one text' : `${unknown} texts`}, which may have further matches.`,
      )
    if (this.held.isCut)
      notices.push(
        `Only the first ${this.held.rows.length} entries were searched: the conversation is too long.`,
      )
    return notices
  }
}

function cutMatch(text: string, [start, end]: readonly [number, number]): string {
  return text.slice(start, Math.min(end, start + longestText))
}

/** Counts a text in another, one after the other. Linear. */
function countTexts(within: string, sought: string): number {
  let count = 0
  for (let at = within.indexOf(sought); at >= 0; at = within.indexOf(sought, at + sought.length))
    count += 1
  return count
}

function lineOf({ row: { file, offset, entry } }: HeldRow): FindLine {
  return { file, offset, ...(entry === undefined ? {} : { entry: entry as FindLine['entry'] }) } // a brand alone
}

function lineName({ file, offset, entry }: FindLine): string {
  return `${offset}:${entry ?? ''}:${file}`
}

function unitsOf(rows: readonly HeldRow[]): number {
  // A row without a text costs something, too.
  return rows.reduce(
    (sum, { texts }) => sum + texts.reduce((units, { text }) => units + text.length, 64),
    0,
  )
}

function isAt(
  row: HeldRow['row'],
  near: { readonly file: string; readonly offset: number },
): boolean {
  return row.file === near.file && row.offset === near.offset
}
