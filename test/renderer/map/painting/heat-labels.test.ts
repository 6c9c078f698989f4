import { expect, it } from 'vitest'
import { heatRange } from '../../../../src/renderer/map/painting/heat-labels'
import type { HeatKind } from '../../../../src/shared/model/map/heat'

const nowMs = new Date(2026, 10, 28, 15, 0).getTime()
const hourMs = 3_600_000

function range(kind: HeatKind, values: readonly number[]): string {
  const known = values.length > 0
  const heat = {
    kind,
    values: Float64Array.from(values),
    steps: new Uint8Array(values.length),
    least: known ? 0 : undefined,
    most: known ? values.length - 1 : undefined,
  }
  return heatRange(heat, nowMs)
}

it('says the range of a heat in words: amounts, days where it is more than one, and that nothing is recorded', () => {
  expect(range('cost', [0.02, 1.37])).toBe('Cost: $0.02 to $1.37')
  expect(range('tokens', [900, 31_700])).toBe('Tokens: 900 to 31.7k')
  expect(range('failures', [0, 9])).toBe('Failed tools: 0 to 9')
  expect(range('failures', [2, 2])).toBe('Failed tools: 2')
  expect(range('cost', [])).toBe('Cost: not recorded')
  const days = range('age', [nowMs - 8 * 24 * hourMs, nowMs])
  expect(days).toMatch(/^Age: .*20.* to .*28/)
  expect(range('age', [nowMs - hourMs, nowMs])).not.toBe(range('age', [nowMs, nowMs]))
})
