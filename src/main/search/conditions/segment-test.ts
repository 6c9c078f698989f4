import { allBlocks, buildTerm, type PartIndex } from '../../segments/index-lookup'
import { type Condition, type LeafCondition, leafConditions } from './condition'

/** Filters of segments, as far as a condition asks them. */
export interface SegmentTest {
  /** Returns the blocks of a segment in which an entry can pass, a bit for each; 0 where none can. */
  blocksOf(part: PartIndex, segment: number): number
  /** False where the condition has nothing that filters can be asked for, so that all segments may hold a hit. */
  readonly asksFilters: boolean
  /** Whether some text that is asked for has more than letters and digits of ASCII. */
  readonly asksSigns: boolean
}

/** Blocks of a segment, a bit for each: those without an entry that passes, and those in which every one does. */
interface KnownBlocks {
  readonly none: number
  readonly every: number
}

/** Makes the test of segments for a condition. Terms are looked up once for each part of the index. */
export function segmentTest(condition: Condition): SegmentTest {
  const terms = new Map(
    [...textsOf(condition)].flatMap((text) => {
      const term = buildTerm(text)
      return term.needs.length === 0 ? [] : [[text, term] as const]
    }),
  )
  const answers = new Map<PartIndex, ReadonlyMap<string, Uint16Array>>()

  function answersOf(part: PartIndex): ReadonlyMap<string, Uint16Array> {
    const known = answers.get(part)
    if (known !== undefined) return known
    const found = new Map([...terms].map(([text, term]) => [text, part.mayHold(term)]))
    answers.set(part, found)
    return found
  }

  /** Filters prove of a leaf that no entry has it, and nothing else. The texts of an entry are in one block. */
  function leafBlocks(leaf: LeafCondition, part: PartIndex, segment: number): KnownBlocks {
    if (leaf.type === 'regex' && leaf.needs !== undefined)
      return { none: knownBlocks(leaf.needs, part, segment).none, every: 0 }
    if (leaf.type === 'time')
      return { none: isInTime(leaf, part, segment) ? 0 : allBlocks, every: 0 }
    const text = textOf(leaf)
    const answer = text === undefined ? undefined : answersOf(part).get(text)
    return { none: allBlocks & ~(answer?.[segment] ?? allBlocks), every: 0 }
  }

  function knownBlocks(condition: Condition, part: PartIndex, segment: number): KnownBlocks {
    if (condition.type === 'not') {
      const { none, every } = knownBlocks(condition.of, part, segment)
      return { none: every, every: none }
    }
    if (condition.type !== 'all' && condition.type !== 'any')
      return leafBlocks(condition, part, segment)
    const isAll = condition.type === 'all'
    let none = isAll ? 0 : allBlocks
    let every = isAll ? allBlocks : 0
    for (const one of condition.of) {
      const known = knownBlocks(one, part, segment)
      none = isAll ? none | known.none : none & known.none
      every = isAll ? every & known.every : every | known.every
    }
    return { none, every }
  }

  return {
    blocksOf: (part, segment) => allBlocks & ~knownBlocks(condition, part, segment).none,
    asksFilters: isAsked(condition, (text) => terms.has(text)),
    asksSigns: [...textsOf(condition)].some((text) => signs.test(text)),
  }
}

const signs = /[\x20-\x2f\x3a-\x60\x7b-\x7e]/

/** Returns true where every entry that passes has one of the texts that filters know. */
function isAsked(condition: Condition, isKnown: (text: string) => boolean): boolean {
  switch (condition.type) {
    case 'not':
      return false
    case 'all':
      return condition.of.some((part) => isAsked(part, isKnown))
    case 'any':
      return condition.of.every((part) => isAsked(part, isKnown))
    case 'regex':
      return condition.needs !== undefined && isAsked(condition.needs, isKnown)
    default: {
      const text = textOf(condition)
      return text !== undefined && isKnown(text)
    }
  }
}

function textsOf(condition: Condition): ReadonlySet<string> {
  return new Set(
    leafConditions(condition, false).flatMap((leaf) =>
      leaf.type === 'regex'
        ? [...(leaf.needs === undefined ? [] : textsOf(leaf.needs))]
        : (textOf(leaf) ?? []),
    ),
  )
}

/** Returns the folded text that an entry has in its text or its facts, as filters know them. */
function textOf(leaf: LeafCondition): string | undefined {
  if (leaf.type === 'word') return leaf.folded
  if (leaf.type !== 'field') return undefined
  switch (leaf.field) {
    case 'role':
    case 'type':
    case 'tool':
    case 'to':
    case 'branch':
      return undefined
    default:
      return leaf.folded
  }
}

/** Returns false where the times of a segment leave no room. */
function isInTime(
  { field, seconds }: Extract<LeafCondition, { type: 'time' }>,
  part: PartIndex,
  segment: number,
): boolean {
  const facts = part.segments[segment]
  if (facts === undefined || facts.untimed) return true
  return field === 'before' ? (facts.oldest ?? 0) < seconds : (facts.newest ?? 0) >= seconds
}
