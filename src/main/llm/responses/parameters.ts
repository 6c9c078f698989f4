import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { WireParameters } from '../chat/parameters'
import { objectOf } from '../wire/json-fields'

/**
 * Parameters that keep the server from storing anything, and have it send reasoning encrypted, so that it can be
 * given back.
 */
export const statelessParameters: WireParameters = {
  store: false,
  include: ['reasoning.encrypted_content'],
}

/** The names of the Responses API for parameters that chat completions call otherwise. */
const names: Readonly<Record<string, string>> = {
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  response_format: 'text',
  verbosity: 'text',
  reasoning_effort: 'reasoning',
}

/** Returns a parameter's name in the Responses API. */
export function responsesName(name: string): string {
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name
}

/**
 * Converts parameters of chat completions to the Responses API. A parameter unknown there goes out as it is; the
 * server decides on it.
 */
export function responsesParameters(parameters: WireParameters): WireParameters {
  const brought: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(parameters)) {
    const to = responsesName(name)
    const converted = convertedValue(name, value)
    const before = objectOf(brought[to])
    const fields = objectOf(converted)
    brought[to] =
      before !== undefined && fields !== undefined ? { ...before, ...fields } : converted
  }
  return brought
}

function convertedValue(name: string, value: unknown): unknown {
  const fields = objectOf(value)
  switch (name) {
    case 'response_format':
      return { format: formatOf(fields ?? { type: value }) }
    case 'verbosity':
      return { verbosity: value }
    case 'reasoning_effort':
      return withSummary({ effort: value })
    case 'reasoning':
      return fields === undefined ? value : withSummary(fields)
    case 'tool_choice':
      return fields === undefined ? value : choiceOf(fields)
    default:
      return value
  }
}

/** Writes the form of an answer: a schema has no object of its own there. */
function formatOf({ type, json_schema: schema }: JsonObject): JsonObject {
  const fields = objectOf(schema)
  return fields === undefined ? { type } : { type, name: 'answer', ...fields }
}

/** Asks for a summary: without that wish OpenAI shows nothing of what its models think. */
function withSummary(reasoning: JsonObject): JsonObject {
  const isHidden = reasoning.exclude === true || reasoning.enabled === false
  return isHidden || reasoning.effort === 'none' ? reasoning : { summary: 'auto', ...reasoning }
}

function choiceOf(choice: JsonObject): JsonObject {
  const { type, function: asked } = choice
  const fields = objectOf(asked)
  return fields === undefined ? choice : { type, ...fields }
}
