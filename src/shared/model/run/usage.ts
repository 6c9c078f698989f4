import { z } from 'zod'
import { replyGrowth } from '../basics/reply-growth'
import { type Entry, isCallUser, speakerOf } from '../conversation/entry'
import { contextOrigin } from '../family/family'
import { ModelPrice } from '../settings/model-info'

const Count = z.number().nonnegative()

/** Tokens and cost of an answer, as its entry keeps them. */
export const AnswerUsage = z.object({
  /** Tokens that were sent, those from the provider's cache among them. */
  input: Count.optional(),
  /** Tokens that were written, reasoning among them. */
  output: Count.optional(),
  cached: Count.optional(),
  reasoning: Count.optional(),
  /** Only where the provider gave nothing but the sum of both. */
  total: Count.optional(),
  /** In US dollars, as the provider gave it. */
  cost: Count.optional(),
})
export type AnswerUsage = z.infer<typeof AnswerUsage>

/** Tokens and cost of several answers. Every number is a sum over the answers that have it. */
export const UsageSum = z.object({
  answers: z.int(),
  /** Answers whose provider gave token counts. */
  told: z.int(),
  input: Count,
  output: Count,
  cached: Count,
  reasoning: Count,
  /** In US dollars: as providers gave it. */
  cost: Count,
  /** Answers whose provider gave a cost. */
  priced: z.int(),
  /** In US dollars: tokens times the list price, for answers with token counts and no cost. */
  estimate: Count,
  estimated: z.int(),
})
export type UsageSum = z.infer<typeof UsageSum>

/** Tokens and cost of a conversation. */
export const ConversationUsage = z.object({
  /** Usage of what was answered in it. */
  own: UsageSum,
  /** Usage that it took over when it began as a branch: asked and paid in another conversation. */
  inherited: UsageSum,
})
export type ConversationUsage = z.infer<typeof ConversationUsage>

/** A price on a list, and the address whose list it is. */
export const Priced = z.object({ price: ModelPrice, baseUrl: z.string() })
export type Priced = z.infer<typeof Priced>

/** An answer of a conversation, as far as its cost goes. */
export interface CostedAnswer {
  readonly model: string | undefined
  readonly usage: AnswerUsage | undefined
  readonly isInherited: boolean
  /** A further record of an answer that came before: only its tokens are more. */
  readonly isMore?: true
}

/**
 * Reads tokens and cost of an entry, under Skein's names, OpenAI's or Anthropic's. Values that are no number, or
 * negative, are passed over; undefined where nothing is left.
 */
export function entryUsage(entry: Pick<Entry, 'metadata'>): AnswerUsage | undefined {
  const told = Fields.safeParse(entry.metadata?.usage).data
  if (told === undefined) return undefined
  const input = number(told, 'input', 'prompt_tokens') ?? anthropicInput(told)
  const output = number(told, 'output', 'completion_tokens', 'output_tokens')
  const found = {
    input,
    output,
    cached:
      number(told, 'cached', 'cache_read_input_tokens') ??
      number(told.prompt_tokens_details, 'cached_tokens'),
    reasoning:
      number(told, 'reasoning') ?? number(told.completion_tokens_details, 'reasoning_tokens'),
    total: input === undefined && output === undefined ? number(told, 'total_tokens') : undefined,
    cost: number(told, 'cost'),
  }
  const there = Object.entries(found).filter(([, value]) => value !== undefined)
  return there.length === 0 ? undefined : AnswerUsage.parse(Object.fromEntries(there))
}

/** Returns the model that an entry names; undefined where it names none. */
export function entryModel(entry: Pick<Entry, 'metadata'>): string | undefined {
  const model = entry.metadata?.model
  return typeof model === 'string' && model !== '' ? model : undefined
}

/** Computes what an answer costs at a list price, in US dollars; undefined unless both token counts are known. */
export function estimateCost(usage: AnswerUsage, price: ModelPrice): number | undefined {
  const { input, output, cached = 0 } = usage
  if (input === undefined || output === undefined) return undefined
  const fromCache = Math.min(cached, input)
  return (
    (input - fromCache) * price.input +
    fromCache * (price.cached ?? price.input) +
    output * price.output
  )
}

/**
 * Returns a function that takes the entries of a transcript in file order and picks the answers.
 *
 * An answer is a model's message, or a call in its place, by its metadata. A record that is repeated, by chibi
 * behind a compaction or by a file that was copied, counts once. What a branch began with is marked as inherited.
 */
export function answerFollower(): (entry: Entry) => CostedAnswer | undefined {
  const seen = new Set<string>()
  const replies = new Set<unknown>()
  const grown = replyGrowth<AnswerUsage>()
  let copies = 0
  /** An answer with its model or usage came: calls after it are a part of it, until somebody else speaks. */
  let isTold = false
  return (entry) => {
    const isCopy = copies > 0 || entry.inherited === true
    if (copies > 0) copies--
    copies = contextOrigin(entry)?.entries ?? copies
    const usage = entryUsage(entry)
    const speaker = speakerOf(entry)
    const isPart = isTold && usage === undefined && isCallUser(entry)
    const isAnswer = (speaker === 'agent' && !isPart) || (usage !== undefined && isCall(entry))
    if (usage !== undefined || entryModel(entry) !== undefined) isTold = true
    else if (speaker === 'user' || isAnswer) isTold = false
    if (!isAnswer) return undefined
    const { content, id, metadata } = entry
    const record = usage === undefined ? id : metadata?.usage
    const key = JSON.stringify([record, content.length, content.slice(0, 200)])
    if (seen.has(key)) return undefined
    seen.add(key)
    const model = entryModel(entry)
    const reply = metadata?.reply
    if (usage === undefined || typeof reply !== 'string')
      return { model, usage, isInherited: isCopy }
    const isMore = replies.has(reply) ? { isMore: true as const } : {}
    replies.add(reply)
    return { model, usage: grown(reply, usage), isInherited: isCopy, ...isMore }
  }
}

/** Sums answers; those without a cost from the provider by the list price of their model, where there is one. */
export function sumUsage(
  answers: readonly CostedAnswer[],
  prices: ReadonlyMap<string, Priced>,
): ConversationUsage {
  const sum = (isInherited: boolean) =>
    answers
      .filter((answer) => answer.isInherited === isInherited)
      .reduce((total, answer) => added(total, answer, prices.get(answer.model ?? '')), nothing)
  return { own: sum(false), inherited: sum(true) }
}

const nothing: UsageSum = {
  answers: 0,
  told: 0,
  input: 0,
  output: 0,
  cached: 0,
  reasoning: 0,
  cost: 0,
  priced: 0,
  estimate: 0,
  estimated: 0,
}

function added(
  sum: UsageSum,
  { usage, isMore }: CostedAnswer,
  priced: Priced | undefined,
): UsageSum {
  const one = isMore === true ? 0 : 1
  if (usage === undefined) return { ...sum, answers: sum.answers + one }
  const { input = 0, output = 0, cached = 0, reasoning = 0, cost } = usage
  const guess =
    cost === undefined && priced !== undefined ? estimateCost(usage, priced.price) : undefined
  const isTold = usage.input !== undefined || usage.output !== undefined
  return {
    answers: sum.answers + one,
    told: sum.told + (isTold ? one : 0),
    input: sum.input + input,
    output: sum.output + output,
    cached: sum.cached + cached,
    reasoning: sum.reasoning + reasoning,
    cost: sum.cost + (cost ?? 0),
    priced: sum.priced + (cost === undefined ? 0 : one),
    estimate: sum.estimate + (guess ?? 0),
    estimated: sum.estimated + (guess === undefined ? 0 : one),
  }
}

const Fields = z.record(z.string(), z.unknown())

function number(fields: unknown, ...names: readonly string[]): number | undefined {
  const told = Fields.safeParse(fields).data
  return names.map((name) => told?.[name]).find(isCount)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/** Anthropic counts apart what it read from its cache and what it wrote to it. */
function anthropicInput(told: Readonly<Record<string, unknown>>): number | undefined {
  const plain = number(told, 'input_tokens')
  if (plain === undefined) return undefined
  const read = number(told, 'cache_read_input_tokens') ?? 0
  return plain + read + (number(told, 'cache_creation_input_tokens') ?? 0)
}

function isCall({ entry_type }: Entry): boolean {
  return entry_type === 'tool_call' || entry_type === 'flow_control_call'
}
