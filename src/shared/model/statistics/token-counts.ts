import { z } from 'zod'

const Count = z.number().nonnegative()

/** Numbers of tokens. */
export const TokenCounts = z.object({
  /** All that was sent, cached or not. */
  input: Count,
  cached: Count,
  /** All that was answered, reasoning included. */
  output: Count,
  reasoning: Count,
  total: Count,
})
export type TokenCounts = Readonly<z.infer<typeof TokenCounts>>

/** No tokens. */
export const noTokens: TokenCounts = { input: 0, cached: 0, output: 0, reasoning: 0, total: 0 }

const Told = Count.optional().catch(undefined)
const Details = z
  .object({ cached_tokens: Told, reasoning_tokens: Told })
  .optional()
  .catch(undefined)

/** Fields that `metadata.usage` is known to hold: our own names, and those of OpenAI's two interfaces. */
const Usage = z.object({
  input: Told,
  cached: Told,
  output: Told,
  reasoning: Told,
  total: Told,
  cost: Told,
  prompt_tokens: Told,
  completion_tokens: Told,
  input_tokens: Told,
  output_tokens: Told,
  total_tokens: Told,
  prompt_tokens_details: Details,
  completion_tokens_details: Details,
  input_tokens_details: Details,
  output_tokens_details: Details,
})

/** Reads `metadata.usage`; undefined where it is no record. `cost` is null where the record names none. */
export function readUsage(
  record: unknown,
): { readonly tokens: TokenCounts; readonly cost: number | null } | undefined {
  const usage = Usage.safeParse(record).data
  if (usage === undefined) return undefined
  const input = usage.input ?? usage.prompt_tokens ?? usage.input_tokens ?? 0
  const output = usage.output ?? usage.completion_tokens ?? usage.output_tokens ?? 0
  const sent = usage.prompt_tokens_details ?? usage.input_tokens_details
  const answered = usage.completion_tokens_details ?? usage.output_tokens_details
  const tokens = {
    input,
    cached: usage.cached ?? sent?.cached_tokens ?? 0,
    output,
    reasoning: usage.reasoning ?? answered?.reasoning_tokens ?? 0,
    total: usage.total ?? usage.total_tokens ?? input + output,
  }
  return { tokens, cost: usage.cost ?? null }
}

/** Adds token counts. */
export function addTokens(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    input: a.input + b.input,
    cached: a.cached + b.cached,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    total: a.total + b.total,
  }
}

/** Adds costs; null is none known. */
export function addCosts(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b
}

/** Rounds a sum of prices: 0.1 and 0.2 are 0.30000000000000004, decimals that no price has. */
export function roundPrice(cost: number | null): number | null {
  return cost === null ? null : Number(cost.toFixed(9))
}
