/** One event of a server-sent event stream: the joined text of its `data` lines. */
export interface SseEvent {
  readonly data: string
}

/** Takes bytes as they come and gives the events that they complete. */
export interface SseDecoder {
  push(bytes: Uint8Array): readonly SseEvent[]
  /** The events that the end of the stream completes: one without its blank line counts. */
  end(): readonly SseEvent[]
  /** Bytes that wait for the end of their line or event. */
  readonly pendingBytes: number
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Decodes `text/event-stream` (WHATWG HTML, section 9.2) in time linear in the bytes, however they are split.
 *
 * The `openai` package's own decoder copies and searches all that is pending for every event, which takes
 * seconds of CPU on a flood, and swallows `[DONE]`, without which a cut stream cannot be told from a whole one.
 * `event`, `id` and `retry` fields mean nothing in chat completions and are dropped, comments too.
 */
export function sseDecoder(): SseDecoder {
  const text = new TextDecoder('utf-8', { ignoreBOM: true })
  let pieces: Uint8Array[] = []
  let pieceBytes = 0
  let data: string[] = []
  let dataLength = 0
  let afterReturn = false
  let firstLine = true

  const takeLine = (into: SseEvent[]) => {
    const line = text.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))
    pieces = []
    pieceBytes = 0
    const clean = firstLine && line.startsWith('\uFEFF') ? line.slice(1) : line
    firstLine = false
    if (clean === '') return takeEvent(into)
    const value = dataOf(clean)
    if (value === undefined) return
    data.push(value)
    dataLength += value.length
  }

  const takeEvent = (into: SseEvent[]) => {
    if (data.length > 0) into.push({ data: data.join('\n') })
    data = []
    dataLength = 0
  }

  const keep = (bytes: Uint8Array) => {
    if (bytes.length === 0) return
    pieces.push(bytes)
    pieceBytes += bytes.length
  }

  return {
    push(bytes) {
      const events: SseEvent[] = []
      let start = 0
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at]
        if (byte !== lineFeed && byte !== carriageReturn) {
          afterReturn = false
          continue
        }
        // The LF of a CRLF, which may come in another chunk, ends no second line.
        if (byte === lineFeed && afterReturn) {
          afterReturn = false
          start = at + 1
          continue
        }
        afterReturn = byte === carriageReturn
        keep(bytes.subarray(start, at))
        takeLine(events)
        start = at + 1
      }
      // A copy: whoever gave the bytes may use their buffer again.
      keep(new Uint8Array(bytes.subarray(start)))
      return events
    },
    end() {
      const events: SseEvent[] = []
      if (pieceBytes > 0) takeLine(events)
      takeEvent(events)
      return events
    },
    get pendingBytes() {
      return pieceBytes + dataLength
    },
  }
}

/** The value of a `data` field; undefined for comments and other fields. */
function dataOf(line: string): string | undefined {
  if (line === 'data') return ''
  if (!line.startsWith('data:')) return undefined
  return line.startsWith('data: ') ? line.slice(6) : line.slice(5)
}
