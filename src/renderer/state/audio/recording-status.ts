import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { RecordingStatus } from '../../../shared/model/conversation/recording'

/** Status of a recording: main's answer, and whether playing it failed. */
export interface PlayedStatus extends RecordingStatus {
  /** The file exists, but cannot be played. */
  readonly isBroken?: boolean
}

interface RecordingName {
  readonly key: LibraryKey
  readonly name: string
}

/**
 * Returns the URL of a recording's bytes, relative to the page; undefined where its name is not well-formed Unicode.
 */
export function recordingUrl({ key, name }: RecordingName): string | undefined {
  try {
    return `audio/${encodeURIComponent(key)}/${encodeURIComponent(name)}`
  } catch {
    // Half of a surrogate pair.
    return undefined
  }
}

/** Returns the URL of a recording's status; undefined where its name is not well-formed Unicode. */
export function recordingStatusUrl(recording: RecordingName): string | undefined {
  const url = recordingUrl(recording)
  return url === undefined ? undefined : `${url}?look`
}
