import { z } from 'zod'

/** A message as a system sends it to its model. */
export const ModelMessage = z.object({ role: z.enum(['user', 'assistant']), content: z.string() })
export type ModelMessage = z.infer<typeof ModelMessage>
