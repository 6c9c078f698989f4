import { z } from 'zod'

/** The options with which the worker starts. */
export interface WorkerOptions {
  readonly port?: number | undefined
  readonly wordsPerSecond?: number | undefined
}

/** The one message of the worker: it listens, or cannot. */
export const WorkerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listening'), url: z.string() }),
  z.object({ type: z.literal('failed'), message: z.string() }),
])
export type WorkerMessage = z.infer<typeof WorkerMessage>
