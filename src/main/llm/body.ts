import type { Asked } from './failures'
import type { StreamLimits } from './limits'
import { tooMuch } from './network-failures'
import type { SilenceWatch } from './silence'
import { sseDecoder } from './sse'

/** A response's body while it is read. */
export interface Body {
  /** `page`: HTML. `document`: one JSON value. `events`: anything else is read as a stream of events. */
  readonly form: 'page' | 'document' | 'events'
  /** The texts that may hold JSON: the data of each event, or the whole document or page. */
  pieces(): AsyncIterable<string>
  /** The start of what came, to show when it is no answer. */
  head(): string
  /** From now on the end is near: waits for it only a little. */
  expectEnd(): void
}

// Enough of a body that is no answer to show what it is; a page is not read further.
const headBytes = 8 * 1024

/** Reads a body within the limits. Pieces throw what reading throws, and ProviderError `too-much`. Leaving them closes it. */
export function bodyOf(
  response: Response,
  asked: Asked,
  limits: StreamLimits,
  silence: SilenceWatch,
): Body {
  const media = response.headers.get('content-type')?.toLowerCase() ?? ''
  const form = media.includes('html') ? 'page' : media.includes('json') ? 'document' : 'events'
  const head: Uint8Array[] = []
  let waitMs = limits.firstByteMs
  let atEnd = false
  let total = 0

  async function* bytes(): AsyncGenerator<Uint8Array, void, void> {
    const reader = response.body?.getReader()
    if (reader === undefined) return
    try {
      for (;;) {
        const { done, value } = await silence.limit(waitMs, () => reader.read())
        if (done) return
        if (total < headBytes) head.push(new Uint8Array(value.subarray(0, headBytes - total)))
        total += value.length
        if (total > limits.streamBytes) throw tooMuch(asked)
        if (!atEnd) waitMs = limits.silenceMs
        yield value
      }
    } finally {
      // Fails where the connection is broken already: then there is nothing left to close. Not waited for: a
      // connection that hangs must not keep anybody who has stopped.
      void reader.cancel().catch(() => undefined)
    }
  }

  async function* whole(limitBytes: number): AsyncGenerator<string, void, void> {
    const parts: Uint8Array[] = []
    for await (const part of bytes()) {
      parts.push(part)
      if (total < limitBytes) continue
      if (form === 'document') throw tooMuch(asked)
      break
    }
    yield Buffer.concat(parts).toString()
  }

  async function* events(): AsyncGenerator<string, void, void> {
    const decoder = sseDecoder()
    for await (const part of bytes()) {
      for (const event of decoder.push(part)) yield event.data
      if (decoder.pendingBytes > limits.eventBytes) throw tooMuch(asked)
    }
    for (const event of decoder.end()) yield event.data
  }

  return {
    form,
    pieces: () =>
      form === 'events' ? events() : whole(form === 'page' ? headBytes : limits.eventBytes),
    head: () => Buffer.concat(head).toString(),
    expectEnd() {
      atEnd = true
      waitMs = limits.tailMs
    },
  }
}
