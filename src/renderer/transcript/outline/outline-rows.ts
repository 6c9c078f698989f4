import { fold } from '../../../shared/model/basics/fold'
import type { Label } from '../../../shared/model/conversation/label'
import type { Landmark, NumberedPlace } from '../../../shared/model/landmarks/landmarks'
import type { OutlineKind } from '../../state/landmarks/landmarks'

/** Row of the outline: an entry by which people find their way. */
export interface OutlineRow {
  readonly place: NumberedPlace
  readonly kind: OutlineKind
  readonly words: string
  readonly label?: Label
}

/** A label with the id of its entry in the open conversation. */
export type LabelHere = Label & { readonly here: string }

/**
 * Lists landmarks and labelled entries in their order; at one entry its landmark comes first. O(n log n) with labels, else O(n).
 *
 * @param places of labelled entries, as far as they are known
 */
export function outlineRows(
  landmarks: readonly Landmark[],
  labels: readonly LabelHere[],
  places: ReadonlyMap<string, NumberedPlace | null>,
): readonly OutlineRow[] {
  const rows = landmarks.map(({ kind, words, ...place }): OutlineRow => ({ place, kind, words }))
  const labelled = labels.flatMap(({ here, ...label }): readonly OutlineRow[] => {
    const place = places.get(here)
    return place == null ? [] : [{ place, kind: 'label', words: label.word, label }]
  })
  if (labelled.length === 0) return rows
  return [...rows, ...labelled].sort((a, b) => a.place.number - b.place.number)
}

/** Keeps the rows of some kinds that have each of the words that are typed. O(characters). */
export function matchingRows(
  rows: readonly OutlineRow[],
  kinds: ReadonlySet<OutlineKind>,
  typed: string,
): readonly OutlineRow[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  return rows.filter((row) => {
    if (!kinds.has(row.kind)) return false
    if (words.length === 0) return true
    const text = fold(row.words)
    return words.every((word) => text.includes(word))
  })
}

/** Returns the index of the last row at or before an entry's number, a prompt where there is one; -1 without any. */
export function rowAt(rows: readonly OutlineRow[], number: number): number {
  const prompt = rows.findLastIndex(
    ({ kind, place }) => kind === 'prompt' && place.number <= number,
  )
  return prompt >= 0 ? prompt : rows.findLastIndex(({ place }) => place.number <= number)
}

/** Counts rows by kind. */
export function countsOfKinds(rows: readonly OutlineRow[]): ReadonlyMap<OutlineKind, number> {
  const counts = new Map<OutlineKind, number>()
  for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}
