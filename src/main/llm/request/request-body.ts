import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { Protocol } from '../../../shared/model/settings/protocol'
import type { ToolDefinition } from '../../tools/base/tool'
import type { ChatMessage, ChatToolCall, ProviderRequest } from '../chat/provider'
import { type ResponsesBody, responsesBody } from '../responses/body'
import { outputField } from '../responses/output-items'
import { statelessParameters } from '../responses/parameters'

/** A request as it goes out, without `stream_options`. */
export type RequestBody = ChatBody | ResponsesBody

/** A request of chat completions. */
export type ChatBody = Readonly<Record<string, unknown>> & {
  readonly model: string
  readonly messages: readonly object[]
  readonly tools?: readonly object[]
  readonly stream: true
}

/**
 * Returns the request for the API that a server speaks; for the Responses API with the parameters that keep it from
 * storing anything.
 */
export function inProtocol(
  request: ProviderRequest,
  protocol: Protocol | undefined,
): ProviderRequest {
  if (protocol !== 'responses') return request
  return { ...request, protocol, parameters: { ...statelessParameters, ...request.parameters } }
}

/** Writes a request in the form of its API. No parameter replaces the model, the messages or the tools. */
export function requestBody(request: ProviderRequest): RequestBody {
  return request.protocol === 'responses' ? responsesBody(request) : chatBody(request)
}

/** Writes a request in the form of chat completions, whichever API it goes to: plugins see and change this form. */
export function chatBody(request: ProviderRequest): ChatBody {
  const { model, messages, tools = [], parameters } = request
  return {
    ...parameters,
    model,
    messages: chatMessagesJson(messages),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolJson) }),
    stream: true,
  }
}

/** Writes messages as chat completions have them. */
export function chatMessagesJson(messages: readonly ChatMessage[]): readonly object[] {
  return messages.map(messageJson)
}

/**
 * OpenAI's own shape: servers that read it strictly want `content` in every message, null where there are only calls.
 */
function messageJson(message: ChatMessage): object {
  if ('tool_calls' in message && Array.isArray(message.tool_calls)) {
    const { role, content = null, tool_calls, returnedFields } = message
    return { ...ofChat(returnedFields), role, content, tool_calls: tool_calls.map(callJson) }
  }
  if (message.role === 'assistant') {
    const { returnedFields, ...plain } = message
    return { ...ofChat(returnedFields), ...plain }
  }
  if (!('images' in message)) return message
  const { role, content, images } = message
  const words = content === '' ? [] : [{ type: 'text', text: content }]
  const parts = images.map((url) => ({ type: 'image_url', image_url: { url } }))
  return { role, content: [...words, ...parts] }
}

/** Leaves out what the server gave in the other API, which is nothing to it here. */
function ofChat(returnedFields: JsonObject = {}): JsonObject {
  const { [outputField]: _, ...others } = returnedFields
  return others
}

function callJson({ returnedFields, ...call }: ChatToolCall): object {
  if (returnedFields === undefined) return call
  const inFunction = isJsonObject(returnedFields.function) ? returnedFields.function : {}
  return { ...returnedFields, ...call, function: { ...inFunction, ...call.function } }
}

function toolJson({ name, description, parameters }: ToolDefinition): object {
  return { type: 'function', function: { name, description, parameters } }
}

/**
 * Applies changes of plugins to a request, key by key at its top, as chibi does; null removes a key. A model,
 * messages or tools of the wrong type are ignored, and so are `stream` and `stream_options`.
 */
export function applyRequestChanges(
  request: ProviderRequest,
  changes: Readonly<Record<string, unknown>>,
): ProviderRequest {
  const { model, messages, tools, stream: _, stream_options: __, ...others } = changes
  const parameters = Object.entries({ ...request.parameters, ...others })
  const ownTools = tools === null ? [] : toolsIn(tools)
  return {
    model: typeof model === 'string' && model.trim() !== '' ? model : request.model,
    messages: messagesIn(messages) ?? request.messages,
    ...(ownTools === undefined
      ? request.tools === undefined
        ? {}
        : { tools: request.tools }
      : { tools: ownTools }),
    parameters: Object.fromEntries(parameters.filter(([, value]) => value !== null)),
    ...(request.protocol === undefined ? {} : { protocol: request.protocol }),
  }
}

const roles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool', 'developer'])

function messagesIn(value: unknown): readonly ChatMessage[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  // `images` is a key of ours, and none of the wire: there they are parts of the content.
  const isMessages = value.every(
    (one) => isJsonObject(one) && roles.has(one.role) && !('images' in one),
  )
  // A trusted plugin's words: beyond their role they are the provider's to judge.
  return isMessages ? (value as ChatMessage[]) : undefined
}

function toolsIn(value: unknown): readonly ToolDefinition[] | undefined {
  if (!Array.isArray(value)) return undefined
  const tools = value.map((one): ToolDefinition | undefined => {
    const definition = isJsonObject(one) ? one.function : undefined
    if (!isJsonObject(definition) || typeof definition.name !== 'string') return undefined
    const { name, description, parameters } = definition
    return {
      name,
      description: typeof description === 'string' ? description : '',
      parameters: isJsonObject(parameters) ? parameters : { type: 'object' },
    }
  })
  return tools.some((tool) => tool === undefined) ? undefined : tools.flatMap((tool) => tool ?? [])
}
