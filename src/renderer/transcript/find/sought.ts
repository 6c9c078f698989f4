import type { WantedText } from '../../../shared/model/find/find'
import { literalRanges } from '../../../shared/model/find/literal'
import type { ShownMatch } from '../../state/transcript-state'
import type { HoldsSought } from '../items/folds'
import {
  elementMatchRanges,
  elementRanges,
  endOfFirstMatches,
  type FindRanges,
  holdsAny,
} from '../items/highlights'

/** Goal of a reader in a turn: words of a search, or one match in the conversation. */
export interface Sought {
  /** There is something to mark. */
  readonly hasMarks: boolean
  readonly holds: HoldsSought
  /** Returns how far into a text a reader must see, in UTF-16 units. */
  reveal(text: string): number
  /** Finds what is marked in a turn. */
  marks(turn: Element): readonly Range[]
  /** Finds the one that is brought into view. */
  main(turn: Element): Range | undefined
}

/** Makes what a search leads to: its folded words, wherever they are in the turn. */
export function soughtWords(folded: readonly string[]): Sought {
  const marks = (turn: Element) => elementMatchRanges(turn, folded)
  return {
    hasMarks: folded.length > 0,
    holds: (text) => folded.length > 0 && holdsAny(text, folded),
    reveal: (text) => endOfFirstMatches(text, folded),
    marks,
    main: (turn) => marks(turn)[0],
  }
}

/** Makes what finding in a conversation leads to: one match in one part of its turn. */
export function soughtMatch({ wanted, place }: ShownMatch): Sought {
  const { part, nth, end, texts } = place
  const sought = texts[nth] ?? ''
  const isLiteral = !wanted.isRegex
  const marks = (turn: Element) => matchesIn(turn, { wanted, place })
  return {
    hasMarks: true,
    holds: (text, of) => of === part && text.includes(sought),
    reveal(text) {
      const isWhole = text.slice(end - sought.length, end) === sought
      if (isWhole) return end
      if (isLiteral) return literalRanges(text, wanted, nth + 1).at(-1)?.[1] ?? 0
      const at = text.indexOf(sought)
      return at < 0 ? 0 : at + sought.length
    },
    marks,
    main(turn) {
      const ranges = marks(turn)
      return ranges[Math.min(nth, ranges.length - 1)]
    },
  }
}

/** Name of the attribute at an element that shows a part of an entry beside its content. */
const partAttribute = 'data-part'

/**
 * Finds the matches of the part that a match is in, as far as it is drawn. Those of a pattern are found again by their texts, in order: a
 * pattern could make the window compute without end.
 */
function matchesIn(turn: Element, { wanted, place }: ShownMatch): readonly Range[] {
  const find: FindRanges = wanted.isRegex
    ? (text) => inOrder(text, place.texts)
    : (text) => literalRanges(text, wanted)
  return elementRanges(turn, find, (parent) => {
    const part = parent.closest(`[${partAttribute}]`)?.getAttribute(partAttribute) ?? 'content'
    return part === place.part && parent.closest('button') === null
  })
}

/** Most matches that are marked in one turn. */
const mostMarks = 500

/** Finds the matches of a literal in everything that a turn says; of a pattern none, since it must not run here. */
export function literalHighlights(turn: Element, wanted: WantedText): readonly Range[] {
  if (wanted.isRegex) return []
  return elementRanges(
    turn,
    (text) => literalRanges(text, wanted, mostMarks),
    (parent) => parent.closest('button') === null,
  )
}

/** Finds some texts one after the other; those that are not there are left out. */
function inOrder(
  text: string,
  texts: readonly string[],
): readonly (readonly [start: number, end: number])[] {
  const ranges: (readonly [number, number])[] = []
  let from = 0
  for (const one of texts) {
    const at = text.indexOf(one, from)
    if (at < 0 || one === '') continue
    from = at + one.length
    ranges.push([at, from])
  }
  return ranges
}
