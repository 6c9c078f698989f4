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
