import type { Sent, SentMessage, SentTool } from '../../../shared/model/run/sent'

/** What stands before everything that was said: home's and context's prompt. */
export function systemMessagesOf(sent: Sent): readonly SentMessage[] {
  return sent.messages.slice(0, systemLength(sent))
}

/** What was said, in order, as the model got it. */
export function conversationMessagesOf(sent: Sent): readonly SentMessage[] {
  return sent.messages.slice(systemLength(sent))
}

function systemLength({ messages }: Sent): number {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  return first < 0 ? messages.length : first
}

/** All of a message as one text, to be compared: its words, then its calls and images a line each. */
export function comparableText(message: SentMessage): string {
  const { text, calls, callId, images } = message
  return [
    ...(callId === undefined ? [] : [`[answers ${callId}]`]),
    ...(text === '' ? [] : [text]),
    ...calls.map((call) => `[calls ${call.name}, ${call.id}]\n${call.arguments}`),
    ...(images === 0 ? [] : [`[images: ${images}]`]),
  ].join('\n')
}

/** The same of a tool. */
export function comparableToolText({ description, parameters }: SentTool): string {
  return [description, ...(parameters === undefined ? [] : [parameters])].join('\n')
}

/** The same for messages that the model was sent the same. */
export function messageIdentity({ role, text, calls, callId, images }: SentMessage): string {
  return JSON.stringify([
    role,
    text,
    calls.map((call) => [call.id, call.name, call.arguments]),
    callId ?? null,
    images,
  ])
}
