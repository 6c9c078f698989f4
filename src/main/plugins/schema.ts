import { z } from 'zod'
import { isDeeperThan } from '../../shared/model/basics/json-depth'
import { wellFormed } from '../../shared/model/basics/well-formed'
import { type HookPoint, hookPoints } from '../tools/hooks/hooks'

/** A tool as a plugin's schema has it. */
export interface ToolSchema {
  readonly name: string
  readonly description: string
  /** A JSON Schema of type `object`. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly isParallel: boolean
  readonly ends: 'turn' | 'round' | undefined
  /** Names of the arguments that describe a call in one line. */
  readonly summaryParams: readonly string[]
}

/** The tools and hooks that a plugin offers. */
export interface Schema {
  readonly tools: readonly ToolSchema[]
  readonly hooks: readonly HookPoint[]
  /** The parts that are ignored, and why; sentences. */
  readonly notes: readonly string[]
}

const mostTools = 200
const mostHooks = 100
/** Longest JSON of parameters: each request to a model carries it. */
const mostParameterChars = 100_000
const deepestParameters = 50

const ToolSchemaJson = z.object({
  // Names that model providers accept for a function.
  name: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'may hold letters, digits, - and _ alone, 64 at most'),
  description: z.string().min(1).max(20_000).transform(wellFormed),
  parameters: z
    .record(z.string(), z.unknown())
    .refine((value) => !isDeeperThan(value, deepestParameters), 'is nested too deeply')
    .refine((value) => JSON.stringify(value).length <= mostParameterChars, 'is too large')
    .refine(({ type = 'object' }) => type === 'object', 'must have the type "object"')
    .nullish(),
  hooks: z.array(z.string()).max(mostHooks).nullish(),
  parallel: z.boolean().nullish(),
  flow_control: z.boolean().nullish(),
  ends_turn: z.boolean().nullish(),
  summary_params: z.array(z.string()).max(100).nullish(),
})
type ToolSchemaJson = z.output<typeof ToolSchemaJson>

/**
 * Parses the output of `--schema`: one object or a list of them. A string is the reason why it is no schema, in a
 * sentence.
 */
export function parseSchema(printed: string): Schema | string {
  if (printed.trim() === '') return 'It printed no schema.'
  let json: unknown
  try {
    json = JSON.parse(printed)
  } catch (error) {
    return `Its schema is not JSON: ${error instanceof Error ? error.message : error}.`
  }
  const entries: readonly unknown[] = Array.isArray(json) ? json : [json]
  if (entries.length === 0) return 'Its schema is an empty list.'
  if (entries.length > mostTools) return `Its schema has more than ${mostTools} tools.`
  const good: ToolSchemaJson[] = []
  const wrong: string[] = []
  for (const [at, entry] of entries.entries()) {
    const parsed = ToolSchemaJson.safeParse(entry)
    if (parsed.success) good.push(parsed.data)
    else
      wrong.push(
        wrongEntry(
          entries.length === 1 ? 'Its schema' : `Tool ${at + 1} of its schema`,
          parsed.error,
        ),
      )
  }
  if (good.length === 0) return wrong.join(' ')
  const asked = [...new Set(good.flatMap(({ hooks }) => hooks ?? []))]
  const unknown = asked.filter((name) => !isPoint(name))
  if (unknown.length > 0) wrong.push(`It asks to run at unknown points: ${unknown.join(', ')}.`)
  return { tools: good.map(toolOf), hooks: asked.filter(isPoint), notes: wrong }
}

function toolOf(json: ToolSchemaJson): ToolSchema {
  const { name, description, parameters, parallel, summary_params: summary } = json
  const ends = endsOf(json)
  return {
    name,
    description,
    parameters: { type: 'object', properties: {}, ...parameters },
    isParallel: parallel ?? true,
    ends,
    summaryParams: summary ?? [],
  }
}

/** Reads what a call ends: chibi 0.5 knew `recurse` by its name; later versions have fields for it. */
function endsOf({ name, flow_control: steers, ends_turn: ends }: ToolSchemaJson) {
  if (ends === true) return 'turn'
  return steers === true || name === recurseName ? 'round' : undefined
}

/** The name of the plugin of chibi 0.5 whose call makes the model continue. */
export const recurseName = 'recurse'

function wrongEntry(what: string, error: z.ZodError): string {
  const [issue] = error.issues
  const key = issue?.path.join('.') ?? ''
  return `${what} is wrong${key === '' ? '' : ` at "${key}"`}: ${issue?.message ?? 'unknown'}.`
}

function isPoint(name: string): name is HookPoint {
  return (hookPoints as readonly string[]).includes(name)
}
