import { defaultTimeouts, type Timeouts } from '../../../shared/model/settings/timeouts'

/** Limits in time and bytes after which a request is given up. */
export interface StreamLimits {
  /**
   * To the first byte of the answer. Local models read a long prompt for minutes before they say anything.
   */
  readonly firstByteMs: number
  /** Between bytes after that; keep-alive comments count as bytes. A model may think for minutes without one. */
  readonly silenceMs: number
  /** For what may come behind a finish reason: some servers never close, and some say "stop" too early. */
  readonly tailMs: number
  /** For an error behind `[DONE]`, where the server does not close. */
  readonly doneMs: number
  /** Bytes of text, reasoning included, in UTF-8. */
  readonly answerBytes: number
  /** Bytes of one event: an endless one must not fill the memory. */
  readonly eventBytes: number
  /** Bytes of the whole stream: each token travels in some 300 bytes of JSON, and comments cost as well. */
  readonly streamBytes: number
}

/** Default limits of a request; 8 MiB of answer text and 1 GiB of stream. */
export const defaultLimits: StreamLimits = {
  ...timeoutLimits(defaultTimeouts),
  tailMs: 30_000,
  doneMs: 1_000,
  answerBytes: 8 * 1024 * 1024,
  eventBytes: 10 * 1024 * 1024,
  streamBytes: 1024 * 1024 * 1024,
}

/** Converts a provider's timeouts, in seconds, to limits in ms. */
export function timeoutLimits({
  firstByteSeconds,
  silenceSeconds,
}: Timeouts): Pick<StreamLimits, 'firstByteMs' | 'silenceMs'> {
  return { firstByteMs: firstByteSeconds * 1000, silenceMs: silenceSeconds * 1000 }
}
