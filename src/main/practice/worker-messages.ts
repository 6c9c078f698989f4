import { z } from 'zod'

/** What the worker is started with. */
export interface WorkerOptions {
  readonly port?: number | undefined
  readonly wordsPerSecond?: number | undefined
}

/** What the worker tells: once, when it listens or cannot. */
export const WorkerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listening'), url: z.string() }),
  z.object({ type: z.literal('failed'), message: z.string() }),
])
export type WorkerMessage = z.infer<typeof WorkerMessage>
