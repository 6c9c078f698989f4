import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { Fields } from '../common/drafts'

/** Ten thousand million of them are a dollar. */
const ticksOfDollar = 1e10

/** Converts the usage of a turn to metadata: what was read from the cache is part of what was sent. The cost only where it is all of it. */
export function grokUsage(usage: unknown): Fields {
  if (!isJsonObject(usage)) return {}
  const count = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0)
  const { costUsdTicks: ticks, usageIsIncomplete, costIsPartial } = usage
  const isWhole = usageIsIncomplete !== true && costIsPartial !== true
  const found = {
    input: count(usage.inputTokens),
    output: count(usage.outputTokens),
    cached: count(usage.cachedReadTokens),
    reasoning: count(usage.reasoningTokens),
  }
  if (found.input + found.output === 0) return {}
  const cost = isWhole && count(ticks) > 0 ? { cost: count(ticks) / ticksOfDollar } : {}
  return { usage: { ...found, ...cost } }
}
