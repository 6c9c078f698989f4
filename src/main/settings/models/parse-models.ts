import { z } from 'zod'
import { hasControls } from '../../../shared/model/basics/visible'
import type { ModelInfo, ModelPrice } from '../../../shared/model/settings/model-info'

// The longest known list has some thousands; the rest of a list without an end is left out.
const mostModels = 20_000
const mostWords = 64

const Count = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const Id = z
  .string()
  .trim()
  .min(1)
  .max(512)
  // No model's id has one; a request cannot carry a control, and a mark of direction would pass one id for another.
  .refine((id) => !hasControls(id))
const Name = z.string().trim().min(1).max(256)
const Words = z
  .array(z.string().max(64))
  .transform((words) => words.slice(0, mostWords))
  .optional()
  .catch(undefined)
const Listed = z.record(z.string(), z.unknown())

/**
 * Parses the answer to `GET <base>/models`; undefined where it is no list of models.
 *
 * Takes OpenAI's and OpenRouter's `{data: [...]}`, Ollama's and llama.cpp's `{models: [...]}` and a bare array.
 * Fields other than the id may be missing or wrong, which costs only themselves. Entries without an id and repeated
 * ones are left out, and everything after 20,000.
 */
export function parseModels(json: unknown): readonly ModelInfo[] | undefined {
  const entries = entriesIn(json)
  if (entries === undefined) return undefined
  const found = new Map<string, ModelInfo>()
  for (const entry of entries) {
    const model = modelIn(entry)
    if (model !== undefined && !found.has(model.id)) found.set(model.id, model)
    if (found.size === mostModels) break
  }
  // A list of other things is no list of models. An empty one is, under OpenAI's name: a server that has loaded none.
  const isNone = entries.length === 0 && entries === Listed.safeParse(json).data?.data
  return found.size > 0 || isNone ? [...found.values()] : undefined
}

function entriesIn(json: unknown): readonly unknown[] | undefined {
  if (Array.isArray(json)) return json
  const whole = Listed.safeParse(json).data
  return [whole?.data, whole?.models].find((list) => Array.isArray(list)) as
    | readonly unknown[] // An array, by isArray.
    | undefined
}

function modelIn(entry: unknown): ModelInfo | undefined {
  const fields = Listed.safeParse(entry).data
  const id = first(Id, fields?.id, fields?.model, fields?.name)
  if (fields === undefined || id === undefined) return undefined
  const alias = first(Id, fields.canonical_slug)
  const name = first(Name, fields.name, fields.display_name)
  const contextLength = contextIn(fields)
  const price = priceIn(fields.pricing)
  const inputs = Words.parse(Listed.safeParse(fields.architecture).data?.input_modalities)
  const parameters = Words.parse(fields.supported_parameters)
  return {
    id,
    ...(alias === undefined || alias === id ? {} : { alias }),
    ...(name === undefined || name === id ? {} : { name }),
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(price === undefined ? {} : { price }),
    ...(inputs === undefined ? {} : { inputs }),
    ...(parameters === undefined ? {} : { parameters }),
  }
}

/** OpenRouter's name; then LM Studio's and Mistral's, vLLM's, Groq's, and llama.cpp's. */
function contextIn(fields: Readonly<Record<string, unknown>>): number | undefined {
  const meta = Listed.safeParse(fields.meta).data
  return first(
    Count,
    fields.context_length,
    fields.max_context_length,
    fields.max_model_len,
    fields.context_window,
    meta?.n_ctx,
    meta?.n_ctx_train,
  )
}

/**
 * OpenRouter's prices: US dollars a token, as text. -1 means "it depends", which is no price.
 *
 * Only a pair under its names is taken: others count per million, or in other money, and do not say so.
 */
function priceIn(pricing: unknown): ModelPrice | undefined {
  const prices = Listed.safeParse(pricing).data
  const input = dollars(prices?.prompt)
  const output = dollars(prices?.completion)
  if (input === undefined || output === undefined) return undefined
  const cached = dollars(prices?.input_cache_read)
  return { input, output, ...(cached === undefined ? {} : { cached }) }
}

function dollars(value: unknown): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === ''))
    return undefined
  const price = Number(value)
  return Number.isFinite(price) && price >= 0 ? price : undefined
}

/** The first value that is what it should be. */
function first<T>(schema: z.ZodType<T>, ...values: readonly unknown[]): T | undefined {
  for (const value of values) {
    if (value === undefined || value === null) continue
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
  }
  return undefined
}
