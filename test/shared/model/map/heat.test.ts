import { describe, expect, it } from 'vitest'
import { outlineOf } from '../../../../src/shared/model/family/outline'
import { sumFacts } from '../../../../src/shared/model/map/fact-sums'
import type { FamilyMap } from '../../../../src/shared/model/map/family-map'
import { heatKinds, heatOf } from '../../../../src/shared/model/map/heat'
import { familyMapOf } from '../../../../src/shared/model/map/make-family-map'
import { conversation, key, lines, message } from '../../../support/outlined'

const nowS = Date.UTC(2026, 0, 10) / 1000

/** One root and a branch for each amount: what it cost, its tokens, its failed tools, and how many hours ago it was. */
function mapOf(branches: readonly (readonly [number, number, number, number])[]): FamilyMap {
  const begin = [message('user', 'q'), message('agent', 'a')]
  const files = branches.map(([cost, tokens, failures, hours], n) =>
    lines([
      ...begin,
      message('user', `branch ${n}`, { timestamp: nowS - hours * 3600 }),
      message('agent', 'says', { metadata: { usage: { input: tokens, output: 0, cost } } }),
      message('agent', '{}', { entry_type: 'tool_call', role: undefined, to: 'bash' }),
      ...Array.from({ length: failures }, () =>
        message('agent', 'no', {
          entry_type: 'tool_result',
          role: undefined,
          metadata: { is_error: true },
        }),
      ),
    ]),
  )
  const map = familyMapOf(
    files.map((entries, n) =>
      outlineOf(conversation(`c${n}`, entries, { created: new Date(n * 1000).toISOString() })),
    ),
    { source: 'cycod', key: key('c0') },
  )
  if (map === null) throw new Error('no map')
  return map
}

const each = ({ nodes }: FamilyMap) => nodes.map((_, i) => [i])

describe('the heat of a map', () => {
  const map = mapOf([
    [0.01, 100, 0, 240],
    [0.1, 1000, 1, 24],
    [1, 10_000, 4, 3],
    [10, 100_000, 9, 1],
  ])

  it('has by node what the card and the statistics add up, and nothing where nobody says it', () => {
    for (const kind of heatKinds) {
      const { values } = heatOf(map.facts, each(map), kind, nowS * 1000)
      const wanted = map.nodes.map((_, i) => {
        const { cost, tokens, failures, calls, lastMs } = sumFacts(map.facts, [i])
        const said = {
          cost,
          tokens: tokens || undefined,
          failures: calls + failures === 0 ? undefined : failures,
          age: lastMs,
        }
        return said[kind] ?? Number.NaN
      })
      expect([...values]).toEqual(wanted)
      // The root has neither a time, nor an answer with a price, nor a tool.
      expect(values[0]).toBeNaN()
    }
  })

  it('goes in four steps from the least to the most, and names both', () => {
    const cost = heatOf(map.facts, each(map), 'cost', nowS * 1000)
    expect([...cost.steps]).toEqual([0, 1, 2, 3, 4])
    expect([cost.least, cost.most]).toEqual([1, 4])
    const failures = heatOf(map.facts, each(map), 'failures', nowS * 1000)
    // No failure has no colour, and is the least.
    expect([...failures.steps]).toEqual([0, 0, 1, 3, 4])
    expect([failures.least, failures.most]).toEqual([1, 4])
    const age = heatOf(map.facts, each(map), 'age', nowS * 1000)
    // The newest is the hottest.
    expect([age.steps[1], age.steps[4]]).toEqual([1, 4])
    expect([age.least, age.most]).toEqual([1, 4])
  })

  it('of stretches that stand for several nodes is that of all of them', () => {
    const all = heatOf(map.facts, [[0], [1, 2, 3, 4]], 'tokens', nowS * 1000)
    expect([...all.values].slice(1)).toEqual([111_100])
    expect([...all.steps]).toEqual([0, 4])
  })

  it('has no extremes where no node has a value', () => {
    const none = heatOf(map.facts, [[0]], 'cost', nowS * 1000)
    expect([none.least, none.most, [...none.steps]]).toEqual([undefined, undefined, [0]])
  })
})
