import { z } from 'zod'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'

/** Status of a recording, as main answers it. */
export const RecordingStatus = z.object({
  there: z.boolean(),
  /** Paths that were searched, as shown to people. */
  looked: z.array(z.string()),
  /** Why main refuses it, in words; absent where it exists, or is only missing. */
  reason: z.string().optional(),
  /** Duration, where it is known yet. */
  durationMs: z.number().nonnegative().optional(),
  /** The file exists, but cannot be played. */
  isBroken: z.boolean().optional(),
})
export type RecordingStatus = z.infer<typeof RecordingStatus>

interface Recording {
  readonly key: LibraryKey
  readonly name: string
}

/**
 * Returns the URL of a recording's bytes, relative to the page; undefined where its name is not well-formed Unicode.
 */
export function recordingUrl({ key, name }: Recording): string | undefined {
  try {
    return `audio/${encodeURIComponent(key)}/${encodeURIComponent(name)}`
  } catch {
    // Half of a surrogate pair.
    return undefined
  }
}

/** Returns the URL of a recording's status; undefined where its name is not well-formed Unicode. */
export function recordingStatusUrl(recording: Recording): string | undefined {
  const url = recordingUrl(recording)
  return url === undefined ? undefined : `${url}?look`
}
