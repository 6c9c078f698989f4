import { z } from 'zod'

/** An attachment of a message. All three are texts of the agent: "926KB", "unknown", "download failed". */
export const FluuxAttachment = z.object({
  filename: z.string(),
  mime_type: z.string(),
  size: z.string(),
})

/** A reaction to a message: `message_id` is that one's `msg_id`; without emojis the reaction was taken back. */
export const FluuxReaction = z.object({ message_id: z.string(), emojis: z.array(z.string()) })

/** The optional fields of a message, in the agent's order. The agent skips a line in which one has another shape. */
export const optionalFields: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['msg_id', z.string()],
  ['sender', z.string()],
  ['ts', z.string()],
  ['attachments', z.array(FluuxAttachment)],
  ['reaction', FluuxReaction],
])

const Time = z.iso.datetime({ offset: true })

/**
 * Parses an RFC 3339 time with any number of decimals to Unix seconds, in a double's precision; undefined for other
 * text.
 */
export function rfc3339Seconds(time: string): number | undefined {
  const text = time.toUpperCase()
  const [, whole = '', decimals = '', zone = ''] = /^(.{19})(\.\d+)?(.+)$/.exec(text) ?? []
  // Date.parse alone would take the 30th of February for the 2nd of March.
  const ms = Time.safeParse(text).success ? Date.parse(whole + zone) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms / 1000 + Number(`0${decimals}`)
}
