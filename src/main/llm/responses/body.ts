import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { ToolDefinition } from '../../tools/base/tool'
import type { ChatMessage, ProviderRequest } from '../chat/provider'
import { type InputItem, inputItems } from './items'
import { responsesParameters } from './parameters'

/** A request of the Responses API as it goes out. */
export type ResponsesBody = Readonly<Record<string, unknown>> & {
  readonly model: string
  readonly input: readonly InputItem[]
  readonly tools?: readonly object[]
  readonly stream: true
}

/** Writes a request in the form of the Responses API. */
export function responsesBody(request: ProviderRequest): ResponsesBody {
  const { model, messages, tools = [], parameters = {} } = request
  return {
    ...responsesParameters(parameters),
    model,
    input: inputItems(messages),
    ...(tools.length === 0 ? {} : { tools: tools.map(responsesTool) }),
    stream: true,
  }
}

/**
 * Writes a tool in the flat form of the Responses API. It sets `strict: false`: without it OpenAI holds a schema to
 * rules that ours do not follow.
 */
export function responsesTool({
  name,
  description,
  parameters,
}: Pick<ToolDefinition, 'name'> & Partial<ToolDefinition>): JsonObject {
  return { type: 'function', name, description, parameters, strict: false }
}

/** Writes a system message as an item of `input`. */
export function systemItem(content: string): InputItem {
  const message: ChatMessage = { role: 'system', content }
  return inputItems([message])[0] ?? {}
}
