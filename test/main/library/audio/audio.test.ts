import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { findAudio } from '../../../../src/main/library/audio/audio'
import { type History, openHistories } from '../../../../src/main/library/sources/histories'
import { voicemodeReader } from '../../../../src/main/readers/voicemode/voicemode'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const key = LibraryKey.parse('voicemode:conv_1')

/** The one conversation of a voicemode folder. */
function historiesAt(root: string, source: 'voicemode' | 'cycod' = 'voicemode') {
  const ref = { source, root, key: 'conv_1', files: [], bytes: 0, updatedAtMs: undefined }
  const history: History = { key, reader: voicemodeReader, ref }
  return { find: async (asked: LibraryKey) => (asked === key ? history : undefined) }
}

function put(base: string, file: string, content: string | Uint8Array): string {
  const full = path.join(base, file)
  fs.mkdirSync(path.dirname(full), { recursive: true })
  fs.writeFileSync(full, content)
  return full
}

const find = (root: string, name: string) => findAudio(nodeDisk, historiesAt(root), key, name)

async function bytesOf(
  found: Awaited<ReturnType<typeof find>>,
  start = 0,
  end?: number,
): Promise<Buffer> {
  if (found.type === 'missing') throw new Error('missing')
  const pieces: Uint8Array[] = []
  for await (const piece of found.read(start, end ?? found.sizeBytes)) pieces.push(piece)
  return Buffer.concat(pieces)
}

it('finds a recording in the folder of its month, else where older versions put all', async () => {
  const base = folder()
  put(base, 'audio/2025/06/20250628_103045_123_ab_tts.mp3', 'new')
  put(base, 'audio/20250628_103045_123_ab_tts.mp3', 'old and of the same name')
  put(base, 'audio/20250101_000000_000_ab_stt.wav', 'flat')
  const found = await find(base, '20250628_103045_123_ab_tts.mp3')
  expect(found).toMatchObject({ type: 'there', mime: 'audio/mpeg', sizeBytes: 3 })
  expect((await bytesOf(found)).toString()).toBe('new')
  expect((await bytesOf(await find(base, '20250101_000000_000_ab_stt.wav'))).toString()).toBe(
    'flat',
  )
})

it('finds it from a root that is the folder of the day files', async () => {
  const base = folder()
  put(base, 'audio/a.ogg', 'sound')
  const days = path.join(base, 'logs/conversations')
  fs.mkdirSync(days, { recursive: true })
  expect((await bytesOf(await find(days, 'a.ogg'))).toString()).toBe('sound')
})

it('tells where it looked for one that is not there', async () => {
  const base = folder()
  expect(await find(base, '20250628_103045_123_ab_tts.mp3')).toEqual({
    type: 'missing',
    looked: [
      path.join(base, 'audio/2025/06/20250628_103045_123_ab_tts.mp3'),
      path.join(base, 'audio/20250628_103045_123_ab_tts.mp3'),
    ],
  })
})

it("finds a sound by its path below voicemode's folder, or below its `audio`", async () => {
  const base = folder()
  put(base, 'audio/a/b.mp3', 'inner')
  put(base, 'kept/c.mp3', 'kept')
  expect((await bytesOf(await find(base, 'a/b.mp3'))).toString()).toBe('inner')
  expect((await bytesOf(await find(base, 'kept/c.mp3'))).toString()).toBe('kept')
})

it.each([
  '../secret.mp3',
  '/a/b.mp3',
  'a/../b.mp3',
  'a\\b.mp3',
  '..',
  '.',
  '',
  'c:x.mp3',
  'a\0.mp3',
  'x..mp3',
])('refuses a name that leads elsewhere: %j', async (name) => {
  const base = folder()
  put(base, 'secret.mp3', 'secret')
  put(base, 'audio/a/b.mp3', 'inner')
  expect(await find(base, name)).toMatchObject({ type: 'missing', looked: [] })
})

it('refuses a link that leads out of the folder, and follows one inside', async () => {
  const base = folder()
  const secret = put(folder(), 'secret.mp3', 'secret')
  put(base, 'audio/real.mp3', 'sound')
  fs.symlinkSync(secret, path.join(base, 'audio/out.mp3'))
  fs.symlinkSync('real.mp3', path.join(base, 'audio/in.mp3'))
  expect(await find(base, 'out.mp3')).toMatchObject({
    type: 'missing',
    reason: expect.stringContaining('link'),
  })
  expect((await bytesOf(await find(base, 'in.mp3'))).toString()).toBe('sound')
})

it('gives out sound files alone, of voicemode alone, that are files', async () => {
  const base = folder()
  put(base, 'audio/notes.txt', 'text')
  fs.mkdirSync(path.join(base, 'audio/folder.mp3'))
  put(base, 'audio/a.mp3', 'sound')
  expect(await find(base, 'notes.txt')).toMatchObject({ type: 'missing' })
  expect(await find(base, 'folder.mp3')).toMatchObject({ type: 'missing' })
  const other = historiesAt(base, 'cycod')
  expect(await findAudio(nodeDisk, other, key, 'a.mp3')).toMatchObject({ type: 'missing' })
  const unknown = LibraryKey.parse('voicemode:other')
  expect(await findAudio(nodeDisk, historiesAt(base), unknown, 'a.mp3')).toMatchObject({
    type: 'missing',
  })
})

it('gives any part of a file, in pieces', async () => {
  const base = folder()
  const sound = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251))
  put(base, 'audio/long.flac', sound)
  const found = await find(base, 'long.flac')
  for (const [start, end] of [
    [0, 200_000],
    [65_535, 65_537],
    [199_999, 200_000],
    [10, 10],
  ] as const)
    expect(await bytesOf(found, start, end)).toEqual(sound.subarray(start, end))
})

it('makes a WAV file of raw sound, whole and in any part', async () => {
  const base = folder()
  const raw = Buffer.from(Array.from({ length: 96 }, (_, at) => at))
  put(base, 'audio/a.pcm', raw)
  const found = await find(base, 'a.pcm')
  // 48 samples at 24 kHz.
  expect(found).toMatchObject({ type: 'there', mime: 'audio/wav', sizeBytes: 140, durationMs: 2 })
  const wav = await bytesOf(found)
  // Field by field, after the description of the format by IBM and Microsoft.
  expect(wav.toString('latin1', 0, 4)).toBe('RIFF')
  expect(wav.readUInt32LE(4)).toBe(132)
  expect(wav.toString('latin1', 8, 16)).toBe('WAVEfmt ')
  expect([wav.readUInt32LE(16), wav.readUInt16LE(20), wav.readUInt16LE(22)]).toEqual([16, 1, 1])
  expect([wav.readUInt32LE(24), wav.readUInt32LE(28)]).toEqual([24_000, 48_000])
  expect([wav.readUInt16LE(32), wav.readUInt16LE(34)]).toEqual([2, 16])
  expect(wav.toString('latin1', 36, 40)).toBe('data')
  expect(wav.readUInt32LE(40)).toBe(96)
  expect(wav.subarray(44)).toEqual(raw)
  for (let start = 0; start < 60; start++)
    for (const end of [start, start + 1, 44, 45, 140])
      expect(await bytesOf(found, start, end)).toEqual(wav.subarray(start, Math.max(start, end)))
})

it('tells how long a WAV file lasts, however long its header says that it is', async () => {
  const base = folder()
  const file = Buffer.alloc(44 + 8000)
  file.write('RIFF\0\0\0\0WAVEfmt ', 0, 'latin1')
  file.writeUInt32LE(16_000, 28)
  file.write('data', 36, 'latin1')
  for (const [told, durationMs] of [
    [8000, 500],
    [4000, 250],
    [0xffff_ffff, 500],
  ] as const) {
    file.writeUInt32LE(told, 40)
    put(base, 'audio/a.wav', file)
    expect(await find(base, 'a.wav')).toMatchObject({ sizeBytes: 8044, durationMs })
  }
  put(base, 'audio/short.wav', 'RIFF')
  put(base, 'audio/other.wav', 'x'.repeat(100))
  for (const name of ['short.wav', 'other.wav'])
    expect(await find(base, name)).not.toHaveProperty('durationMs')
})

it('finds the recordings of a conversation that the library lists, whatever of voicemode is its root', async () => {
  const base = folder()
  const line = { version: 2, timestamp: '2025-07-14T09:00:00+02:00', type: 'tts', text: 'Ready.' }
  const day = put(
    base,
    'logs/conversations/exchanges_2025-07-14.jsonl',
    `${JSON.stringify({ ...line, conversation_id: 'conv_1' })}\n`,
  )
  put(base, 'audio/20250714_090000_000_ab_tts.mp3', 'sound')
  for (const root of [base, path.dirname(day), day]) {
    const histories = openHistories(nodeDisk, [{ source: 'voicemode', path: root }])
    const found = await findAudio(nodeDisk, histories, key, '20250714_090000_000_ab_tts.mp3')
    expect((await bytesOf(found)).toString(), root).toBe('sound')
  }
})
