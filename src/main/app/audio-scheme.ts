import type { Recording, RecordingStatus } from '../../shared/model/conversation/recording'
import { audioPath, parsePageUrl, partsBelow } from './address'

/** A function that finds a recording by its conversation's key and its file's name; both come from the page. */
export type FindRecording = (key: string, name: string) => Promise<Recording>

/**
 * Answers a request for `/audio/<key>/<name>`, each encoded: the bytes, or the range that is asked for, streamed as
 * they are read; with `?look`, whether it is there, as `{ there, looked, reason?, durationMs? }`. Never rejects.
 */
export async function audioResponse(
  request: { readonly url: string; readonly method: string; readonly headers: Headers },
  find: FindRecording,
): Promise<Response> {
  const [key, name] = partsBelow(audioPath, request.url, 2) ?? []
  if (key === undefined || name === undefined || request.method !== 'GET')
    return textResponse(400, 'bad request')
  try {
    const recording = await find(key, name)
    if (parsePageUrl(request.url)?.search === '?look') return lookResponse(recording)
    if (recording.type === 'missing') return textResponse(404, 'not found')
    return bytesResponse(recording, request.headers.get('range'))
  } catch {
    return textResponse(500, 'cannot be read')
  }
}

function lookResponse(recording: Recording): Response {
  const look: RecordingStatus =
    recording.type === 'there'
      ? { there: true, looked: [], durationMs: recording.durationMs }
      : { there: false, looked: [...recording.looked], reason: recording.reason }
  return new Response(JSON.stringify(look), {
    headers: { ...headers, 'content-type': 'application/json' },
  })
}

function bytesResponse(
  recording: Extract<Recording, { type: 'there' }>,
  range: string | null,
): Response {
  const { mime, sizeBytes } = recording
  const part = rangeOf(range, sizeBytes)
  if (part === 'unsatisfiable')
    return new Response('', {
      status: 416,
      headers: { ...headers, 'content-range': `bytes */${sizeBytes}` },
    })
  const { start, end } = part ?? { start: 0, end: sizeBytes }
  return new Response(streamOf(recording.read(start, end)), {
    status: part === undefined ? 200 : 206,
    headers: {
      ...headers,
      'content-type': mime,
      'content-length': String(end - start),
      'accept-ranges': 'bytes',
      ...(part === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${sizeBytes}` }),
    },
  })
}

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
} as const

function textResponse(status: number, words: string): Response {
  return new Response(words, { status, headers: { ...headers, 'content-type': 'text/plain' } })
}

/**
 * Parses a Range header into bytes up to, and without, `end`. Undefined where all are to be sent: there is none, or
 * one that may be ignored (several parts, another unit, no sense).
 */
export function rangeOf(
  range: string | null,
  sizeBytes: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const start = Math.max(0, sizeBytes - Number(last))
    return start < sizeBytes ? { start, end: sizeBytes } : 'unsatisfiable'
  }
  const start = Number(first)
  const end = last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1)
  if (last !== '' && Number(last) < start) return undefined
  return start < sizeBytes ? { start, end } : 'unsatisfiable'
}

/** Streams the bytes as they are read; cancelling closes the file. */
function streamOf(bytes: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await bytes.next()
          if (next.done === true) controller.close()
          else controller.enqueue(next.value)
        } catch (error) {
          controller.error(error)
        }
      },
      async cancel() {
        await bytes.return()
      },
    },
    // Nothing is read before it is asked for.
    { highWaterMark: 0 },
  )
}
