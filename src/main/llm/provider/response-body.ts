import { type SseEvent, sseDecoder } from '../wire/sse'
import type { RequestTarget } from './failures'
import { tooLongAnswerError } from './network-failures'
import type { SilenceWatch } from './silence-watch'
import type { StreamLimits } from './stream-limits'

/** The form of a response body: an HTML page, one JSON document, or a stream of events. */
export type BodyForm = 'page' | 'document' | 'events'

/** A response's body while it is read. */
export interface ResponseBody {
  /** The form by its first bytes; undefined before they came. The content type is not trusted. */
  form(): BodyForm | undefined
  /** The texts that may hold JSON: the data of each event, or the whole document or page under no name. */
  pieces(): AsyncIterable<SseEvent>
  /** Returns the start of the body, to show when it is no answer. */
  head(): string
  /**
   * From now on silence of so many milliseconds ends the pieces instead of breaking them; undefined takes that back.
   */
  mayEndIn(ms: number | undefined): void
}

// Enough of a body that is no answer to show what it is; a page is not read further.
const headBytes = 8 * 1024

/**
 * Opens a body for reading within the limits. Pieces throw what reading throws, and ProviderError `too-much`.
 * Leaving them closes it.
 */
export function openResponseBody(
  response: Response,
  asked: RequestTarget,
  limits: StreamLimits,
  silence: SilenceWatch,
): ResponseBody {
  const head: Uint8Array[] = []
  let form: BodyForm | undefined
  let waitMs = limits.firstByteMs
  let endMs: number | undefined
  let total = 0

  async function* bytes(): AsyncGenerator<Uint8Array, void, void> {
    const reader = response.body?.getReader()
    if (reader === undefined) return
    try {
      for (;;) {
        const { done, value } = await silence.limit(endMs ?? waitMs, () => reader.read())
        if (done) return
        if (total < headBytes) head.push(new Uint8Array(value.subarray(0, headBytes - total)))
        total += value.length
        if (total > limits.streamBytes) throw tooLongAnswerError(asked)
        waitMs = limits.silenceMs
        yield value
      }
    } catch (error) {
      if (endMs === undefined || silence.brokenAfterMs === undefined) throw error
    } finally {
      // Fails where the connection is broken already: then there is nothing left to close. Not waited for: a
      // connection that hangs must not delay a stop.
      void reader.cancel().catch(() => undefined)
    }
  }

  async function* pieces(): AsyncGenerator<SseEvent, void, void> {
    const decoder = sseDecoder()
    const whole: Uint8Array[] = []
    for await (const part of bytes()) {
      form ??= formOf(total <= headBytes ? head : [part])
      if (form === 'events') {
        // Bytes from before the form was known are blank, or a part of the byte order mark.
        for (const before of whole.splice(0)) yield* decoder.push(before)
        yield* decoder.push(part)
        if (decoder.pendingBytes > limits.eventBytes) throw tooLongAnswerError(asked)
        continue
      }
      whole.push(part)
      if (form === 'page' && total >= headBytes) break
      if (total > limits.eventBytes) throw tooLongAnswerError(asked)
    }
    if (form === 'events') yield* decoder.end()
    else yield { data: textOf(whole), name: '' }
  }

  return {
    form: () => form,
    pieces,
    head: () => textOf(head),
    mayEndIn(ms) {
      endMs = ms
    },
  }
}

/** A byte order mark says nothing about what follows. */
function textOf(bytes: readonly Uint8Array[]): string {
  return Buffer.concat(bytes)
    .toString()
    .replace(/^\uFEFF/, '')
}

const byteOrderMark = Buffer.from('\uFEFF')

/** Undefined while nothing but blank space came, which some servers send to keep a connection open. */
function formOf(bytes: readonly Uint8Array[]): BodyForm | undefined {
  const start = Buffer.concat(bytes)
  if (start.length < byteOrderMark.length && byteOrderMark.indexOf(start) === 0) return undefined
  switch (textOf([start]).trimStart()[0]) {
    case undefined:
      return undefined
    case '<':
      return 'page'
    case '{':
    case '[':
      return 'document'
    default:
      return 'events'
  }
}
