import { z } from 'zod'
import type { CallPiece } from './call-pieces'
import type { FinishReason, ProviderEvent, Usage } from './provider'

/** What a chunk tells: calls come in pieces here. */
export type ChunkEvent =
  | Exclude<ProviderEvent, { type: 'calls' }>
  | { readonly type: 'call-pieces'; readonly pieces: readonly CallPiece[] }

/** What one piece of JSON from a provider holds. */
export type Chunk =
  | { readonly type: 'events'; readonly events: readonly ChunkEvent[] }
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'garbled' }

/** Mistral sends content as parts. */
const Text = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().optional() }))
    .transform((parts) => parts.map((part) => part.text ?? '').join('')),
])

const FunctionJson = z.looseObject({
  name: z.string().nullish().catch(undefined),
  arguments: z.unknown().optional(),
})

const CallJson = z.looseObject({
  index: z.number().nullish().catch(undefined),
  id: z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .catch(undefined),
  function: FunctionJson.nullish().catch(undefined),
})

const Said = z.looseObject({
  content: Text.nullish(),
  refusal: z.string().nullish(),
  /** OpenRouter's name; DeepSeek, vLLM and llama.cpp say `reasoning_content`. */
  reasoning: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z.array(CallJson.nullable().catch(null)).nullish().catch(undefined),
  /** OpenAI's form before there were several at once. */
  function_call: FunctionJson.nullish().catch(undefined),
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

  const events: ChunkEvent[] = []
  if (model) events.push({ type: 'model', model })
  for (const choice of choices ?? []) {
    if ((choice.index ?? 0) !== 0) continue // One answer is asked for.
    const said = choice.delta ?? choice.message
    const reasoning = said?.reasoning || said?.reasoning_content
    if (reasoning) events.push({ type: 'reasoning', text: reasoning })
    const content = said?.content || said?.refusal
    if (content) events.push({ type: 'content', text: content })
    const pieces = callPieces(said)
    if (pieces.length > 0) events.push({ type: 'call-pieces', pieces })
    // OpenRouter's sign that the model behind it failed; the words stand in `error`, or nowhere.
    if (choice.finish_reason === 'error')
      return { type: 'error', error: { message: 'The model ended its answer with an error.' } }
    if (choice.finish_reason)
      events.push({ type: 'finish', reason: finishReason(choice.finish_reason) })
  }
  if (usage) events.push({ type: 'usage', usage: usageOf(usage) })
  return { type: 'events', events }
}

function callPieces(said: z.output<typeof Said> | null | undefined): readonly CallPiece[] {
  const calls = (said?.tool_calls ?? []).filter((call) => call !== null)
  if (said?.function_call) calls.push({ index: 0, function: said.function_call })
  return calls.map(({ index, id, function: asked }) => ({
    ...(typeof index === 'number' ? { index } : {}),
    id: id ?? '',
    name: asked?.name ?? '',
    arguments: argumentsText(asked?.arguments),
  }))
}

/** Arguments come as JSON in a string; some servers send the object itself. */
function argumentsText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
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
