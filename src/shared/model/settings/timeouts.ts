import { z } from 'zod'

const Seconds = z.int().min(10).max(86_400)

/** Longest silences of a provider before its answer is given up, in seconds. */
export const Timeouts = z.object({
  /** From the request to the first byte of the answer. */
  firstByteSeconds: Seconds,
  /** Between two pieces of the answer. */
  silenceSeconds: Seconds,
})
export type Timeouts = z.infer<typeof Timeouts>

/** Timeouts where nobody set others: models on small machines read a long prompt for minutes. */
export const defaultTimeouts: Timeouts = { firstByteSeconds: 240, silenceSeconds: 240 }
