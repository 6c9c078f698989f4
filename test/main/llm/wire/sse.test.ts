import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sseDecoder } from '../../../../src/main/llm/wire/sse'

function decode(...pieces: readonly (string | Uint8Array)[]): readonly string[] {
  const decoder = sseDecoder()
  const events = pieces.flatMap((piece) =>
    decoder.push(typeof piece === 'string' ? Buffer.from(piece) : piece),
  )
  return [...events, ...decoder.end()].map(({ data }) => data)
}

describe('the event stream decoder', () => {
  it.each([
    ['joins the data lines of one event', 'data: a\ndata: b\n\n', ['a\nb']],
    ['takes one space after the colon away, no more', 'data:  a\n\ndata:b\n\n', [' a', 'b']],
    ['drops comments and other fields', ': ping\nevent: x\nid: 1\nretry: 5\ndata: a\n\n', ['a']],
    ['gives nothing for an event without data', 'event: x\n\n: ping\n\n', []],
    ['ends lines at CRLF, LF and CR', 'data: a\r\n\r\ndata: b\r\rdata: c\n\n', ['a', 'b', 'c']],
    ['takes a byte order mark for none of the data', '\uFEFFdata: a\n\n', ['a']],
    ['gives the last event without its blank line', 'data: a\n\ndata: b', ['a', 'b']],
    ['knows an empty data line', 'data\ndata:\n\n', ['\n']],
  ])('%s', (_name, text, expected) => {
    expect(decode(text)).toEqual(expected)
  })

  it('replaces bytes that are no UTF-8', () => {
    expect(decode(Buffer.from([...Buffer.from('data: a'), 0xff, 0x0a, 0x0a]))).toEqual(['a\uFFFD'])
  })

  it('gives the same events however the bytes are split', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme' }).map((text) => `data: ${text}`),
      fc.constantFrom('', '', ': comment', 'event: x', 'data', 'data:花'),
    )
    const stream = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')))
      .map((lines) => Buffer.from(lines.map(([text, end]) => text + end).join('')))
    fc.assert(
      fc.property(stream, fc.array(fc.nat()), (bytes, cuts) => {
        const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort(
          (a, b) => a - b,
        )
        const pieces = [0, ...places].map((from, index) =>
          bytes.subarray(from, places[index] ?? bytes.length),
        )
        expect(decode(...pieces)).toEqual(decode(bytes))
        expect(decode(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(decode(bytes))
      }),
    )
  })

  it('keeps what it was given, also when the buffer is used again', () => {
    const decoder = sseDecoder()
    const buffer = Buffer.from('data: first')
    decoder.push(buffer)
    buffer.fill(0x78)
    expect(decoder.push(Buffer.from('\n\n'))).toEqual([{ data: 'first', name: '' }])
  })

  it('counts what waits for its end', () => {
    const decoder = sseDecoder()
    decoder.push(Buffer.from('data: 1234\ndata: 56'))
    expect(decoder.pendingBytes).toBe(4 + 'data: 56'.length)
    decoder.push(Buffer.from('\n\n'))
    expect(decoder.pendingBytes).toBe(0)
  })
})
