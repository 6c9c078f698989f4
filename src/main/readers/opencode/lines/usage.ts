import type { JsonObject } from '../../../../shared/model/basics/json-object'
import type { AnswerUsage } from '../../../../shared/model/run/usage'
import { countAt, objectAt } from './fields'

/**
 * Reads tokens and cost of an answer; undefined where all are zero, as while it runs. OpenCode counts what came from the
 * provider's cache beside `input`; `reasoning` is beside `output` in builds that give a total, and in version 2.
 */
export function answerUsage(data: JsonObject, version: 1 | 2): AnswerUsage | undefined {
  const tokens = objectAt(data, 'tokens')
  const cache = objectAt(tokens, 'cache')
  const read = countAt(cache, 'read') ?? 0
  const sent = (countAt(tokens, 'input') ?? 0) + read + (countAt(cache, 'write') ?? 0)
  const written = countAt(tokens, 'output') ?? 0
  const reasoning = countAt(tokens, 'reasoning') ?? 0
  const isApart = version === 2 || countAt(tokens, 'total') !== undefined
  const cost = countAt(data, 'cost')
  if (sent + written + reasoning === 0)
    return cost === undefined || cost === 0 ? undefined : { cost }
  return {
    input: sent,
    output: written + (isApart ? reasoning : 0),
    ...(read === 0 ? {} : { cached: read }),
    ...(reasoning === 0 ? {} : { reasoning }),
    ...(cost === undefined ? {} : { cost }),
  }
}

/** Adds up tokens and cost of steps; they are the answer's where its own are missing. */
export function stepsTotal(steps: readonly JsonObject[]): JsonObject {
  const sum = (read: (tokens: JsonObject) => number | undefined) =>
    steps.reduce((total, step) => total + (read(objectAt(step, 'tokens')) ?? 0), 0)
  const cache = (key: string) => sum((tokens) => countAt(objectAt(tokens, 'cache'), key))
  const isTotal = steps.some((step) => countAt(objectAt(step, 'tokens'), 'total') !== undefined)
  return {
    cost: steps.reduce((total, step) => total + (countAt(step, 'cost') ?? 0), 0),
    tokens: {
      ...(isTotal ? { total: sum((tokens) => countAt(tokens, 'total')) } : {}),
      input: sum((tokens) => countAt(tokens, 'input')),
      output: sum((tokens) => countAt(tokens, 'output')),
      reasoning: sum((tokens) => countAt(tokens, 'reasoning')),
      cache: { read: cache('read'), write: cache('write') },
    },
  }
}
