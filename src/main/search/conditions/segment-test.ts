import { buildTerm, type PartIndex } from '../../segments/index-lookup'
import { type Condition, type LeafCondition, leafConditions, truthOf } from './condition'

/** Filters of segments, as far as a condition asks them. */
export interface SegmentTest {
  /** Returns false where no entry of a segment can pass. */
  mayHold(part: PartIndex, segment: number): boolean
  /** False where the condition has nothing that filters can be asked for, so that all segments may hold a hit. */
  readonly asksFilters: boolean
}

/** Makes the test of segments for a condition. Terms are looked up once for each part of the index. */
export function segmentTest(condition: Condition): SegmentTest {
  const terms = new Map(
    [...textsOf(condition)].flatMap((text) => {
      const term = buildTerm(text)
      return term.needs.length === 0 ? [] : [[text, term] as const]
    }),
  )
  const answers = new Map<PartIndex, ReadonlyMap<string, Uint8Array>>()

  function answersOf(part: PartIndex): ReadonlyMap<string, Uint8Array> {
    const known = answers.get(part)
    if (known !== undefined) return known
    const found = new Map([...terms].map(([text, term]) => [text, part.mayHold(term)]))
    answers.set(part, found)
    return found
  }

  /** False where no entry of the segment can pass; filters prove nothing else. */
  function refutes(leaf: LeafCondition, part: PartIndex, segment: number): false | undefined {
    if (leaf.type === 'regex' && leaf.needs !== undefined)
      return truthOf(leaf.needs, (need) => refutes(need, part, segment)) === false
        ? false
        : undefined
    if (leaf.type === 'time') return isInTime(leaf, part, segment) ? undefined : false
    const text = textOf(leaf)
    const answer = text === undefined ? undefined : answersOf(part).get(text)
    return answer !== undefined && answer[segment] !== 1 ? false : undefined
  }

  return {
    mayHold: (part, segment) =>
      truthOf(condition, (leaf) => refutes(leaf, part, segment)) !== false,
    asksFilters: isAsked(condition, (text) => terms.has(text)),
  }
}

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
