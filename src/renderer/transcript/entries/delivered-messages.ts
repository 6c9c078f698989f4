/** User message, and the inbox messages that chibi put before it for the model. */
export interface DeliveredText {
  /** Senders of the inbox messages, each once, in order. */
  readonly from: readonly string[]
  /** The messages as the model reads them, without the marks around them. */
  readonly messages: string
  readonly rest: string
}

const begin = '--- INBOX MESSAGES ---\n'
const end = '\n--- END INBOX ---\n'

/**
 * Splits a message at chibi's marks around inbox messages; undefined where there are none. An inbox message may
 * contain the last mark itself: then the rest begins too early, and nothing is hidden.
 */
export function splitDelivered(text: string): DeliveredText | undefined {
  if (!text.startsWith(begin)) return undefined
  // Without a message between them, the marks share a line feed.
  const at = text.indexOf(end, begin.length - 1)
  if (at < 0) return undefined
  const messages = text.slice(begin.length, at)
  const names = [...messages.matchAll(/^\[From: ([^\]\n]+)\] /gm)].map(([, name = '']) => name)
  return {
    from: [...new Set(names)],
    messages,
    rest: text.slice(at + end.length).replace(/^\n/, ''),
  }
}
