import { isJsonObject } from '../../../../shared/model/basics/json-object'
import type { AnswerUsage } from '../../../../shared/model/run/usage'

/**
 * Reads an answer's tokens as its provider names them; undefined where it names none. Providers name the same counts
 * differently. Those of a cache are among the ones sent, and those of thoughts among the ones written.
 */
export function providerUsage(given: unknown): AnswerUsage | undefined {
  if (!isJsonObject(given)) return undefined
  const input = countIn(given.input_tokens, given.prompt_tokens, given.prompt_eval_count)
  const output = countIn(given.output_tokens, given.completion_tokens, given.eval_count)
  if (input === undefined && output === undefined) return undefined
  const sent = [given.input_tokens_details, given.prompt_tokens_details]
  const written = [given.output_tokens_details, given.completion_tokens_details]
  const cached = countIn(...membersOf('cached_tokens', sent))
  const reasoning = countIn(...membersOf('reasoning_tokens', written))
  const cost = countIn(given.cost)
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(cached === undefined ? {} : { cached }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(cost === undefined ? {} : { cost }),
  }
}

function membersOf(name: string, values: readonly unknown[]): readonly unknown[] {
  return values.map((one) => (isJsonObject(one) ? one[name] : undefined))
}

function countIn(...counts: readonly unknown[]): number | undefined {
  return counts.find((one): one is number => typeof one === 'number' && one >= 0)
}
