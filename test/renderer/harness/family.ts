import {
  ConversationKey,
  type LibraryKey,
  parseLibraryKey,
} from '../../../src/shared/model/conversation/conversation'
import {
  type Entry,
  EntryId,
  isAnchor,
  speakerOf,
} from '../../../src/shared/model/conversation/entry'
import type { Distinction, FamilyView } from '../../../src/shared/model/family/branching'
import type { BranchNode } from '../../../src/shared/model/family/family'
import { type Outline, outlineOf } from '../../../src/shared/model/family/outline'
import { distinctionsOf } from '../../../src/shared/model/family-view/distinctions'
import { type EntryName, entriesOnMap } from '../../../src/shared/model/map/entries-on-map'
import type { FamilyMap } from '../../../src/shared/model/map/family-map'
import { familyMapOf } from '../../../src/shared/model/map/make-family-map'
import type { MemoryContext } from './memory-home'

/** An entry that stands once, however many contexts repeat it. */
interface Place {
  readonly parent: Place | undefined
  readonly children: Place[]
  /** The entry as each context has it, by the context's key. */
  readonly entries: Map<string, Entry>
}

/** A run of places without a fork. */
interface Run {
  readonly id: string
  readonly parent: Run | undefined
  readonly places: readonly Place[]
}

/** The family around one of some contexts, by equal words from the beginning; null where it has one leaf. */
export function familyViewOf(contexts: readonly MemoryContext[], key: string): FamilyView | null {
  const root: Place = { parent: undefined, children: [], entries: new Map() }
  for (const { summary, rows } of contexts) {
    let at = root
    for (const row of rows) {
      if (row.type !== 'entry' || isAnchor(row.entry)) continue
      at = childOf(at, row.entry)
      at.entries.set(summary.key, row.entry)
    }
  }
  const runs: Run[] = []
  for (const child of root.children) collectRuns(child, undefined, runs)
  const leaves = runs.filter((run) => !runs.some(({ parent }) => parent === run))
  if (leaves.length < 2) return null
  const own = runs.filter(({ places }) => places[0]?.entries.has(key))
  return {
    family: { root: runs[0]?.id ?? '', nodes: runs.map((run) => nodeOf(run, own.includes(run))) },
    path: own.map((run) => ({
      node: run.id,
      firstEntry: idIn(run.places[0], key),
      lastEntry: idIn(run.places.at(-1), key),
    })),
    forks: own.flatMap((run) => {
      const siblings = runs.filter(({ parent }) => parent === run.parent)
      if (siblings.length < 2) return []
      return [
        {
          entry: idIn(run.places[0], key),
          ways: siblings.map((way) => {
            const [oldest = key] = way === run ? [key] : [...(way.places[0]?.entries.keys() ?? [])]
            return {
              key: contextOf(contexts, oldest),
              entry: idIn(way.places[0], oldest),
              node: way.id,
              title: titleOf(way),
            }
          }),
          index: siblings.indexOf(run),
        },
      ]
    }),
  }
}

/** The keys of contexts that are of one family, a list for each. */
export function familyKeys(contexts: readonly MemoryContext[]): LibraryKey[][] {
  const families = new Map<string, LibraryKey[]>()
  for (const { family, summary } of contexts)
    if (family !== undefined) families.set(family, [...(families.get(family) ?? []), summary.key])
  return [...families.values()].filter(({ length }) => length > 1)
}

/** What tells some contexts of one family apart. */
export function distinctionsIn(contexts: readonly MemoryContext[]): Distinction[] {
  return [...distinctionsOf(outlinesOf(contexts))]
}

/** The map of some contexts around one of them. */
export function mapOf(contexts: readonly MemoryContext[], key: LibraryKey): FamilyMap | null {
  return familyMapOf(outlinesOf(contexts), parseLibraryKey(key))
}

/** The names that the map of some contexts has for their entries. */
export function namesOnMap(
  contexts: readonly MemoryContext[],
  entries: readonly EntryName[],
): readonly (EntryName | null)[] {
  return entriesOnMap(outlinesOf(contexts), entries)
}

function outlinesOf(contexts: readonly MemoryContext[]): readonly Outline[] {
  return contexts.map(({ summary, rows }) =>
    outlineOf({
      ...parseLibraryKey(summary.key),
      title: summary.title,
      created: summary.created,
      updated: summary.updated,
      entries: rows.flatMap((row) => (row.type === 'entry' ? [row.entry] : [])),
    }),
  )
}

function childOf(parent: Place, entry: Entry): Place {
  const known = parent.children.find(({ entries }) => {
    const [one] = entries.values()
    return one?.content === entry.content && one.entry_type === entry.entry_type
  })
  if (known !== undefined) return known
  const child: Place = { parent, children: [], entries: new Map() }
  parent.children.push(child)
  return child
}

function collectRuns(first: Place, parent: Run | undefined, runs: Run[]): void {
  const places = [first]
  let last = first
  while (last.children.length === 1 && last.children[0] !== undefined) {
    last = last.children[0]
    places.push(last)
  }
  const run: Run = { id: `node-${runs.length}`, parent, places }
  runs.push(run)
  for (const child of last.children) collectRuns(child, run, runs)
}

function nodeOf(run: Run, active: boolean): BranchNode {
  const first = run.places[0]
  const [key = ''] = first?.entries.keys() ?? []
  const holders = [...(first?.entries.keys() ?? [])].map(parseLibraryKey)
  const at = first?.entries.get(key)?.timestamp
  return {
    id: run.id,
    ...parseLibraryKey(key),
    keys: holders.map((holder) => ConversationKey.parse(holder.key)),
    holders,
    kind: 'run',
    parent: run.parent?.id ?? null,
    fromEntry: idIn(first, key),
    toEntry: idIn(run.places.at(-1), key),
    entries: run.places.length,
    title: titleOf(run),
    created: at == null ? null : new Date(at * 1000).toISOString(),
    active,
  }
}

function titleOf(run: Run): string {
  for (const { entries } of run.places) {
    const [entry] = entries.values()
    if (entry !== undefined && speakerOf(entry) === 'user') return entry.content.slice(0, 80)
  }
  return ''
}

function idIn(place: Place | undefined, key: string): EntryId {
  const entry = place?.entries.get(key) ?? [...(place?.entries.values() ?? [])][0]
  return entry?.id ?? EntryId.parse('none')
}

function contextOf(contexts: readonly MemoryContext[], key: string) {
  const found = contexts.find(({ summary }) => summary.key === key)
  if (found === undefined) throw new Error(`no context ${key}`)
  return found.summary.key
}
