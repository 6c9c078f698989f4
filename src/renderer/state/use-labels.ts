import { useMemo } from 'react'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import type { EntryLabel, LabelIndex } from '../../shared/model/conversation/entry-labels'
import type { Label } from '../../shared/model/conversation/label'
import { tagId } from '../../shared/model/conversation/tag'
import type { EntryRef, FamilyLabel } from '../../shared/model/family/branching'
import { useBranches, useLabels } from './context'
import type { Stores } from './stores'
import type { LabelSpot } from './transcript/labels'

/**
 * Returns the labels that entries of the open conversation show, with their places: an entry's own label, else that of a
 * copy in the family.
 */
export function useLabelsAt<Place extends { readonly id?: string }>(
  key: LibraryKey | undefined,
  places: readonly Place[],
): readonly { readonly label: EntryLabel; readonly place: Place }[] {
  const index = useLabels((state) => state.index)
  const copied = useBranches((state) => (state.key === key ? state.labels : undefined))
  const found = new Map<string, { label: EntryLabel; place: Place }>()
  if (key === undefined) return []
  for (const place of places) {
    if (place.id === undefined || found.has(place.id)) continue
    const label = shownLabel(index, copied?.get(place.id), key, place.id)
    if (label !== undefined) found.set(place.id, { label, place })
  }
  return [...found.values()]
}

/** Returns the labels that the entries of a conversation show, by their ids there: its own first, then those of copies. */
export function useLabelsIn(key: LibraryKey): readonly (Label & { readonly here: string })[] {
  const index = useLabels((state) => state.index)
  const copied = useBranches((state) => (state.key === key ? state.labels : undefined))
  return useMemo(() => {
    const own = index.givenIn(key).map((label) => ({ ...label, here: label.entry as string }))
    const ids = new Set(own.map(({ here }) => here))
    const others = [...(copied ?? [])].flatMap(([here, one]) => {
      const label = ids.has(here) ? undefined : shownLabel(index, one, key, here)
      return label === undefined ? [] : [{ ...label, here }]
    })
    return [...own, ...others]
  }, [index, copied, key])
}

/** Returns the labels in use with their counts, most frequent first, each in the color that it was given last. */
export function useLabelsInUse(): readonly (Label & { readonly count: number })[] {
  const labels = useLabels((state) => state.labels)
  return useMemo(() => {
    const found = new Map<string, Label & { count: number }>()
    for (const { word, color } of labels) {
      const id = tagId(word)
      found.set(id, { word, color, count: (found.get(id)?.count ?? 0) + 1 })
    }
    return [...found.values()].sort((a, b) => b.count - a.count || a.word.localeCompare(b.word))
  }, [labels])
}

/**
 * Finds where the label of an entry of the open conversation is written: at the entry, or at its copy in another file
 * that has the label already.
 */
export function labelSpot(
  { labels, branches }: Pick<Stores, 'labels' | 'branches'>,
  key: LibraryKey,
  at: EntryRef,
  itemKey: string,
): LabelSpot {
  const { index } = labels.getState()
  const label = shownLabel(index, branches.getState().labels.get(at.entry), key, at.entry)
  if (label === undefined || index.of(key, at.entry) === label)
    return { key, at, itemKey, shown: label }
  // Main finds the line by the entry's id.
  return { key: label.key, at: { entry: label.entry, file: '', offset: 0 }, itemKey, shown: label }
}

/** A family is read a moment later than the labels: a label that is gone from their list is not shown. */
function shownLabel(
  index: LabelIndex,
  copied: FamilyLabel | undefined,
  key: LibraryKey,
  entry: string,
): EntryLabel | undefined {
  return index.of(key, entry) ?? (copied && index.of(copied.key, copied.entry))
}
