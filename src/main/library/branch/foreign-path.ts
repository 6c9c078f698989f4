import { AppError } from '../../../shared/model/basics/errors'
import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import type { BranchAction, EntryRef } from '../../../shared/model/family/branching'
import { entryTree } from '../../../shared/model/family/entry-tree'
import type { ForkRule } from '../../../shared/model/family/tree'
import { branchCut } from './branch-point'
import { isToolEntry, turnFollower } from './tool-turn'

/**
 * Returns the entries of another system's conversation that a branch takes over: the path to the cut, in order. Where
 * a format has parents, these are the entries on the way to it; else all entries before it.
 *
 * @throws AppError `not-found`, `bad-argument`
 */
export function foreignPathTo(
  entries: readonly Entry[],
  at: EntryRef,
  action: BranchAction['type'],
  rule?: ForkRule,
): readonly Entry[] {
  const index = indexOf(entries, at)
  const entry = entries[index]
  if (entry === undefined)
    throw new AppError('not-found', 'The conversation no longer has this entry.')
  const cut = branchCut(action, entry)
  const way = wayToEntry(entries, index, rule)
  if (cut === 'before') return way.slice(0, -1)
  const follow = turnFollower()
  const turns = way.map((one, i) => follow(one, i))
  const turn = turns.at(-1)
  if (cut === 'before-turn') return way.slice(0, turn ?? -1)
  return turn === undefined ? way : [...way, ...restOfTurn(entries, index, way, turn)]
}

/**
 * Returns the entries of another system's conversation that a branch leaves behind, in order: where a format has parents
 * those on the way through the entry, to where the conversation is now or else to the newest end; else all the others.
 *
 * @param path what the branch takes over
 * @param leaves where the conversation is now
 */
export function foreignLeftBehind(
  entries: readonly Entry[],
  at: EntryRef,
  path: readonly Entry[],
  leaves: readonly EntryId[],
  rule?: ForkRule,
): readonly Entry[] {
  const taken = new Set(path)
  const way = entryTree(entries, rule)?.through(indexOf(entries, at), leaves)
  const all = way === undefined ? entries : way.flatMap((position) => entries[position] ?? [])
  return all.filter((entry) => !taken.has(entry))
}

/** Ids alone may repeat, and a page may name an entry by an id that a relative gave it: its place decides then. */
function indexOf(entries: readonly Entry[], at: EntryRef): number {
  const isThere = (entry: Entry) => entry.file === at.file && entry.offset === at.offset
  const exact = entries.findIndex((entry) => isThere(entry) && entry.id === at.entry)
  if (exact !== -1) return exact
  const part = /#\d+$/.exec(at.entry)?.[0] ?? ''
  return entries.findIndex((entry) => isThere(entry) && entry.id.endsWith(part))
}

/** Further parts of the entry's own record come after it. */
function wayToEntry(
  entries: readonly Entry[],
  index: number,
  rule: ForkRule | undefined,
): readonly Entry[] {
  const tree = entryTree(entries, rule)
  if (tree === undefined) return entries.slice(0, index + 1)
  const way = tree.pathTo(index)
  return way.slice(0, way.lastIndexOf(index) + 1).flatMap((at) => entries[at] ?? [])
}

/** Lists what of a tool turn comes after the cut: calls and results right behind, where there are parents those that go on from it. */
function restOfTurn(
  entries: readonly Entry[],
  index: number,
  way: readonly Entry[],
  turn: number,
): readonly Entry[] {
  const follow = turnFollower()
  for (const [i, entry] of way.slice(turn).entries()) follow(entry, i)
  const onWay = new Set<string>(way.slice(turn).map(({ id }) => id))
  const rest: Entry[] = []
  for (const entry of entries.slice(index + 1)) {
    if (entry.parent != null && !onWay.has(entry.parent)) continue
    if (!isToolEntry(entry) || follow(entry, way.length + rest.length) !== 0) break
    onWay.add(entry.id)
    rest.push(entry)
  }
  return rest
}
