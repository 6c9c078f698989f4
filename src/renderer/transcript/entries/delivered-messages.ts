/** What a person wrote, and the messages of other contexts that went to the model before it. */
export interface DeliveredText {
  /** Whose messages they are, each once, in their order. */
  readonly from: readonly string[]
  /** The messages as the model reads them, without the marks around them. */
  readonly messages: string
  readonly rest: string
}

const begin = '--- INBOX MESSAGES ---\n'
const end = '\n--- END INBOX ---\n'

/**
 * Parts a message at chibi's marks around delivered messages; undefined where there are none. A message may hold the last
 * mark itself: then the rest begins sooner than it should, and still nothing is hidden.
 */
export function splitDelivered(text: string): DeliveredText | undefined {
  if (!text.startsWith(begin)) return undefined
  // The first mark stands right before the last one where no message is between them.
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
