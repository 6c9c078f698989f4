import { libraryKeyOf } from '../conversation/conversation'
import type { EntryId } from '../conversation/entry'
import type { EntryLabel, LabelIndex } from '../conversation/entry-labels'
import type { FamilyLabel } from '../family/branching'
import type { MergedTree } from '../family/merge'
import type { Outline } from '../family/outline'

/** Labels, as a list and by entries. */
export interface LabelsOfEntries {
  readonly all: readonly EntryLabel[]
  readonly index: LabelIndex
}

/**
 * Lists the labels in a merged tree, parents first. An entry that several conversations hold is labelled once, whichever
 * of its copies has the label. Linear in the entries.
 *
 * @param i the conversation that the labels are named for: position in `tree.outlines`
 * @param nodeAt the node of a place
 */
export function labelsInTree(
  tree: MergedTree,
  i: number,
  nodeAt: (place: number) => string,
  { all, index }: LabelsOfEntries,
): readonly FamilyLabel[] {
  if (all.length === 0) return []
  const wanted = new Set<string>(all.map(({ entry }) => entry))
  const found = new Map<string, FamilyLabel & { readonly place: number }>()
  const own = ownMessages(tree, i)
  tree.outlines.forEach((outline, position) => {
    const key = libraryKeyOf(outline.source, outline.key)
    const places = tree.places[position]
    outline.marks.forEach((_, message) => {
      const place = places?.[message] ?? -1
      if (place === -1) return
      const ids = idsOf(outline, message)
      for (const [at, entry] of ids.entries()) {
        const label = wanted.has(entry) ? index.of(key, entry) : undefined
        if (label === undefined) continue
        const spot = `${place} ${at}`
        // The one that was given in the conversation itself goes before a copy's.
        if (found.has(spot) && position !== i) continue
        const here = own(place, at, ids.length)
        const { word, color } = label
        found.set(spot, {
          node: nodeAt(place),
          key,
          entry,
          word,
          color,
          ...(here === undefined ? {} : { here }),
          place,
        })
      }
    })
  })
  return [...found.values()]
    .sort((a, b) => a.place - b.place)
    .map(({ place: _, ...label }) => label)
}

/** Returns a function that finds the entry of a conversation at a place, where its message has as many entries. */
function ownMessages(tree: MergedTree, i: number) {
  const outline = tree.outlines[i]
  const messages = new Map<number, number>()
  tree.places[i]?.forEach((place, message) => {
    if (place !== -1) messages.set(place, message)
  })
  return (place: number, at: number, count: number): EntryId | undefined => {
    const message = messages.get(place)
    if (outline === undefined || message === undefined) return undefined
    const ids = idsOf(outline, message)
    return ids.length === count ? ids[at] : undefined
  }
}

function idsOf(outline: Outline, message: number): readonly EntryId[] {
  return outline.ids.slice(outline.starts[message] ?? 0, outline.starts[message + 1] ?? 0)
}
