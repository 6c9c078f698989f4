import { z } from 'zod'

/** APIs in which models are asked: OpenAI's chat completions, and its Responses API (Open Responses). */
export const protocols = ['chat-completions', 'responses'] as const
/** API in which a model is asked: one of `protocols`. */
export const Protocol = z.enum(protocols)
export type Protocol = z.infer<typeof Protocol>
