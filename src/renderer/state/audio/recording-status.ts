import { z } from 'zod'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'

/** What main says of a recording. */
export const RecordingStatus = z.object({
  there: z.boolean(),
  /** Where it was looked for, as people write it. */
  looked: z.array(z.string()),
  /** Why it is not given out, in words; absent where it is there, or simply is not. */
  reason: z.string().optional(),
  /** How long it lasts, as far as somebody knows yet. */
  durationMs: z.number().nonnegative().optional(),
  /** It is there, and what is in it cannot be played. */
  isBroken: z.boolean().optional(),
})
export type RecordingStatus = z.infer<typeof RecordingStatus>

interface Recording {
  readonly key: LibraryKey
  readonly name: string
}

/** Where its bytes are, for the page alone; undefined where its name is not one of a file. */
export function recordingUrl({ key, name }: Recording): string | undefined {
  try {
    return `audio/${encodeURIComponent(key)}/${encodeURIComponent(name)}`
  } catch {
    // Half of a surrogate pair.
    return undefined
  }
}

/** Where main tells whether it is there. */
export function recordingStatusUrl(recording: Recording): string | undefined {
  const url = recordingUrl(recording)
  return url === undefined ? undefined : `${url}?look`
}
