import { z } from 'zod'
import type { Entry } from '../../shared/model/conversation/entry'

interface TokenCounts {
  /** All that was sent, cached or not. */
  readonly input: number
  readonly cached: number
  /** All that was answered, reasoning included. */
  readonly output: number
  readonly reasoning: number
  readonly total: number
}

/** Tokens and cost of conversations. */
export interface TokenNumbers {
  readonly tokens: TokenCounts & { readonly byModel: Readonly<Record<string, TokenCounts>> }
  /** In the provider's currency; null where no record names one. */
  readonly cost: number | null
}

const Count = z.number().nonnegative().optional().catch(undefined)
const Details = z
  .object({ cached_tokens: Count, reasoning_tokens: Count })
  .optional()
  .catch(undefined)

/** What `metadata.usage` is known to hold: our own names, and those of OpenAI's two interfaces. */
const Usage = z.object({
  input: Count,
  cached: Count,
  output: Count,
  reasoning: Count,
  total: Count,
  cost: Count,
  prompt_tokens: Count,
  completion_tokens: Count,
  input_tokens: Count,
  output_tokens: Count,
  total_tokens: Count,
  prompt_tokens_details: Details,
  completion_tokens_details: Details,
  input_tokens_details: Details,
  output_tokens_details: Details,
})

const none: TokenCounts = { input: 0, cached: 0, output: 0, reasoning: 0, total: 0 }

/** Adds up what the entries of conversations say was used. Entries of one source line tell the same record: it counts once. */
export function tokenNumbers(conversations: readonly (readonly Entry[])[]): TokenNumbers {
  let tokens = none
  let cost: number | null = null
  const byModel = new Map<string, TokenCounts>()
  for (const entries of conversations) {
    const seen = new Set<string>()
    for (const { metadata, file, offset } of entries) {
      if (metadata?.usage === undefined) continue
      const record = `${file}:${offset} ${JSON.stringify(metadata.usage)}`
      const usage = Usage.safeParse(metadata.usage).data
      if (usage === undefined || seen.has(record)) continue
      seen.add(record)
      const used = countsOf(usage)
      const model = typeof metadata.model === 'string' ? metadata.model : 'unknown'
      tokens = plus(tokens, used)
      byModel.set(model, plus(byModel.get(model) ?? none, used))
      if (usage.cost !== undefined) cost = (cost ?? 0) + usage.cost
    }
  }
  // A sum of prices has decimals that no price has: 0.1 and 0.2 are 0.30000000000000004.
  const rounded = cost === null ? null : Number(cost.toFixed(9))
  return { tokens: { ...tokens, byModel: Object.fromEntries(byModel) }, cost: rounded }
}

function countsOf(usage: z.infer<typeof Usage>): TokenCounts {
  const input = usage.input ?? usage.prompt_tokens ?? usage.input_tokens ?? 0
  const output = usage.output ?? usage.completion_tokens ?? usage.output_tokens ?? 0
  const sent = usage.prompt_tokens_details ?? usage.input_tokens_details
  const answered = usage.completion_tokens_details ?? usage.output_tokens_details
  return {
    input,
    cached: usage.cached ?? sent?.cached_tokens ?? 0,
    output,
    reasoning: usage.reasoning ?? answered?.reasoning_tokens ?? 0,
    total: usage.total ?? usage.total_tokens ?? input + output,
  }
}

function plus(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    input: a.input + b.input,
    cached: a.cached + b.cached,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    total: a.total + b.total,
  }
}
