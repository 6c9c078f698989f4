import type { Adaptation, RequestAdjustment } from '../../../shared/model/run/adaptations'
import { withoutToolParameters } from '../chat/parameters'
import type { ProviderEvent, ProviderRequest } from '../chat/provider'
import { withoutImages } from '../request/images'
import { chatBody, requestBody } from '../request/request-body'
import { withoutReturnedFields } from '../request/returned-fields'
import { adaptMessages, effectiveAdaptations } from './adapt-messages'

/** A request as it goes out, and the events that say how it differs from what was wanted. */
export interface AdjustedRequest {
  readonly body: Readonly<Record<string, unknown>>
  /** The names of its parameters, as chat completions have them. */
  readonly parameters: readonly string[]
  /** The messages of the body; none where it has items in their place, which are not changed. */
  readonly messages: readonly object[]
  readonly hasTools: boolean
  readonly events: readonly ProviderEvent[]
}

/** OpenAI's newer models want the same number under another name. */
const renamedParameter = { from: 'max_tokens', to: 'max_completion_tokens' }

/** Builds the body of a request with the adjustments made so far. */
export function adjustRequest(
  request: ProviderRequest,
  adjustments: readonly RequestAdjustment[],
): AdjustedRequest {
  const given = sortAdjustments(adjustments)
  const events: ProviderEvent[] = []
  const tools = request.tools ?? []
  const isWithoutTools = tools.length > 0 && given.without.has('tools')
  if (isWithoutTools) events.push({ type: 'without-tools' })

  const all = request.parameters ?? {}
  const wanted = isWithoutTools ? withoutToolParameters(all) : all
  const parameters: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(wanted)) {
    if (!given.parameters.has(name)) parameters[name] = value
    else if (name === renamedParameter.from && !given.parameters.has(renamedParameter.to)) {
      parameters[renamedParameter.to] = value
      events.push({ type: 'without-parameter', name, as: renamedParameter.to })
    } else events.push({ type: 'without-parameter', name })
  }

  let { messages } = request
  const bare = given.without.has('images') ? withoutImages(messages) : undefined
  if (bare !== undefined) events.push({ type: 'without-parameter', name: 'images' })
  messages = bare ?? messages
  const plain = given.without.has('thoughts') ? withoutReturnedFields(messages) : undefined
  if (plain !== undefined) events.push({ type: 'without-parameter', name: 'thoughts' })
  messages = plain ?? messages

  const sent = { ...request, messages, parameters, tools: isWithoutTools ? [] : tools }
  const names = Object.keys(parameters)
  const hasTools = sent.tools.length > 0
  if (request.protocol === 'responses')
    return { body: requestBody(sent), parameters: names, messages: [], hasTools, events }
  const body = chatBody(sent)
  const ways = effectiveAdaptations(body.messages, given.ways)
  for (const way of ways) events.push({ type: 'adapted', way })
  const adapted = adaptMessages(body.messages, ways)
  const wantsUsage = !given.parameters.has('stream_options')
  return {
    body: {
      ...body,
      messages: adapted,
      ...(wantsUsage ? { stream_options: { include_usage: true } } : {}),
    },
    parameters: [...names, ...(wantsUsage ? ['stream_options'] : [])],
    messages: adapted,
    hasTools,
    events,
  }
}

/** Returns true where two adjustments change the same thing. */
export function isSameAdjustment(a: RequestAdjustment, b: RequestAdjustment): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function sortAdjustments(adjustments: readonly RequestAdjustment[]) {
  const parameters = new Set<string>()
  const without = new Set<string>()
  const ways: Adaptation[] = []
  for (const one of adjustments)
    if (one.type === 'parameter') parameters.add(one.name)
    else if (one.type === 'without') without.add(one.what)
    else ways.push(one.way)
  return { parameters, without, ways }
}
