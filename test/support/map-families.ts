import fc from 'fast-check'
import type { BranchNode, Family } from '../../src/shared/model/family/family'
import { layOut, rememberLayout } from '../../src/shared/model/map/layout'
import {
  type LayoutInput,
  type LayoutMemory,
  type MapLayout,
  mapSizes,
} from '../../src/shared/model/map/layout-shape'
import { type Segment, segmentsOf } from '../../src/shared/model/map/segments'
import { id, key } from './outlined'

/** Families for tests of the map, and what a drawn map looks like. */

/** A node of a family that grows: entries are numbered, so that a part keeps its ids when it is split. */
export interface GrownNode {
  readonly name: string
  parent: GrownNode | undefined
  /** The number of its first entry in its conversation, and how many it has. */
  first: number
  entries: number
  readonly conversation: string
  readonly bornMs: number
}

/** A family that grows as conversations do: entries are added at ends, branches at any entry. */
export class GrowingFamily {
  readonly nodes: GrownNode[] = []
  private conversations = 0
  private clockMs = Date.UTC(2026, 0, 1)

  constructor(entries = 5) {
    this.add(undefined, 0, entries, 'c0')
  }

  get leaves(): readonly GrownNode[] {
    const inner = new Set(this.nodes.map(({ parent }) => parent))
    return this.nodes.filter((node) => !inner.has(node))
  }

  /** One entry more at a leaf. */
  grow(pick: number): GrownNode | undefined {
    const { leaves } = this
    const leaf = leaves[pick % leaves.length]
    if (leaf !== undefined) leaf.entries += 1
    return leaf
  }

  /** A branch of some entries after an entry of any node; in the middle of one, it splits it. */
  branch(pick: number, after: number, entries: number): void {
    const node = this.nodes[pick % this.nodes.length]
    if (node === undefined) return
    const kept = 1 + (after % node.entries)
    if (kept < node.entries) {
      const rest = this.add(node, node.first + kept, node.entries - kept, node.conversation)
      for (const other of this.nodes)
        if (other.parent === node && other !== rest) other.parent = rest
      node.entries = kept
    }
    this.conversations += 1
    this.add(node, 0, entries, `c${this.conversations}`)
  }

  /** The way to a leaf is the active one. */
  family(open: GrownNode | undefined): Family {
    const active = new Set<GrownNode>()
    for (let at = open; at !== undefined; at = at.parent) active.add(at)
    const rows: BranchNode[] = []
    const children = new Map<GrownNode | undefined, GrownNode[]>()
    for (const node of this.nodes)
      children.set(node.parent, [...(children.get(node.parent) ?? []), node])
    const waiting = [...(children.get(undefined) ?? [])].reverse()
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      rows.push(asBranchNode(node, active.has(node)))
      waiting.push(...(children.get(node) ?? []).sort((a, b) => b.bornMs - a.bornMs))
    }
    return { root: rows[0]?.id ?? '', nodes: rows }
  }

  private add(
    parent: GrownNode | undefined,
    first: number,
    entries: number,
    conversation: string,
  ): GrownNode {
    this.clockMs += 60_000
    const name = `chibi:${conversation}/${first}`
    // The part behind a fork was there before the branch.
    const bornMs = first > 0 && parent !== undefined ? parent.bornMs + 1 : this.clockMs
    const node = { name, parent, first, entries, conversation, bornMs }
    this.nodes.push(node)
    return node
  }
}

function asBranchNode(node: GrownNode, active: boolean): BranchNode {
  return {
    id: node.name,
    source: 'chibi',
    key: key(node.conversation),
    keys: [key(node.conversation)],
    holders: [{ source: 'chibi', key: key(node.conversation) }],
    kind: 'run',
    parent: node.parent?.name ?? null,
    fromEntry: id(`e${node.first}`),
    toEntry: id(`e${node.first + node.entries - 1}`),
    entries: node.entries,
    title: `Go on with ${node.name.length % 7} more words`.slice(0, 8 + (node.first % 17)),
    created: new Date(node.bornMs).toISOString(),
    active,
  }
}

/** A family of so many branches, the same for the same seed: most begin at one of the younger nodes. */
export function seededFamily(branches: number, seed = 1): GrowingFamily {
  const random = seededRandom(seed)
  const family = new GrowingFamily(8)
  for (let i = 0; i < branches; i++) {
    const young = Math.floor(family.nodes.length * random() ** 0.5)
    family.branch(young, Math.floor(random() * 1e6), 1 + Math.floor(random() ** 3 * 60))
  }
  return family
}

/** Mulberry32: numbers from 0 to 1. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A family as the layout takes it; its last active node is the open one. */
export function layoutInput(
  family: Family,
  byTime = false,
): {
  readonly segments: readonly Segment[]
  readonly input: LayoutInput
} {
  const kept = new Set(family.nodes.filter(({ active }) => active).map(({ id }) => id))
  const { list } = segmentsOf(family.nodes, { kept })
  const born = list.map(({ node }) => Date.parse(family.nodes[node]?.created ?? ''))
  return {
    segments: list,
    input: {
      ids: list.map((segment) => segment.id),
      ends: list.map(({ end }) => end),
      parents: Int32Array.from(list, ({ parent }) => parent),
      entries: Float64Array.from(list, ({ entries }) => entries),
      labels: Float32Array.from(list, ({ node }) => 6.3 * (family.nodes[node]?.title.length ?? 10)),
      aside: Uint8Array.from(list, ({ kind }) => (kind === 'subagent' ? 1 : 0)),
      open: list.findLastIndex(({ node }) => family.nodes[node]?.active === true),
      times: byTime
        ? {
            first: Float64Array.from(born),
            last: Float64Array.from(list, ({ entries }, i) => (born[i] ?? 0) + 30_000 * entries),
          }
        : undefined,
    },
  }
}

/** Lays out, and gives the memory for the next time. */
export function laidOut(
  family: Family,
  memory?: LayoutMemory,
  byTime = false,
): {
  readonly input: LayoutInput
  readonly layout: MapLayout
  readonly memory: LayoutMemory
} {
  const { input } = layoutInput(family, byTime)
  const layout = layOut(input, memory)
  return { input, layout, memory: rememberLayout(input, layout) }
}

/** Pairs of segments whose lines meet where they should not: two in one lane, or a stem through a line. */
export function crossings({ ids, parents }: LayoutInput, layout: MapLayout): readonly string[] {
  const { x0, x1, lane, next } = layout
  const found: string[] = []
  const isStart = (i: number) => next[parents[i] ?? -1] !== i && (parents[i] ?? -1) >= 0
  const line = (i: number) => ({
    from: (x0[i] ?? 0) + (isStart(i) ? mapSizes.bend : 0),
    to: x1[i] ?? 0,
    lane: lane[i] ?? 0,
  })
  ids.forEach((name, i) => {
    const a = line(i)
    ids.forEach((other, j) => {
      const b = line(j)
      if (j > i && a.lane === b.lane && a.from < b.to && b.from < a.to)
        found.push(`${name} and ${other} are in one lane`)
      if (!isStart(i) || i === j || parents[i] === j) return
      const fork = { x: x0[i] ?? 0, lanes: [lane[parents[i] ?? 0] ?? 0, a.lane] }
      const isBetween = b.lane > Math.min(...fork.lanes) && b.lane < Math.max(...fork.lanes)
      // The bend as it is drawn ends a little right of the fork.
      if (isBetween && b.from < fork.x + 1 && b.to > fork.x)
        found.push(`the stem of ${name} goes through ${other}`)
    })
  })
  return found
}

/** A change of a family: an entry more at a leaf, or a branch. */
export const familyChange = fc.oneof(
  fc.record({ type: fc.constant('entry' as const), pick: fc.nat(10_000) }),
  fc.record({
    type: fc.constant('branch' as const),
    pick: fc.nat(10_000),
    after: fc.nat(10_000),
    entries: fc.integer({ min: 1, max: 40 }),
  }),
)

/** Carries a change out. */
export function change(
  family: GrowingFamily,
  one: typeof familyChange extends fc.Arbitrary<infer T> ? T : never,
): void {
  if (one.type === 'entry') family.grow(one.pick)
  else family.branch(one.pick, one.after, one.entries)
}
