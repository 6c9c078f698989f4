import { adaptMessages } from '../adapting/adapt-messages'
import { withoutToolParameters } from '../chat/parameters'
import type { ProviderRequest } from '../chat/provider'
import { withoutImages } from '../request/images'
import { chatBody, type RequestBody, requestBody } from '../request/request-body'
import { withoutReturnedFields } from '../request/returned-fields'
import type { Reply } from './reply'

/**
 * Writes the body of a request as it went out in the end: without the parts that the server refused, and with its
 * adaptations.
 */
export function sentBody(request: ProviderRequest, reply: Reply): RequestBody {
  const sent = reducedRequest(request, reply)
  if (request.protocol === 'responses') return requestBody(sent)
  const body = chatBody(sent)
  return { ...body, messages: adaptMessages(body.messages, reply.adapted ?? []) }
}

/** Leaves out of a request the parts that the server refused by name; its messages stay as they are otherwise. */
function reducedRequest(
  request: ProviderRequest,
  { withoutTools, withoutParameters = [], renamed = {} }: Reply,
): ProviderRequest {
  if (withoutTools !== true && withoutParameters.length === 0) return request
  const { tools, parameters = {}, messages, ...others } = request
  const wanted = withoutTools === true ? withoutToolParameters(parameters) : parameters
  const refused = new Set(withoutParameters)
  const sent = Object.entries(wanted).flatMap(([name, value]): [string, unknown][] => {
    if (!refused.has(name)) return [[name, value]]
    const as = renamed[name]
    return as === undefined ? [] : [[as, value]]
  })
  return {
    ...others,
    messages: sentMessages(messages, refused),
    ...(withoutTools === true || tools === undefined ? {} : { tools }),
    parameters: Object.fromEntries(sent),
  }
}

function sentMessages(
  messages: ProviderRequest['messages'],
  refused: ReadonlySet<string>,
): ProviderRequest['messages'] {
  const bare = refused.has('images') ? (withoutImages(messages) ?? messages) : messages
  return refused.has('thoughts') ? (withoutReturnedFields(bare) ?? bare) : bare
}
