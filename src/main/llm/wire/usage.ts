import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { Usage } from '../chat/provider'
import { countOf, objectOf, toList } from './json-fields'

/**
 * Reads the token counts of one piece of an answer, wherever they are: at its top, in `x_groq`, in a choice or its
 * message; under OpenAI's names or Anthropic's, DeepSeek's cache hits too. Undefined where it has none.
 */
export function usageIn(piece: JsonObject): Usage | undefined {
  const choice = objectOf(toList(piece.choices)[0])
  const places = [
    piece.usage,
    objectOf(piece.x_groq)?.usage,
    choice?.usage,
    objectOf(choice?.delta)?.usage,
    objectOf(choice?.message)?.usage,
  ]
  for (const place of places) {
    const fields = objectOf(place)
    const usage = fields === undefined ? {} : usageOf(fields)
    if (Object.keys(usage).length > 0) return usage
  }
  return undefined
}

function usageOf(fields: JsonObject): Usage {
  const sent = objectOf(fields.prompt_tokens_details) ?? objectOf(fields.input_tokens_details)
  const written =
    objectOf(fields.completion_tokens_details) ?? objectOf(fields.output_tokens_details)
  const counts = {
    input: countOf(fields.prompt_tokens) ?? anthropicInput(fields),
    output: countOf(fields.completion_tokens) ?? countOf(fields.output_tokens),
    reasoning: countOf(written?.reasoning_tokens) ?? countOf(fields.reasoning_tokens),
    cached:
      countOf(sent?.cached_tokens) ??
      countOf(fields.prompt_cache_hit_tokens) ??
      countOf(fields.cache_read_input_tokens) ??
      countOf(fields.cached_tokens),
    cost: countOf(fields.cost) ?? countOf(fields.total_cost),
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined))
}

/** Anthropic counts apart what it read from its cache and what it wrote to it; OpenAI's Responses API does not. */
function anthropicInput(fields: JsonObject): number | undefined {
  const plain = countOf(fields.input_tokens)
  if (plain === undefined) return undefined
  const read = countOf(fields.cache_read_input_tokens) ?? 0
  return plain + read + (countOf(fields.cache_creation_input_tokens) ?? 0)
}
