import type { LucideIcon } from 'lucide-react'
import { fold, foldWithRanges } from '../../../shared/model/basics/fold'
import type { ShownKeys } from '../../ui/controls/command-keys'

/** Something that the palette can do, go to or set. */
export interface PaletteItem {
  /** Unique among all items; stays the same as long as it means the same. */
  readonly id: string
  readonly name: string
  readonly icon: LucideIcon
  /** Source of a conversation, whose mark takes the icon's place. */
  readonly source?: string
  /** Where it belongs, such as a conversation's source; found by it too. */
  readonly hint?: string
  /** Other words by which it is found. */
  readonly words?: string
  readonly keys?: ShownKeys
  /** Settings that are open stay so; everything else closes them first. */
  readonly staysInSettings?: true
  /** It is about what was typed, and means nothing without it. */
  readonly isOfQuery?: true
  readonly run: () => void
}

/** Items under one heading. */
export interface PaletteGroup {
  readonly name: string
  readonly items: readonly PaletteItem[]
}

/** Group of what was found, best first. */
export interface FoundGroup {
  readonly name: string
  readonly items: readonly PaletteItem[]
  /** How many more were found than are listed. */
  readonly more: number
}

/** Most items that a group lists: typing narrows them. */
const mostListed = 30

/**
 * Finds the items that have every word of a query, in any case, in their name, or, from three characters on, also in their hint and
 * other words. A name that begins with the
 * query comes first, then one whose words begin with the query's words, then one that contains them; among equals the order stays.
 * The group with the best item comes first. O(characters of all items).
 */
export function findItems(groups: readonly PaletteGroup[], query: string): readonly FoundGroup[] {
  const whole = fold(query.trim())
  const words = whole.split(/\s+/).filter(Boolean)
  return groups
    .map(({ name, items }) => {
      const found = items
        .map((item) => ({ item, rank: rankOf(item, words, whole) }))
        .filter(({ rank }) => rank > 0)
        .sort((a, b) => b.rank - a.rank)
      return { name, found, best: found[0]?.rank ?? 0 }
    })
    .filter(({ best }) => best > 0)
    .sort((a, b) => b.best - a.best)
    .map(({ name, found }) => ({
      name,
      items: found.slice(0, mostListed).map(({ item }) => item),
      more: Math.max(0, found.length - mostListed),
    }))
}

/** Characters from which on other words count: fewer would find half of everything. */
const shortestOtherWords = 3

/** How well an item fits: 0 not at all, 1 by other words alone, up to 4 where its name begins with the query. */
function rankOf(item: PaletteItem, words: readonly string[], whole: string): number {
  const { name, all } = foldedOf(item)
  if (name.startsWith(whole)) return 4
  if (words.every((word) => beginsWordOf(name, word))) return 3
  if (words.every((word) => name.includes(word))) return 2
  if (whole.length < shortestOtherWords) return 0
  return words.every((word) => all.includes(word)) ? 1 : 0
}

const foldedItems = new WeakMap<PaletteItem, { readonly name: string; readonly all: string }>()

/** Folds the texts of an item once, however often something is typed. */
function foldedOf(item: PaletteItem): { readonly name: string; readonly all: string } {
  const known = foldedItems.get(item)
  if (known !== undefined) return known
  const name = fold(item.name)
  const folded = { name, all: `${name} ${fold(item.hint ?? '')} ${fold(item.words ?? '')}` }
  foldedItems.set(item, folded)
  return folded
}

function beginsWordOf(name: string, word: string): boolean {
  for (let at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(name.charAt(at - 1))) return true
  return false
}

/** Returns where a name has the words of a query, in its UTF-16 units: in order, none inside of another. */
export function markedRanges(
  name: string,
  query: string,
): readonly (readonly [start: number, end: number])[] {
  const { folded, rangeOf } = foldWithRanges(name)
  const ranges = fold(query.trim())
    .split(/\s+/)
    .filter(Boolean)
    .map((word): [number, number] => [folded.indexOf(word), word.length])
    .filter(([at]) => at >= 0)
    .map(([at, length]) => rangeOf(at, at + length))
    .sort((a, b) => a[0] - b[0])
  return ranges.filter(([start], index) => index === 0 || start >= (ranges[index - 1]?.[1] ?? 0))
}
