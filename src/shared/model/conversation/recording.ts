import { z } from 'zod'

/** Recording of an utterance as it is served, or the reason why there is none. */
export type Recording =
  | {
      readonly type: 'there'
      readonly mime: string
      /** As it is served: raw sound gets a header. */
      readonly sizeBytes: number
      /** Where its first bytes tell. */
      readonly durationMs?: number
      /** Reads its bytes from `start` up to, and without, `end`, in pieces; ends early where the file did. */
      read(start: number, end: number): AsyncGenerator<Uint8Array, void, undefined>
    }
  | {
      readonly type: 'missing'
      /** Paths that were searched. */
      readonly looked: readonly string[]
      /** Why what is there is refused, in words. */
      readonly reason?: string
    }

/** Status of a recording, as main answers it to the page. */
export const RecordingStatus = z.object({
  there: z.boolean(),
  /** Paths that were searched, as shown to people. */
  looked: z.array(z.string()),
  /** Why main refuses it, in words; absent where it exists, or is only missing. */
  reason: z.string().optional(),
  /** Duration, where it is known yet. */
  durationMs: z.number().nonnegative().optional(),
})
export type RecordingStatus = z.infer<typeof RecordingStatus>
