import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { libraryKeyOf } from '../../../../src/shared/model/conversation/conversation'
import { messageTrait } from '../../../../src/shared/model/family/message-traits'
import { outlineOf } from '../../../../src/shared/model/family/outline'
import { entryPositions } from '../../../../src/shared/model/map/entry-positions'
import { sumFacts } from '../../../../src/shared/model/map/fact-sums'
import type { FamilyMap } from '../../../../src/shared/model/map/family-map'
import {
  type FilterContext,
  filterMap,
  type MapFilter,
  noFilter,
} from '../../../../src/shared/model/map/filters'
import { familyMapOf } from '../../../../src/shared/model/map/make-family-map'
import { segmentsOf } from '../../../../src/shared/model/map/segments'
import { conversation, key, lines, message } from '../../../support/outlined'

const base = Date.UTC(2026, 0, 1)
const time = (i: number) => ({ timestamp: base / 1000 + i * 3600 })

/** A family of three branches: the second calls a tool that fails, the third calls one that answers. */
function family(): FamilyMap {
  const begin = [message('user', 'begin', time(0)), message('agent', 'yes', time(1))]
  const call = { entry_type: 'tool_call', role: undefined, to: 'bash' } as const
  const result = (is_error: boolean) =>
    ({ entry_type: 'tool_result', role: undefined, metadata: { is_error } }) as const
  const spoken = (name: string) => ({ metadata: { model: name } })
  const files = [
    [
      ...begin,
      message('user', 'one', time(2)),
      message('agent', 'a', { ...time(3), ...spoken('m1') }),
    ],
    [
      ...begin,
      message('user', 'two', time(4)),
      message('agent', 'call', { ...time(5), ...call }),
      message('agent', 'no', { ...time(6), ...result(true) }),
    ],
    [
      ...begin,
      message('user', 'three', time(7)),
      message('agent', 'call', { ...time(8), ...call }),
      message('agent', 'well', { ...time(9), ...result(false) }),
      message('agent', 'b', { ...time(10), ...spoken('m2') }),
    ],
  ]
  const map = familyMapOf(
    files.map((entries, i) =>
      outlineOf(
        conversation(`c${i}`, lines(entries), { created: new Date(base + i * 1000).toISOString() }),
      ),
    ),
    { source: 'cycod', key: key('c0') },
  )
  if (map === null) throw new Error('no map')
  return map
}

const context = (some: Partial<FilterContext> = {}): FilterContext => ({
  kept: new Set(),
  hidden: new Set(),
  labelled: new Set(),
  hits: [],
  nowMs: base + 11 * 3_600_000,
  ...some,
})
/** The first words of each shown node, with its shown entries. */
const shownBy = (map: FamilyMap, filter: Partial<MapFilter>, some: Partial<FilterContext> = {}) => {
  const { map: left, shown, total } = filterMap(map, { ...noFilter, ...filter }, context(some))
  expect(total).toBe(map.facts.ids.length)
  expect(left.nodes.reduce((sum, { entries }) => sum + entries, 0)).toBe(shown)
  return Object.fromEntries(left.nodes.map(({ title, entries }) => [title, entries]))
}
const nodeOf = (map: FamilyMap, title: string) =>
  map.nodes.findIndex((node) => node.title === title)

describe('filters of the map', () => {
  it('show what a person wrote, what is no tool, what failed, one model, one source, or what is new', () => {
    const map = family()
    expect(map.nodes.map(({ title }) => title)).toEqual(['c0', 'one', 'two', 'three'])
    expect(shownBy(map, {})).toEqual({ c0: 2, one: 2, two: 3, three: 4 })
    expect(shownBy(map, { mine: true })).toEqual({ c0: 1, one: 1, two: 1, three: 1 })
    expect(shownBy(map, { withoutTools: true })).toEqual({ c0: 2, one: 2, two: 1, three: 2 })
    // A node before a shown one is shown, with none of its entries.
    expect(shownBy(map, { failed: true })).toEqual({ c0: 0, two: 1 })
    expect(shownBy(map, { model: 'm2' })).toEqual({ c0: 0, three: 1 })
    expect(shownBy(map, { source: 'cycod', mine: true })).toEqual(shownBy(map, { mine: true }))
    expect(shownBy(map, { source: 'chibi' })).toEqual({})
    expect(shownBy(map, { withinMs: 2 * 3_600_000 })).toEqual({ c0: 0, three: 2 })
    expect(shownBy(map, { failed: true, mine: true })).toEqual({})
  })

  it('show labelled entries by their messages, and the open path in any case', () => {
    const map = family()
    const node = map.nodes[nodeOf(map, 'three')]
    if (node === undefined) throw new Error('no node')
    const at = entryPositions(map)(libraryKeyOf(node.source, node.key), node.toEntry)
    if (at === undefined) throw new Error('no message')
    expect(shownBy(map, { labelled: true }, { labelled: new Set([at]) })).toEqual({
      c0: 0,
      three: 1,
    })
    const kept = new Set([map.nodes[nodeOf(map, 'one')]?.id ?? ''])
    expect(shownBy(map, { labelled: true }, { labelled: new Set([at]), kept })).toEqual({
      c0: 0,
      one: 0,
      three: 1,
    })
  })

  it('hide a branch with all that comes after it, and count what it has', () => {
    const map = family()
    const hidden = new Set([map.nodes[nodeOf(map, 'three')]?.id ?? ''])
    expect(shownBy(map, {}, { hidden })).toEqual({ c0: 2, one: 2, two: 3 })
    expect(filterMap(map, noFilter, context({ hidden })).inHidden).toBe(4)
    expect(shownBy(map, {}, { hidden: new Set([map.nodes[0]?.id ?? '']) })).toEqual({})
    // The open path is shown although it was hidden while another one was open.
    expect(shownBy(map, {}, { hidden, kept: hidden })).toEqual(shownBy(map, {}))
  })

  it('move a conversation whose branch is left out to where its way leaves what is shown', () => {
    const map = family()
    const { map: left } = filterMap(map, { ...noFilter, failed: true }, context())
    const titles = left.conversations.map(({ leaf }) => left.nodes[leaf]?.title)
    expect(titles.sort()).toEqual(['c0', 'c0', 'two'])
  })

  it('have every entry of the family under exactly one node, or count it as not shown', () => {
    const filters = fc.record({
      mine: fc.boolean(),
      withoutTools: fc.boolean(),
      labelled: fc.boolean(),
      failed: fc.boolean(),
      hits: fc.boolean(),
      model: fc.constantFrom(undefined, 'm1', 'm2'),
      source: fc.constantFrom(undefined, 'cycod'),
      withinMs: fc.constantFrom(undefined, 3_600_000, 8 * 3_600_000),
    })
    const map = family()
    const ids = map.nodes.map(({ id }) => id)
    const some = fc.uniqueArray(fc.nat(map.facts.traits.length - 1)).map((all) => new Set(all))
    const nodes = fc.subarray(ids).map((all) => new Set(all))
    fc.assert(
      fc.property(filters, some, some, nodes, nodes, (filter, labelled, found, hidden, kept) => {
        const hits = Object.fromEntries([...found].map((at) => [at, 1]))
        const given = context({ labelled, hits, hidden, kept })
        const filtered = filterMap(map, filter, given)
        const { map: left, origins, shown, total, inHidden } = filtered
        const { facts } = left
        expect(filtered.messages.map((at) => map.facts.traits[at])).toEqual(facts.traits)
        if (filter.hits) expect(filtered.messages.every((at) => found.has(at))).toBe(true)
        expect(facts.starts).toHaveLength(left.nodes.length + 1)
        expect(facts.entries).toHaveLength(facts.traits.length + 1)
        expect(facts.ids).toHaveLength(shown)
        expect(shown + inHidden).toBeLessThanOrEqual(total)
        const places = new Set<string>()
        left.nodes.forEach((node, i) => {
          const origin = map.nodes[origins[i] ?? -1]
          expect(node.id).toBe(origin?.id)
          expect(left.nodes.some(({ id }) => id === node.parent)).toBe(
            origin?.parent !== null && ids.includes(origin?.parent ?? ''),
          )
          const sums = sumFacts(facts, [i])
          expect(sums.entries).toBe(node.entries)
          if (filter.mine) expect(sums.ownWords).toBe(node.entries)
          if (filter.failed) expect(sums.failures).toBe(node.entries)
          if (filter.withoutTools) expect([sums.calls, sums.failures]).toEqual([0, 0])
          const own = facts.ids.slice(
            facts.entries[facts.starts[i] ?? 0],
            facts.entries[facts.starts[i + 1] ?? 0],
          )
          for (const id of own) places.add(`${node.key} ${id}`)
        })
        expect(places.size).toBe(shown)
        const folded = segmentsOf(left.nodes, { kept, collapsed: hidden })
        expect(folded.list.reduce((sum, { entries }) => sum + entries, 0)).toBe(shown)
        if (facts.traits.length > 0 && filter.mine)
          expect(facts.traits.every((traits) => (traits & messageTrait.human) !== 0)).toBe(true)
      }),
    )
  })
})

describe('a collapsed node', () => {
  it('has all branches after it in one segment, but those on the open path', () => {
    const { nodes } = family()
    const id = (title: string) => nodes.find((node) => node.title === title)?.id ?? ''
    const collapsed = new Set([id('c0')])
    const { list } = segmentsOf(nodes, { kept: new Set([id('c0'), id('one')]), collapsed })
    expect(list.map(({ kind, entries, folded }) => [kind, entries, folded])).toEqual([
      ['run', 2, 0],
      ['run', 2, 0],
      ['fold', 7, 2],
    ])
  })
})
