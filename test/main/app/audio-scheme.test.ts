import { describe, expect, it } from 'vitest'
import { audioResponse, rangeOf } from '../../../src/main/app/audio-scheme'
import type { Recording } from '../../../src/shared/model/conversation/recording'

const sound = new TextEncoder().encode('0123456789')

/** A recording in memory that counts what was read of it. */
function recordingOf(bytes: Uint8Array, pieceBytes = 4) {
  const reads = { pieces: 0, isClosed: false }
  const recording: Extract<Recording, { type: 'there' }> = {
    type: 'there',
    mime: 'audio/mpeg',
    sizeBytes: bytes.length,
    async *read(start, end) {
      try {
        for (let at = start; at < end; at += pieceBytes) {
          reads.pieces++
          yield bytes.slice(at, Math.min(end, at + pieceBytes))
        }
      } finally {
        reads.isClosed = true
      }
    },
  }
  return { recording, reads }
}

function ask(path: string, recording: Recording, range?: string, method = 'GET') {
  const asked: string[][] = []
  const headers = new Headers(range === undefined ? {} : { range })
  const response = audioResponse(
    { url: `app://skein${path}`, method, headers },
    async (key, name) => {
      asked.push([key, name])
      return recording
    },
  )
  return { response, asked }
}

describe('a recording that is asked for', () => {
  it('comes whole, with its type and length, under names that were encoded', async () => {
    const { recording } = recordingOf(sound)
    const { response, asked } = ask('/audio/voicemode%3Aconv_1/a%20b%2Fc.mp3', recording)
    const { status, headers } = await response
    expect(asked).toEqual([['voicemode:conv_1', 'a b/c.mp3']])
    expect([status, headers.get('content-type'), headers.get('content-length')]).toEqual([
      200,
      'audio/mpeg',
      '10',
    ])
    expect(headers.get('accept-ranges')).toBe('bytes')
    expect(await (await response).text()).toBe('0123456789')
  })

  it.each([
    ['bytes=0-', '0123456789', 'bytes 0-9/10'],
    ['bytes=3-5', '345', 'bytes 3-5/10'],
    ['bytes=7-100', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
  ])('comes in the part that is asked for: %s', async (range, text, told) => {
    const { response } = ask('/audio/k/n.mp3', recordingOf(sound).recording, range)
    expect((await response).status).toBe(206)
    expect((await response).headers.get('content-range')).toBe(told)
    expect((await response).headers.get('content-length')).toBe(String(text.length))
    expect(await (await response).text()).toBe(text)
  })

  it('is refused from beyond its end', async () => {
    const { response } = ask('/audio/k/n.mp3', recordingOf(sound).recording, 'bytes=10-')
    expect((await response).status).toBe(416)
    expect((await response).headers.get('content-range')).toBe('bytes */10')
  })

  it('is read no further than it is taken, and let go when nobody takes more', async () => {
    const { recording, reads } = recordingOf(new Uint8Array(4000))
    const reader = (await ask('/audio/k/n.mp3', recording).response).body?.getReader()
    expect(reads.pieces).toBe(0)
    await reader?.read()
    expect(reads.pieces).toBe(1)
    await reader?.cancel()
    expect(reads).toEqual({ pieces: 1, isClosed: true })
  })

  it('breaks off where its file cannot be read any more', async () => {
    const broken: Recording = {
      type: 'there',
      mime: 'audio/mpeg',
      sizeBytes: 10,
      // biome-ignore lint/correctness/useYield: it fails before the first piece
      async *read() {
        throw new Error('gone')
      },
    }
    await expect((await ask('/audio/k/n.mp3', broken).response).text()).rejects.toThrow()
  })
})

describe('a look', () => {
  it('tells that it is there, and reads nothing', async () => {
    const { recording, reads } = recordingOf(sound)
    const { response } = ask('/audio/k/n.mp3?look', { ...recording, durationMs: 1500 })
    expect(await (await response).json()).toEqual({ there: true, looked: [], durationMs: 1500 })
    expect(reads.pieces).toBe(0)
  })

  it('tells where it was looked for, and why it is not given out', async () => {
    const missing: Recording = { type: 'missing', looked: ['~/v/audio/n.mp3'], reason: 'a link' }
    const look = await ask('/audio/k/n.mp3?look', missing).response
    expect([look.status, await look.json()]).toEqual([
      200,
      { there: false, looked: ['~/v/audio/n.mp3'], reason: 'a link' },
    ])
    expect((await ask('/audio/k/n.mp3', missing).response).status).toBe(404)
  })
})

it.each([
  ['/audio/k', 'GET'],
  ['/audio/k/a/b', 'GET'],
  ['/audio/k/%E0%A4%A', 'GET'],
  ['/audio/k/n.mp3', 'POST'],
])('refuses what names no recording: %s %s', async (path, method) => {
  const { response, asked } = ask(path, recordingOf(sound).recording, undefined, method)
  expect((await response).status).toBe(400)
  expect(asked).toEqual([])
})

it('answers when looking for it fails', async () => {
  const request = { url: 'app://skein/audio/k/n.mp3', method: 'GET', headers: new Headers() }
  const response = await audioResponse(request, () => Promise.reject(new Error('no home is open')))
  expect(response.status).toBe(500)
})

it.each([null, '', 'bytes=', 'bytes=-', 'lines=1-2', 'bytes=5-2', 'bytes=0-1,4-5', 'bytes=a-b'])(
  'sends all where a range has no sense: %s',
  (range) => expect(rangeOf(range, 10)).toBeUndefined(),
)

it('has no part of an empty recording', () => {
  expect(rangeOf('bytes=0-', 0)).toBe('unsatisfiable')
  expect(rangeOf('bytes=-5', 0)).toBe('unsatisfiable')
})
