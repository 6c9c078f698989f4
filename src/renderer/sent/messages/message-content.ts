import type { Sent, SentMessage, SentTool } from '../../../shared/model/run/sent'

/** Returns the system prompts at the start of a request: system and developer messages before all others. */
export function systemMessagesOf(sent: Sent): readonly SentMessage[] {
  return sent.messages.slice(0, systemLength(sent))
}

/** Returns the messages of a request after its system prompts, in order. */
export function conversationMessagesOf(sent: Sent): readonly SentMessage[] {
  return sent.messages.slice(systemLength(sent))
}

function systemLength({ messages }: Sent): number {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  return first < 0 ? messages.length : first
}

/** Returns a message as one text for comparison: text, then calls and images on lines of their own. */
export function comparableText(message: SentMessage): string {
  const { text, calls, callId, images } = message
  return [
    ...(callId === undefined ? [] : [`[answers ${callId}]`]),
    ...(text === '' ? [] : [text]),
    ...calls.map((call) => `[calls ${call.name}, ${call.id}]\n${call.arguments}`),
    ...(images === 0 ? [] : [`[images: ${images}]`]),
  ].join('\n')
}

/** Returns a tool as one text for comparison: description, then parameters. */
export function comparableToolText({ description, parameters }: SentTool): string {
  return [description, ...(parameters === undefined ? [] : [parameters])].join('\n')
}

/** Returns a key that is equal for messages that the model gets as equal; entry ids and tokens do not count. */
export function messageIdentity({ role, text, calls, callId, images }: SentMessage): string {
  return JSON.stringify([
    role,
    text,
    calls.map((call) => [call.id, call.name, call.arguments]),
    callId ?? null,
    images,
  ])
}
