import type { ChatMessage } from './provider'
import type { TracedMessage } from './traced-message'

/**
 * Joins messages of one speaker that follow each other, as after a failed or stopped answer: many servers take user and
 * assistant in turn alone. On the disk they stay apart. System messages are left as they are.
 */
export function inTurn(messages: readonly TracedMessage[]): readonly TracedMessage[] {
  const joined: TracedMessage[] = []
  for (const next of messages) {
    const last = joined.at(-1)
    const message = last && joinedMessage(last.message, next.message)
    if (last === undefined || message === undefined) joined.push(next)
    else joined[joined.length - 1] = { message, entryIds: [...last.entryIds, ...next.entryIds] }
  }
  return joined
}

function joinedMessage(a: ChatMessage, b: ChatMessage): ChatMessage | undefined {
  if (a.role === 'user' && b.role === 'user') {
    const images = [...imagesOf(a), ...imagesOf(b)]
    const content = joinedText(a.content, b.content)
    return { role: 'user', content, ...(images.length === 0 ? {} : { images }) }
  }
  if (a.role !== 'assistant' || b.role !== 'assistant' || 'tool_calls' in a) return undefined
  const beside = { ...a.beside, ...b.beside }
  return {
    ...b,
    content: joinedText(a.content, b.content ?? ''),
    ...(Object.keys(beside).length === 0 ? {} : { beside }),
  }
}

function imagesOf(message: ChatMessage): readonly string[] {
  return 'images' in message ? message.images : []
}

function joinedText(a: string, b: string): string {
  return a === '' || b === '' ? a + b : `${a}\n\n${b}`
}
