import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outlineOf } from '../../../../src/shared/model/family/outline'
import { entriesOnMap } from '../../../../src/shared/model/map/entries-on-map'
import { entryPositions } from '../../../../src/shared/model/map/entry-positions'
import { messagesOf } from '../../../../src/shared/model/map/fact-sums'
import { filterMap, noFilter, unfilteredMap } from '../../../../src/shared/model/map/filters'
import {
  type FoundEntries,
  hitsOnFilteredMap,
  nameOf,
  nextHit,
  paintHits,
  sameHit,
  unknownOnMap,
} from '../../../../src/shared/model/map/painted-hits'
import { conversation, id, key, lines, message } from '../../../support/outlined'
import { mapOf, relatives } from '../../../support/related'

const place = (name: string, entries: readonly string[]): FoundEntries => ({
  source: 'cycod',
  key: key(name),
  entries: entries.map(id),
})

describe('hits on a map', () => {
  it('are each at one message, whichever copy they name, and add up to what was found', () => {
    fc.assert(
      fc.property(relatives, fc.infiniteStream(fc.nat(9)), fc.boolean(), (all, dice, hitsOnly) => {
        const map = mapOf(all)
        const positionOf = entryPositions(map)
        const roll = () => dice.next().value
        const places = all.map((one) =>
          place(
            one.key,
            [...one.entries].flatMap((entry) => (roll() < 4 ? [entry.id] : [])),
          ),
        )
        const unknown = unknownOnMap(positionOf, places)
        const answers = entriesOnMap(all.map(outlineOf), unknown)
        const names = new Map(
          unknown.flatMap((name, i) => {
            const shown = answers[i]
            return shown == null ? [] : [[nameOf(name), shown] as const]
          }),
        )
        const hits = paintHits(map, positionOf, places, names)
        const count = places.reduce((sum, { entries }) => sum + entries.length, 0)
        expect(hits.list).toHaveLength(count)
        expect(hits.ofNode.reduce((sum, n) => sum + n, 0)).toBe(count)
        hits.list.forEach(({ message: at, node }, i) => {
          const { from, to } = messagesOf(map.facts, node)
          expect(at >= from && at < to).toBe(true)
          expect(at).toBeGreaterThanOrEqual(hits.list[i - 1]?.message ?? 0)
        })
        const context = { kept: new Set<string>(), hidden: new Set<string>(), nowMs: 0 }
        const filtered = hitsOnly
          ? filterMap(
              map,
              { ...noFilter, hits: true },
              { ...context, labelled: new Set(), hits: hits.ofMessage },
            )
          : unfilteredMap(map)
        const path = new Set([map.nodes[0]?.id ?? ''])
        const shown = hitsOnFilteredMap(map, filtered, hits, path)
        expect([shown.total, shown.notShown]).toEqual([count, 0])
        expect(shown.ofNode.reduce((sum, n) => sum + n, 0)).toBe(count)
        expect(shown.ofMessage.reduce((sum, n) => sum + n, 0)).toBe(count)
        expect(shown.inLeftBranches).toBe(count - (hits.ofNode[0] ?? 0))
        // Hits only: all that the map shows is hits.
        if (hitsOnly)
          expect(filtered.map.facts.traits).toHaveLength(hits.ofMessage.filter((n) => n > 0).length)
      }),
    )
  })

  it('that a filter leaves out are counted as not shown', () => {
    const file = lines([message('user', 'mine'), message('agent', 'yours')])
    const map = mapOf([conversation('c0', file)])
    const hits = paintHits(map, entryPositions(map), [place('c0', ['L1', 'L2'])])
    const mine = filterMap(
      map,
      { ...noFilter, mine: true },
      { kept: new Set(), hidden: new Set(), labelled: new Set(), hits: hits.ofMessage, nowMs: 0 },
    )
    const shown = hitsOnFilteredMap(map, mine, hits, new Set())
    expect([shown.total, shown.notShown, shown.list.map(({ entry }) => entry)]).toEqual([
      2,
      1,
      ['L1'],
    ])
  })

  it('of an entry that the map does not have yet are at the end of its conversation', () => {
    const file = lines([message('user', 'one'), message('agent', 'two')])
    const map = mapOf([conversation('c0', file)])
    const places = [place('c0', ['L3', 'L1']), place('nobody', ['L1'])]
    const { list } = paintHits(map, entryPositions(map), places)
    expect(list.map(({ entry, message: at }) => [entry, at])).toEqual([
      ['L1', 0],
      ['L3', 1],
    ])
  })

  it('are gone through in the order of the map, from a hit or from a node, around both ends', () => {
    const begin = [message('user', 'q'), message('agent', 'a')]
    const map = mapOf([
      conversation('c0', lines([...begin, message('user', 'one')]), { created: '2026-01-01' }),
      conversation('c1', lines([...begin, message('user', 'two'), message('agent', 'b')]), {
        created: '2026-01-02',
      }),
    ])
    const { list } = paintHits(map, entryPositions(map), [
      place('c1', ['L4', 'L3']),
      place('c0', ['L2']),
    ])
    expect(list.map(({ entry, node }) => [entry, node])).toEqual([
      ['L2', 0],
      ['L3', 2],
      ['L4', 2],
    ])
    const from = (at: number | undefined, node: number, step: 1 | -1) =>
      nextHit(list, { hit: list[at ?? -1], node }, step)?.entry
    expect([0, 1, 2].map((at) => from(at, 0, 1))).toEqual(['L3', 'L4', 'L2'])
    expect([0, 1, 2].map((at) => from(at, 0, -1))).toEqual(['L4', 'L2', 'L3'])
    expect([0, 1, 2].map((node) => from(undefined, node, 1))).toEqual(['L2', 'L3', 'L3'])
    expect([0, 1, 2].map((node) => from(undefined, node, -1))).toEqual(['L2', 'L2', 'L4'])
    expect(nextHit([], { hit: undefined, node: 0 }, 1)).toBe(undefined)
    expect(
      sameHit(
        list.map((hit) => ({ ...hit })),
        list[1],
      ),
    ).toEqual(list[1])
    expect(sameHit([], list[1])).toBe(undefined)
  })
})
