import fc from 'fast-check'

/** An answer as it comes over the network. */
export interface SentAnswer {
  readonly pieces: readonly Uint8Array[]
  readonly contentType: string
}

const contentTypes = ['text/event-stream', 'application/json', 'text/html', 'text/plain', '']

/**
 * Draws ways in which these events may come: with heartbeats between them, any line ends, a byte order mark or none, cut
 * anywhere, under any content type.
 */
export function sentAnyhow(
  events: readonly string[],
  heartbeats: readonly string[],
): fc.Arbitrary<SentAnswer> {
  return fc
    .record({
      beats: fc.array(fc.tuple(fc.nat({ max: events.length }), fc.constantFrom(...heartbeats))),
      cuts: fc.array(fc.nat({ max: 20_000 }), { maxLength: 30 }),
      contentType: fc.constantFrom(...contentTypes),
      lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
      mark: fc.constantFrom('', '\uFEFF'),
    })
    .map(({ beats, cuts, contentType, lineEnd, mark }) => {
      const parts = [...events]
      for (const [at, beat] of beats) parts.splice(at, 0, beat)
      const bytes = new TextEncoder().encode(mark + parts.join('').replaceAll('\n', lineEnd))
      const places = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b)
      const pieces = [0, ...places].map((from, i) =>
        bytes.subarray(from, places[i] ?? bytes.length),
      )
      return { pieces, contentType }
    })
}
