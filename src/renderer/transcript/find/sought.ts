import {
  type FoundPart,
  type FoundTexts,
  mostHighlights,
  type WantedText,
} from '../../../shared/model/find/find'
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
  const { part, nth, start, end, text: sought, before } = place
  function find(text: string): FoundRange | undefined {
    const found = occurrence(text, sought, before)
    if (found !== undefined || wanted.isRegex) return found
    // What is drawn may differ in signs that literals do not tell apart.
    return literalRanges(text, wanted, nth + 1).at(-1)
  }
  function main(turn: Element): Range | undefined {
    const findOne: FindRanges = (text) => [find(text) ?? []].filter(isRange)
    return elementRanges(turn, findOne, isOfPart(part))[0]
  }
  return {
    hasMarks: true,
    holds: (text, of) => of === part && text.includes(sought),
    reveal(text) {
      if (text.startsWith(sought, start)) return Math.min(end, text.length)
      return find(text)?.[1] ?? 0
    },
    marks(turn) {
      const range = main(turn)
      return range === undefined ? [] : [range]
    },
    main,
  }
}

type FoundRange = readonly [start: number, end: number]

function isRange(found: FoundRange | readonly []): found is FoundRange {
  return found.length === 2
}

/** Finds a text that stands in another with so many of its kind before it, or the last one; undefined where there is none. Linear. */
function occurrence(text: string, sought: string, before: number): FoundRange | undefined {
  let found: FoundRange | undefined
  let at = text.indexOf(sought)
  for (let count = 0; at >= 0 && count <= before; count++) {
    found = [at, at + sought.length]
    at = text.indexOf(sought, at + sought.length)
  }
  return found
}

/** Name of the attribute at an element that shows a part of an entry beside its content. */
const partAttribute = 'data-part'

function isOfPart(wanted: FoundPart | 'drawn'): (parent: Element) => boolean {
  return (parent) => {
    const part = parent.closest(`[${partAttribute}]`)?.getAttribute(partAttribute) ?? 'content'
    return part === wanted && parent.closest('button') === null
  }
}

/** Finds the matches of a literal in everything that a turn says: the first 500. */
export function literalHighlights(turn: Element, wanted: WantedText): readonly Range[] {
  return elementRanges(
    turn,
    (text) => literalRanges(text, wanted, mostHighlights),
    (parent) => parent.closest('button') === null,
  )
}

/**
 * Finds the matches of a pattern in a turn by the texts that match in its parts, in order. The pattern itself could make the window
 * compute without end.
 */
export function patternHighlights(
  turn: Element,
  parts: readonly Pick<FoundTexts, 'part' | 'texts'>[],
): readonly Range[] {
  return [...new Set(parts.map(({ part }) => part))].flatMap((part) => {
    const texts = parts.flatMap((one) => (one.part === part ? one.texts : []))
    const within = (shown: FoundPart | 'drawn') =>
      elementRanges(turn, (text) => rangesInOrder(text, texts), isOfPart(shown))
    // Arguments are drawn as a diff or a command as well, or in place of their text.
    return part === 'arguments' ? [...within(part), ...within('drawn')] : within(part)
  })
}

/** Texts that are not drawn, after which no further ones are looked for: each is looked for to the end. */
const mostMissed = 20

/** Finds some texts one after the other; those that are not there are left out. */
export function rangesInOrder(text: string, texts: readonly string[]): readonly FoundRange[] {
  const ranges: FoundRange[] = []
  let from = 0
  let missed = 0
  for (const one of texts) {
    const at = one === '' ? -1 : text.indexOf(one, from)
    if (at < 0) {
      missed += 1
      if (missed >= mostMissed) break
      continue
    }
    from = at + one.length
    ranges.push([at, from])
    if (ranges.length >= mostHighlights) break
  }
  return ranges
}
