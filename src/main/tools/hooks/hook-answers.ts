import { z } from 'zod'
import { isDeeperThan } from '../../../shared/model/basics/json-depth'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { wellFormed } from '../../../shared/model/basics/well-formed'
import type { HookAnswer, HookPoint } from './hooks'

/** JSON.stringify and the checks of a schema fail at some thousands; no plugin that means well comes near. */
const deepest = 200

const Text = z.string().transform(wellFormed)
const Names = z.array(z.string()).max(10_000)
const Fields = z
  .record(z.string(), z.unknown())
  .refine((fields) => !isDeeperThan(fields, deepest), 'is nested too deeply')
const FlowTool = z.enum(['call_user', 'call_agent'])

/** The answers that each point takes, key by key, in chibi's names. A point that is missing takes none. */
const answerSchemas = {
  pre_message: { prompt: Text },
  pre_tool: { arguments: Fields, block: z.boolean(), message: Text },
  pre_tool_output: { output: Text, block: z.boolean(), message: Text },
  pre_cache_output: { summary: Text },
  pre_system_prompt: { inject: Text },
  post_system_prompt: { inject: Text },
  pre_send_message: { delivered: z.boolean(), via: Text },
  pre_api_tools: { include: Names, exclude: Names },
  pre_api_request: { request_body: Fields },
  pre_agentic_loop: { fallback: FlowTool, fuel: z.int().nonnegative() },
  post_tool_batch: { fallback: FlowTool, fuel_delta: z.int() },
  pre_file_write: { denied: z.boolean(), reason: Text },
  pre_file_read: { denied: z.boolean(), reason: Text },
} as const satisfies Partial<Record<HookPoint, Readonly<Record<string, z.ZodType>>>>

type Taken = typeof answerSchemas
type AnsweringPoint = keyof Taken

/** One plugin's answer at a point: the keys that it gave and that could be read. */
type Given<P extends AnsweringPoint> = {
  readonly [Key in keyof Taken[P]]?: Taken[P][Key] extends z.ZodType
    ? z.output<Taken[P][Key]>
    : never
} & { readonly plugin: string }

/**
 * Returns the faults of an answer, in words; undefined where it has none. The functions below ignore the faulty
 * parts and use the others. Unknown keys are no fault, nor is any answer at a point that takes none.
 */
export function answerFault(point: HookPoint, { value }: HookAnswer): string | undefined {
  if (!isAnswering(point) || value === null) return undefined
  if (!isJsonObject(value)) return `answered ${point} with something other than a JSON object`
  const wrong = Object.entries<z.ZodType>(answerSchemas[point]).flatMap(([key, schema]) => {
    const { error } = given(value, key, schema)
    return error === undefined ? [] : [`${key}: ${error}`]
  })
  return wrong.length === 0 ? undefined : `answered ${point} with ${wrong.join('; ')}`
}

/** Returns the prompt that `pre_message` puts in the place of the person's; the last plugin's holds. */
export function promptAnswers(answers: readonly HookAnswer[]): string | undefined {
  return last(read('pre_message', answers), 'prompt')
}

/** The verdict of the hooks on a call, or on its output. */
export type HookVerdict<T> =
  /** It continues, changed where there is a value: the last plugin's. */
  | { readonly type: 'goes-on'; readonly changed?: T }
  /** One plugin is enough: the first that says so, with its message where it has one. */
  | { readonly type: 'blocked'; readonly plugin: string; readonly message?: string }

/** Returns the verdict of `pre_tool`: other arguments, or no call at all. */
export function callAnswers(
  answers: readonly HookAnswer[],
): HookVerdict<Readonly<Record<string, unknown>>> {
  const parsed = read('pre_tool', answers)
  return verdictOf(parsed, last(parsed, 'arguments'))
}

/** Returns the verdict of `pre_tool_output`: another output, or a message in the place of the output. */
export function outputAnswers(answers: readonly HookAnswer[]): HookVerdict<string> {
  const parsed = read('pre_tool_output', answers)
  return verdictOf(parsed, last(parsed, 'output'))
}

/** Returns the summary that `pre_cache_output` gives a long output; the last plugin's holds. */
export function summaryAnswers(answers: readonly HookAnswer[]): string | undefined {
  return last(read('pre_cache_output', answers), 'summary')
}

/**
 * Returns the texts that plugins add at `pre_system_prompt` or `post_system_prompt`, in order, without blank ones.
 */
export function injectAnswers(
  point: 'pre_system_prompt' | 'post_system_prompt',
  answers: readonly HookAnswer[],
): readonly string[] {
  return read(point, answers).flatMap(({ inject = '' }) => (inject.trim() === '' ? [] : [inject]))
}

/**
 * Returns the first delivery that `pre_send_message` reports, which replaces the inbox; undefined where there is
 * none.
 */
export function deliveryAnswers(
  answers: readonly HookAnswer[],
): { readonly via: string } | undefined {
  const by = read('pre_send_message', answers).find(({ delivered }) => delivered)
  return by === undefined ? undefined : { via: by.via ?? by.plugin }
}

/**
 * Returns the filter of `pre_api_tools`: a tool stays where every list of `include` has it, and no list of
 * `exclude`.
 */
export function toolAnswers(answers: readonly HookAnswer[]): (name: string) => boolean {
  const parsed = read('pre_api_tools', answers)
  const includes = parsed.flatMap(({ include }) =>
    include === undefined ? [] : [new Set(include)],
  )
  const excluded = new Set(parsed.flatMap(({ exclude = [] }) => exclude))
  return (name) => !excluded.has(name) && includes.every((names) => names.has(name))
}

/**
 * Returns the changes of `pre_api_request` to the request's body, key by key at its top; a later plugin's key wins.
 */
export function requestAnswers(
  answers: readonly HookAnswer[],
): Readonly<Record<string, unknown>> | undefined {
  const bodies = read('pre_api_request', answers).flatMap(({ request_body: body }) =>
    body === undefined ? [] : [body],
  )
  return bodies.length === 0 ? undefined : Object.assign({}, ...bodies)
}

/** Returns the fallback tool and the fuel that `pre_agentic_loop` sets; the last plugin's of each. */
export function loopAnswers(answers: readonly HookAnswer[]): {
  readonly fallback?: z.output<typeof FlowTool>
  readonly fuel?: number
} {
  const parsed = read('pre_agentic_loop', answers)
  const [fallback, fuel] = [last(parsed, 'fallback'), last(parsed, 'fuel')]
  return { ...(fallback && { fallback }), ...(fuel !== undefined && { fuel }) }
}

/** Returns the last plugin's fallback tool at `post_tool_batch`, and the sum of all changes to the fuel. */
export function batchAnswers(answers: readonly HookAnswer[]): {
  readonly fallback?: z.output<typeof FlowTool>
  readonly fuelDelta: number
} {
  const parsed = read('post_tool_batch', answers)
  const fallback = last(parsed, 'fallback')
  const fuelDelta = parsed.reduce((sum, { fuel_delta: delta = 0 }) => sum + delta, 0)
  return { ...(fallback && { fallback }), fuelDelta }
}

/** Returns the first denial at `pre_file_write` or `pre_file_read`. No answer replaces a person's consent. */
export function denialAnswers(
  point: 'pre_file_write' | 'pre_file_read',
  answers: readonly HookAnswer[],
): { readonly plugin: string; readonly reason?: string } | undefined {
  const by = read(point, answers).find(({ denied }) => denied)
  if (by === undefined) return undefined
  return { plugin: by.plugin, ...(by.reason === undefined ? {} : { reason: by.reason }) }
}

function verdictOf<T>(
  parsed: readonly {
    readonly plugin: string
    readonly block?: boolean
    readonly message?: string
  }[],
  changed: T | undefined,
): HookVerdict<T> {
  const by = parsed.find(({ block }) => block)
  if (by === undefined) return { type: 'goes-on', ...(changed === undefined ? {} : { changed }) }
  const { plugin, message } = by
  return { type: 'blocked', plugin, ...(message === undefined ? {} : { message }) }
}

function last<G, Key extends keyof G>(parsed: readonly G[], key: Key): G[Key] | undefined {
  return parsed.map((one) => one[key]).findLast((value) => value !== undefined)
}

function read<P extends AnsweringPoint>(
  point: P,
  answers: readonly HookAnswer[],
): readonly Given<P>[] {
  return answers.map(({ plugin, value }) => {
    const fields: Record<string, unknown> = { plugin }
    for (const [key, schema] of Object.entries<z.ZodType>(answerSchemas[point])) {
      const one = isJsonObject(value) ? given(value, key, schema) : undefined
      if (one?.data !== undefined) fields[key] = one.data
    }
    // The loop makes exactly the keys of this point, each parsed by its own schema.
    return fields as Given<P>
  })
}

/** Parses a key's value; neither data nor error where it is absent. */
function given(
  value: Readonly<Record<string, unknown>>,
  key: string,
  schema: z.ZodType,
): { readonly data?: unknown; readonly error?: string } {
  // null is what some languages write for nothing.
  if (!Object.hasOwn(value, key) || value[key] === null) return {}
  const { success, data, error } = schema.safeParse(value[key])
  return success ? { data } : { error: error.issues[0]?.message ?? 'not valid here' }
}

function isAnswering(point: HookPoint): point is AnsweringPoint {
  return Object.hasOwn(answerSchemas, point)
}
