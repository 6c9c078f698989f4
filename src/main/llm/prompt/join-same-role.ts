import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { ChatMessage } from '../chat/provider'
import type { TracedMessage } from '../chat/traced-message'

/**
 * Joins consecutive messages of one role, as after a failed or stopped answer: many servers accept only alternating
 * user and assistant messages. The files keep them apart. System messages stay as they are.
 */
export function joinSameRole(messages: readonly TracedMessage[]): readonly TracedMessage[] {
  const groups: TracedMessage[][] = []
  let last: TracedMessage | undefined
  for (const next of messages) {
    if (last !== undefined && isGoneOn(last.message, next.message)) groups.at(-1)?.push(next)
    else groups.push([next])
    last = next
  }
  return groups.flatMap(joinedGroup)
}

/** Joins a group at once, however many they are: what is joined must not be copied for each of thousands. */
function joinedGroup(group: readonly TracedMessage[]): TracedMessage | readonly TracedMessage[] {
  if (group.length < 2) return group
  return {
    message: joinedMessage(group.map(({ message }) => message)),
    entryIds: group.flatMap(({ entryIds }) => entryIds),
  }
}

function isGoneOn(a: ChatMessage, b: ChatMessage): boolean {
  if (a.role === 'user') return b.role === 'user'
  return a.role === 'assistant' && b.role === 'assistant' && !('tool_calls' in a)
}

/** Joins messages of a person; or those of the model, of which the last alone may have calls. */
function joinedMessage(group: readonly ChatMessage[]): ChatMessage {
  const texts = group.map(({ content }) => content ?? '')
  const content = texts.filter((text) => text !== '').join('\n\n')
  const last = group.at(-1)
  if (last?.role !== 'assistant') {
    const images = group.flatMap(imagesOf)
    return { role: 'user', content, ...(images.length === 0 ? {} : { images }) }
  }
  const returnedFields: JsonObject = Object.assign(
    {},
    ...group.map((one) => ('returnedFields' in one ? one.returnedFields : {})),
  )
  return {
    ...last,
    content,
    ...(Object.keys(returnedFields).length === 0 ? {} : { returnedFields }),
  }
}

function imagesOf(message: ChatMessage): readonly string[] {
  return 'images' in message ? message.images : []
}
