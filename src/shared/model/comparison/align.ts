import { diffArrays } from 'diff'
import { pushAll } from '../basics/long-lists'

/** Change of one item between two sequences before the texts of changed ones are compared, or a run of equal ones. */
type Aligned<T> =
  /** Equal items that follow one another: the same number of both sequences. */
  | { readonly type: 'same'; readonly before: readonly T[]; readonly after: readonly T[] }
  | { readonly type: 'removed'; readonly item: T }
  | { readonly type: 'added'; readonly item: T }
  | { readonly type: 'changed'; readonly before: T; readonly after: T }

/** Two sequences aligned. */
interface Alignment<T> {
  readonly items: readonly Aligned<T>[]
  /** False where the search for equal items gave up: all of one is removed, all of the other added, similar ones paired. */
  readonly isComplete: boolean
}

/** Rules by which items are known again. */
interface Likeness<T> {
  /** Returns a key that equal items share and others do not. */
  identityOf(item: T): string
  /** Returns true where one item is likely to be the other after a change. */
  isSimilar(before: T, after: T): boolean
}

/** Limit of the search for equal items: its cost grows with the square of what differs. */
const maxEditLength = 4_000
/** Most removed items that an added one is compared with. */
const reach = 12
/** Characters at each end by which the similarity of two texts is judged. */
const endCharacters = 4_000

/**
 * Aligns two sequences, in order: equal items first; between those, a removed and an added one that are similar count as
 * changed. After `timeout` ms the search for equal ones gives up.
 */
export function alignItems<T>(
  before: readonly T[],
  after: readonly T[],
  likeness: Likeness<T>,
  timeout: number,
): Alignment<T> {
  const steps = stepsOf(before, after, likeness, timeout)
  const items: Aligned<T>[] = []
  let removed: readonly T[] = []
  let added: readonly T[] = []
  const settle = () => {
    for (const item of pair(removed, added, likeness)) items.push(item)
    removed = []
    added = []
  }
  for (const step of steps ?? replaced(before, after)) {
    if (step.type === 'same') {
      settle()
      items.push(step)
    } else if (step.type === 'removed') removed = [...removed, ...step.items]
    else added = [...added, ...step.items]
  }
  settle()
  return { items, isComplete: steps !== undefined }
}

type Step<T> =
  | { readonly type: 'same'; readonly before: readonly T[]; readonly after: readonly T[] }
  | { readonly type: 'removed' | 'added'; readonly items: readonly T[] }

function replaced<T>(before: readonly T[], after: readonly T[]): readonly Step<T>[] {
  return [
    { type: 'removed', items: before },
    { type: 'added', items: after },
  ]
}

/** Undefined where the search gives up. */
function stepsOf<T>(
  before: readonly T[],
  after: readonly T[],
  { identityOf }: Likeness<T>,
  timeout: number,
): readonly Step<T>[] | undefined {
  // As numbers, or long texts would be compared many times.
  const numbers = new Map<string, number>()
  const numbered = (items: readonly T[]) =>
    items.map((item) => {
      const key = identityOf(item)
      const number = numbers.get(key) ?? numbers.size
      numbers.set(key, number)
      return number
    })
  const found = diffArrays(numbered(before), numbered(after), { maxEditLength, timeout })
  if (found === undefined) return undefined
  let old = 0
  let now = 0
  return found.map(({ count, added, removed }): Step<T> => {
    const was = before.slice(old, old + count)
    const is = after.slice(now, now + count)
    if (!added) old += count
    if (!removed) now += count
    if (removed) return { type: 'removed', items: was }
    return added ? { type: 'added', items: is } : { type: 'same', before: was, after: is }
  })
}

/** Pairs the items between two equal ones: each added one with a similar removed one, in order. */
function pair<T>(
  removed: readonly T[],
  added: readonly T[],
  { isSimilar }: Likeness<T>,
): readonly Aligned<T>[] {
  const asRemoved = (items: readonly T[]) =>
    items.map((item) => ({ type: 'removed', item }) as const)
  const paired: Aligned<T>[] = []
  let old = 0
  for (const item of added) {
    const within = removed.slice(old, old + reach)
    const found = within.findIndex((one) => isSimilar(one, item))
    const before = within[found]
    if (before === undefined) {
      paired.push({ type: 'added', item })
      continue
    }
    pushAll(paired, asRemoved(within.slice(0, found)))
    paired.push({ type: 'changed', before, after: item })
    old += found + 1
  }
  const rest = asRemoved(removed.slice(old))
  // Unpaired removed items come before unpaired added ones.
  const tail = paired.findLastIndex(({ type }) => type !== 'added') + 1
  return [...paired.slice(0, tail), ...rest, ...paired.slice(tail)]
}

/** Returns true where two texts share so much at their ends that one is likely to be the other after a change. */
export function areSimilarTexts(a: string, b: string): boolean {
  const longer = Math.max(a.length, b.length)
  return longer > 0 && commonEnds(a, b) * 2 >= Math.min(longer, 2 * endCharacters)
}

/** Counts the characters that two texts share at their start and at their end. */
function commonEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length, endCharacters)
  let start = 0
  while (start < most && a.charCodeAt(start) === b.charCodeAt(start)) start++
  let end = 0
  const rest = Math.min(a.length - start, b.length - start, endCharacters)
  while (end < rest && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++
  return start + end
}
