import { z } from 'zod'
import type { FinishReason, ProviderEvent, Usage } from './provider'

/** What one piece of JSON from a provider holds. */
export type Chunk =
  | { readonly type: 'events'; readonly events: readonly ProviderEvent[] }
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'garbled' }

/** Mistral sends content as parts. */
const Text = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().optional() }))
    .transform((parts) => parts.map((part) => part.text ?? '').join('')),
])

const Said = z.looseObject({
  content: Text.nullish(),
  refusal: z.string().nullish(),
  /** OpenRouter's name; DeepSeek, vLLM and llama.cpp say `reasoning_content`. */
  reasoning: z.string().nullish(),
  reasoning_content: z.string().nullish(),
})

const TokenCount = z.number().nonnegative().nullish().catch(undefined)

const UsageJson = z.looseObject({
  prompt_tokens: TokenCount,
  completion_tokens: TokenCount,
  cost: TokenCount,
  prompt_tokens_details: z.looseObject({ cached_tokens: TokenCount }).nullish().catch(undefined),
  completion_tokens_details: z
    .looseObject({ reasoning_tokens: TokenCount })
    .nullish()
    .catch(undefined),
})

/** A `chat.completion.chunk`, or a whole `chat.completion` from a server that does not stream. */
const CompletionJson = z.looseObject({
  error: z.unknown().optional(),
  model: z.string().nullish().catch(undefined),
  choices: z
    .array(
      z.looseObject({
        index: z.number().nullish(),
        delta: Said.nullish(),
        message: Said.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: UsageJson.nullish().catch(undefined),
})

/**
 * Reads one piece of a provider's answer. Objects without `choices` hold no text and give no events: proxies
 * send pings and filter results between the chunks.
 */
export function parseChunk(json: string): Chunk {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return { type: 'garbled' }
  }
  const parsed = CompletionJson.safeParse(value)
  if (!parsed.success) return { type: 'garbled' }
  const { error, model, choices, usage } = parsed.data
  if (error !== undefined && error !== null) return { type: 'error', error }

  const events: ProviderEvent[] = []
  if (model) events.push({ type: 'model', model })
  for (const choice of choices ?? []) {
    if ((choice.index ?? 0) !== 0) continue // One answer is asked for.
    const said = choice.delta ?? choice.message
    const reasoning = said?.reasoning || said?.reasoning_content
    if (reasoning) events.push({ type: 'reasoning', text: reasoning })
    const content = said?.content || said?.refusal
    if (content) events.push({ type: 'content', text: content })
    // OpenRouter's sign that the model behind it failed; the words stand in `error`, or nowhere.
    if (choice.finish_reason === 'error')
      return { type: 'error', error: { message: 'The model ended its answer with an error.' } }
    if (choice.finish_reason)
      events.push({ type: 'finish', reason: finishReason(choice.finish_reason) })
  }
  if (usage) events.push({ type: 'usage', usage: usageOf(usage) })
  return { type: 'events', events }
}

function finishReason(told: string): FinishReason {
  switch (told) {
    case 'stop':
    case 'eos':
    case 'end_turn':
      return 'stop'
    case 'length':
    case 'max_tokens':
      return 'length'
    case 'content_filter':
      return 'filtered'
    case 'tool_calls':
    case 'function_call':
      return 'tool-calls'
    default:
      return 'other'
  }
}

function usageOf(usage: z.output<typeof UsageJson>): Usage {
  const counts = {
    input: usage.prompt_tokens,
    output: usage.completion_tokens,
    reasoning: usage.completion_tokens_details?.reasoning_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens,
    cost: usage.cost,
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === 'number'))
}
