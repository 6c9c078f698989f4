import { isoTimeOfMs } from '../basics/time'
import type { ConversationKey } from '../conversation/conversation'
import { blockingKeys, groupRelatives } from './blocking-keys'
import { type ConversationRef, type Family, leavesOf } from './family'
import { type MergedTree, mergeTree } from './merge'
import { hasTrait } from './message-traits'
import type { Outline } from './outline'
import { calledFrom, isSubagentPlace } from './subagents'

/**
 * Makes families of conversations, the most recently changed first: the shape of `skein branches --json`. Every
 * conversation with an entry is in exactly one, most alone; see `hasBranches`. Near-linear in the messages.
 * `current` is the conversation whose path is the current one of its family; without it, the one that changed last.
 */
export function familiesOf(
  outlines: readonly Outline[],
  current?: ConversationRef,
): readonly Family[] {
  const groups = groupRelatives(outlines.map(blockingKeys)).map((group) =>
    group.flatMap((i) => outlines[i] ?? []),
  )
  const dated = groups.map((group) => ({
    group,
    changed: group.reduce((latest, outline) => Math.max(latest, changedMs(outline)), unknownMs),
  }))
  dated.sort((a, b) => b.changed - a.changed)
  return dated.flatMap(({ group }) => familyOf(mergeTree(group), current) ?? [])
}

/** Returns true where a family has two leaves or more. */
export function hasBranches(family: Family): boolean {
  return leavesOf(family).length > 1
}

/** A merged group as the tree that people see; undefined where it holds no entry. */
function familyOf(tree: MergedTree, current?: ConversationRef): Family | undefined {
  return familyWithPlaces(tree, current)?.family
}

/**
 * Makes the family of a merged tree, with the node id of each of the tree's places. Undefined where the tree has no
 * entry.
 */
export function familyWithPlaces(
  tree: MergedTree,
  current?: ConversationRef,
): { readonly family: Family; readonly nodeAt: (place: number) => string } | undefined {
  const runs = findRuns(tree)
  if (tree.count === 0) return undefined
  const path = currentPath(tree, runs, current)
  const holders = findHolders(tree, runs)
  const familyTitle = ownerOf(tree, 0).title
  const nodes = inRowOrder(runs).map((run) => {
    const parent = shownParent(runs, run)
    return {
      ...nodeOf(tree, run),
      keys: (holders[run.index] ?? []).map(({ key }): ConversationKey => key),
      holders: [...(holders[run.index] ?? [])],
      parent: parent === undefined ? null : idOf(tree, parent),
      title: titleOf(tree, run, parent, familyTitle),
      active: path.has(run.index),
    }
  })
  const ids = runs.list.map((run) => idOf(tree, run))
  return {
    family: { root: nodes[0]?.id ?? '', nodes },
    nodeAt: (place) => ids[runs.of[place] ?? -1] ?? '',
  }
}

/** Places that follow one another without a fork, and without a conversation that ends between them. */
interface Run {
  readonly index: number
  readonly parent: number | undefined
  /** Where a subagent was called: the run that it is shown below. */
  caller: number | undefined
  readonly isSubagent: boolean
  readonly first: number
  last: number
  entries: number
  /** Unix milliseconds. */
  readonly bornMs: number | undefined
  /** First words of a person, and of anybody. */
  human: string
  words: string
}

interface Runs {
  readonly list: readonly Run[]
  /** The run of every place. */
  readonly of: Int32Array
}

function findRuns(tree: MergedTree): Runs {
  const children = new Int32Array(tree.count)
  for (let place = 0; place < tree.count; place++) {
    const parent = tree.parent[place] ?? -1
    if (parent !== -1) children[parent] = (children[parent] ?? 0) + 1
  }
  const ends = findEnds(tree)
  const of = new Int32Array(tree.count)
  const runs: Run[] = []
  for (let place = 0; place < tree.count; place++) {
    const before = tree.parent[place] ?? -1
    const goesOn = before !== -1 && children[before] === 1 && !ends.has(before)
    let run = goesOn ? runs[of[before] ?? 0] : undefined
    if (run === undefined) {
      const parent = before === -1 ? undefined : of[before]
      run = { ...emptyRun(tree, place), index: runs.length, parent }
      runs.push(run)
    }
    of[place] = run.index
    extend(tree, run, place)
  }
  const found = { list: runs, of }
  for (const [place, call] of calledFrom(tree)) {
    const run = runs[of[place] ?? -1]
    const caller = runs[of[call] ?? -1]
    // What two files say of each other may be a circle.
    if (run !== undefined && caller !== undefined && !isBelow(found, caller, run))
      run.caller = caller.index
  }
  return found
}

function isBelow(runs: Runs, run: Run, above: Run): boolean {
  let at: Run | undefined = run
  while (at !== undefined && at !== above) at = shownParent(runs, at)
  return at === above
}

/** Where conversations that are one line end. */
function findEnds(tree: MergedTree): ReadonlySet<number> {
  const ends = new Set<number>()
  tree.outlines.forEach((outline, i) => {
    if (outline.strands === undefined) ends.add(tree.places[i]?.at(-1) ?? -1)
  })
  return ends
}

function emptyRun(tree: MergedTree, place: number) {
  const owner = ownerOf(tree, place)
  const time = owner.times[tree.message[place] ?? 0] ?? 0
  const bornMs = time === 0 ? owner.createdMs : time
  const isSubagent = isSubagentPlace(tree, place)
  const begin = { first: place, last: place, entries: 0, caller: undefined, isSubagent }
  return { ...begin, bornMs, human: '', words: '' }
}

function extend(tree: MergedTree, run: Run, place: number): void {
  const owner = ownerOf(tree, place)
  const message = tree.message[place] ?? 0
  const words = owner.words[message] ?? ''
  run.last = place
  run.entries += (owner.starts[message + 1] ?? 0) - (owner.starts[message] ?? 0)
  if (run.words === '' && !hasTrait(owner, message, 'system')) run.words = words
  if (run.human === '' && hasTrait(owner, message, 'human')) run.human = words
}

/** The runs from the root to where the current conversation is now. */
function currentPath(
  tree: MergedTree,
  runs: Runs,
  current: ConversationRef | undefined,
): ReadonlySet<number> {
  const isCurrent = (outline: Outline) =>
    outline.key === current?.key && outline.source === current.source
  const placed = tree.outlines.filter((_, i) => leafPlaceOf(tree, i) !== undefined)
  const callers = placed.filter(({ subagentOf }) => subagentOf === undefined)
  const chosen =
    placed.find(isCurrent) ??
    (callers.length === 0 ? placed : callers).reduce((latest, outline) =>
      changedMs(outline) >= changedMs(latest) ? outline : latest,
    )
  const leaf = leafPlaceOf(tree, tree.outlines.indexOf(chosen)) ?? 0
  const path = new Set<number>()
  for (let run = runs.list[runs.of[leaf] ?? 0]; run !== undefined; run = shownParent(runs, run))
    path.add(run.index)
  return path
}

/** Returns the place where conversation `i` is now; undefined where it has none in the tree. */
export function leafPlaceOf(tree: MergedTree, i: number): number | undefined {
  const outline = tree.outlines[i]
  const places = tree.places[i]
  if (outline === undefined || places === undefined) return undefined
  const anchor = places[0] ?? -1
  // An anchor of ours has a place only while no message follows it.
  const isUnused = anchor !== -1 && hasTrait(outline, 0, 'ownAnchor')
  const leaf = isUnused ? anchor : (places[outline.leaf] ?? -1)
  return leaf === -1 ? undefined : leaf
}

/** Lists who goes through each run: oldest first, because conversations are asked in that order. */
function findHolders(tree: MergedTree, runs: Runs): readonly (readonly ConversationRef[])[] {
  const holders: ConversationRef[][] = runs.list.map(() => [])
  const lastHolder = new Int32Array(runs.list.length).fill(-1)
  tree.outlines.forEach(({ source, key }, i) => {
    for (const place of tree.places[i] ?? []) {
      if (place === -1) continue
      // A window's copies begin in the middle of the parent's path; what comes before is the branch's path too.
      for (
        let run = runs.list[runs.of[place] ?? 0];
        run !== undefined;
        run = parentRun(runs, run)
      ) {
        if (lastHolder[run.index] === i) break
        lastHolder[run.index] = i
        holders[run.index]?.push({ source, key })
      }
    }
  })
  return holders
}

/** Parents first, each child followed by all that comes of it, siblings by birth. */
function inRowOrder(runs: Runs): readonly Run[] {
  const children = new Map<number | undefined, Run[]>()
  for (const run of runs.list) {
    const parent = run.parent ?? run.caller
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [run])
    else siblings.push(run)
  }
  const youngestFirst = (a: Run, b: Run) => {
    const [bornA, bornB] = [a.bornMs ?? Infinity, b.bornMs ?? Infinity]
    if (bornA !== bornB) return bornA > bornB ? -1 : 1
    return b.index - a.index
  }
  const rows: Run[] = []
  const waiting = (children.get(undefined) ?? []).sort(youngestFirst)
  for (let run = waiting.pop(); run !== undefined; run = waiting.pop()) {
    rows.push(run)
    for (const child of (children.get(run.index) ?? []).sort(youngestFirst)) waiting.push(child)
  }
  return rows
}

function nodeOf(tree: MergedTree, run: Run) {
  const owner = ownerOf(tree, run.first)
  return {
    id: idOf(tree, run),
    source: owner.source,
    key: owner.key,
    kind: run.isSubagent ? ('subagent' as const) : ('run' as const),
    fromEntry: entryOf(owner, owner.starts[tree.message[run.first] ?? 0] ?? 0),
    toEntry: entryOf(owner, (owner.starts[(tree.message[run.last] ?? 0) + 1] ?? 1) - 1),
    entries: run.entries,
    created: isoTimeOfMs(run.bornMs),
  }
}

/** At a root the conversation's title; where a conversation's own part begins, a title that only it has; else words. */
function titleOf(tree: MergedTree, run: Run, parent: Run | undefined, familyTitle: string): string {
  const owner = ownerOf(tree, run.first)
  if (parent === undefined) return owner.title
  const isOwnBegin = ownerOf(tree, parent.first) !== owner
  const { storedTitle } = owner
  if (isOwnBegin && storedTitle !== undefined && storedTitle !== familyTitle) return storedTitle
  return run.human || run.words || owner.title
}

function idOf(tree: MergedTree, run: Run): string {
  const owner = ownerOf(tree, run.first)
  return `${owner.source}:${owner.key}/${owner.starts[tree.message[run.first] ?? 0] ?? 0}`
}

function parentRun(runs: Runs, run: Run): Run | undefined {
  return run.parent === undefined ? undefined : runs.list[run.parent]
}

/** The run that this one goes on from, or from which a subagent was called. */
function shownParent(runs: Runs, run: Run): Run | undefined {
  const parent = run.parent ?? run.caller
  return parent === undefined ? undefined : runs.list[parent]
}

/** Before every time that a calendar has; not infinite, so that two of them compare. */
const unknownMs = -8.64e15

function ownerOf(tree: MergedTree, place: number): Outline {
  const outline = tree.outlines[tree.owner[place] ?? 0]
  if (outline === undefined) throw new Error(`place ${place} has no owner`)
  return outline
}

function entryOf(outline: Outline, index: number): Outline['ids'][number] {
  const id = outline.ids[index]
  if (id === undefined) throw new Error(`${outline.source}:${outline.key} has no entry ${index}`)
  return id
}

function changedMs(outline: Outline): number {
  return outline.updatedMs ?? outline.createdMs ?? unknownMs
}
