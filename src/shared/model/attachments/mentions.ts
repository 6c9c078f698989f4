import { z } from 'zod'
import { fold } from '../basics/fold'

/** A file in an allowed folder, as it is offered for a message. */
export const OfferedFile = z.object({
  /** Absolute: what the file is asked for by. */
  path: z.string(),
  /** Its last name. */
  name: z.string(),
  /** The way from the allowed folder to its own folder, with slashes; '' in the allowed folder itself. */
  folder: z.string(),
})
export type OfferedFile = z.infer<typeof OfferedFile>

/** Parts of a conversation that can be quoted. */
export const QuotedPart = z.enum(['last', 'prompts', 'all'])
export type QuotedPart = z.infer<typeof QuotedPart>

/** Most characters of a quote: about 12,000 tokens. The newest are taken. */
export const quoteLimit = 50_000

/** A conversation, or a part of it, as text for another one. */
export const ConversationQuote = z.object({
  /** As a file's name: what the text is called in the message. */
  name: z.string(),
  text: z.string(),
  /** How many messages it has. */
  messages: z.int(),
  /** Earlier messages were left out, or the first one cut: there is more than `quoteLimit`, or than was looked at. */
  isCut: z.boolean(),
})
export type ConversationQuote = z.infer<typeof ConversationQuote>

/**
 * Tells how well a file fits what was typed: 0 not at all. Each part between slashes or spaces must be in the path, in their order; a
 * name that begins with the last part is best, then one that has it, then the rest.
 */
export function rankOfFile({ name, folder }: OfferedFile, query: string): number {
  const parts = fold(query)
    .split(/[/\\\s]+/)
    .filter(Boolean)
  const last = parts.at(-1)
  if (last === undefined) return 1
  const own = fold(name)
  const path = `${fold(folder)}/${own}`
  let at = 0
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found < 0) return 0
    at = found + part.length
  }
  if (own.startsWith(last)) return 4
  return own.includes(last) ? 3 : 2
}
