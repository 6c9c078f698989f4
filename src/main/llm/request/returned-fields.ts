import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { Entry } from '../../../shared/model/conversation/entry'
import type { ChatMessage } from '../chat/provider'
import { objectOf, textOrUndefined } from '../wire/json-fields'

/**
 * Returns the fields that go back to their server with an entry's text or calls, as its metadata keeps them:
 * thoughts under the name they came by, details and signatures. Undefined for every other server, and where there
 * are none.
 */
export function returnedFieldsOf(
  { metadata }: Entry,
  server: string | undefined,
): JsonObject | undefined {
  const kept = objectOf(metadata?.returned)
  if (kept === undefined || server === undefined || kept.server !== server) return undefined
  const thoughtsIn = textOrUndefined(kept.thoughtsIn)
  const thoughts = textOrUndefined(metadata?.reasoning)
  const fields = {
    ...(thoughtsIn === undefined || thoughts === undefined ? {} : { [thoughtsIn]: thoughts }),
    ...objectOf(kept.fields),
  }
  return Object.keys(fields).length === 0 ? undefined : fields
}

/**
 * Returns the fields that go back with a call to the server that gave it; undefined for every other server, and
 * where there are none.
 */
export function returnedCallFieldsOf({ metadata }: Entry, server: string | undefined) {
  const kept = objectOf(metadata?.returned_call)
  if (kept === undefined || server === undefined || kept.server !== server) return undefined
  return objectOf(kept.fields)
}

/** Returns the metadata in which a call's entry keeps its returned fields; undefined where there are none. */
export function returnedCallMetadata(extra: JsonObject | undefined, server: string | undefined) {
  if (extra === undefined || server === undefined) return undefined
  return { returned_call: { server, fields: extra } }
}

/** Removes the returned fields from messages, for a server that refuses them; undefined where there are none. */
export function withoutReturnedFields(
  messages: readonly ChatMessage[],
): readonly ChatMessage[] | undefined {
  if (!messages.some(hasReturnedFields)) return undefined
  return messages.map((message) => {
    if (message.role !== 'assistant') return message
    const { returnedFields: _, ...plain } = message
    if (!('tool_calls' in plain)) return plain
    return { ...plain, tool_calls: plain.tool_calls.map(({ returnedFields: _, ...call }) => call) }
  })
}

function hasReturnedFields(message: ChatMessage): boolean {
  if (message.role !== 'assistant') return false
  return (
    message.returnedFields !== undefined ||
    ('tool_calls' in message &&
      message.tool_calls.some((call) => call.returnedFields !== undefined))
  )
}
