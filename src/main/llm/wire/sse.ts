import { parsedJson } from './json-fields'

/** One event of a server-sent event stream. */
export interface SseEvent {
  /** The joined text of its `data` lines. */
  readonly data: string
  /** Its `event` field; '' where it has none. */
  readonly name: string
}

/** Decoder of a stream of events: takes bytes as they come and returns the events that they complete. */
export interface SseDecoder {
  push(bytes: Uint8Array): readonly SseEvent[]
  /** The events that the end of the stream completes: one without its blank line counts. */
  end(): readonly SseEvent[]
  /** Bytes that wait for the end of their line or event. */
  readonly pendingBytes: number
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
/** Attempts to parse an event's data as JSON before its end: a value over many lines must not cost more and more. */
const mostTries = 4

/**
 * Decodes `text/event-stream` (WHATWG HTML, section 9.2) in time linear in the bytes, however they are split.
 *
 * The `openai` package's own decoder copies and searches all pending bytes for every event, which takes seconds of
 * CPU on a flood, and swallows `[DONE]`, which tells a whole stream from a cut one. `id` and `retry` fields mean
 * nothing in chat completions and are dropped, as are comments.
 *
 * It accepts two things beyond the standard: events separated by one line feed, each of one line of data, and JSON
 * on a line without `data:`, such as an error that a gateway writes into the stream.
 */
export function sseDecoder(): SseDecoder {
  const text = new TextDecoder('utf-8', { ignoreBOM: true })
  let pieces: Uint8Array[] = []
  let pieceBytes = 0
  let data: string[] = []
  let dataLength = 0
  let tries = 0
  let name = ''
  let afterReturn = false
  let firstLine = true

  const takeLine = (into: SseEvent[]) => {
    const line = text.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))
    pieces = []
    pieceBytes = 0
    const clean = firstLine && line.startsWith('\uFEFF') ? line.slice(1) : line
    firstLine = false
    if (clean === '') return takeEvent(into)
    const field = fieldOf(clean)
    if (field === undefined) return
    if (data.length > 0 && isWhole()) takeEvent(into)
    if (field.name === 'event') {
      name = field.value
      return
    }
    const { value } = field
    data.push(value)
    dataLength += value.length
  }

  const takeEvent = (into: SseEvent[]) => {
    if (data.length > 0) into.push({ data: data.join('\n'), name })
    data = []
    dataLength = 0
    tries = 0
    name = ''
  }

  /** Returns true where the data so far is a whole event, though no blank line came. */
  const isWhole = () => {
    const last = data.at(-1)?.trimEnd() ?? ''
    if (last.startsWith('[DONE]')) return true
    if (!/[}\]]$/.test(last) || tries++ >= mostTries) return false
    return parsedJson(data.join('\n')) !== undefined
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
      // A copy: the caller may use its buffer again.
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

/** The `data` or `event` field of a line; undefined for comments and other fields. */
function fieldOf(
  line: string,
): { readonly name: 'data' | 'event'; readonly value: string } | undefined {
  if (line.startsWith('{')) return { name: 'data', value: line }
  for (const name of ['data', 'event'] as const) {
    if (line === name) return { name, value: '' }
    if (!line.startsWith(`${name}:`)) continue
    const value = line.slice(name.length + 1)
    return { name, value: value.startsWith(' ') ? value.slice(1) : value }
  }
  return undefined
}
