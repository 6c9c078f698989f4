import fs from 'node:fs'
import path from 'node:path'

/** A person's histories in four systems, as those systems write them. */
export interface Systems {
  /** `--root` for each of them. */
  readonly args: readonly string[]
  readonly cycodFile: string
  readonly roomFile: string
  readonly voiceFile: string
}

/** Lays out a chat of cycod's, a room of fluux-agent's and a day of voicemode's with a sound. */
export function fourSystems(folder: string): Systems {
  const cycodFile = path.join(folder, 'cycod/history/chat-history-1754437000000.jsonl')
  write(cycodFile, `\uFEFF${cycodLines.map((line) => JSON.stringify(line)).join('\n')}`)
  const roomFile = path.join(folder, 'fluux/crew@conference.example.org/history.jsonl')
  write(roomFile, lines(roomLines))
  const voiceFile = path.join(folder, 'voicemode/logs/conversations/exchanges_2026-03-28.jsonl')
  write(voiceFile, lines(voiceLines))
  const sound = path.join(folder, 'voicemode/audio/2026/03/20260328_090002_000_tide01_tts.wav')
  fs.mkdirSync(path.dirname(sound), { recursive: true })
  fs.writeFileSync(sound, soundOf(4))
  return {
    args: [
      ...['--root', `cycod=${path.join(folder, 'cycod')}`],
      ...['--root', `fluux=${path.join(folder, 'fluux')}`],
      ...['--root', `voicemode=${path.join(folder, 'voicemode')}`],
    ],
    cycodFile,
    roomFile,
    voiceFile,
  }
}

const cycodLines = [
  { _meta: { title: 'Tulips in rows', titleLocked: false } },
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: 'How far apart do tulips stand?' },
  { role: 'assistant', content: 'A hand.' },
]

const roomLines = [
  {
    type: 'session',
    version: 1,
    created: '2026-02-10T09:00:00+00:00',
    jid: 'crew@conference.example.org',
  },
  {
    type: 'message',
    role: 'user',
    content: 'fluux: when is high tide?',
    msg_id: 'm1',
    sender: 'ann@muc',
    ts: '2026-02-10T09:00:01+00:00',
  },
  {
    type: 'message',
    role: 'assistant',
    content: 'At noon, two metres.',
    msg_id: 'm2',
    ts: '2026-02-10T09:00:03+00:00',
  },
  {
    type: 'message',
    role: 'user',
    content: '',
    sender: 'ben the smith@muc',
    ts: '2026-02-10T09:00:05+00:00',
    reaction: { message_id: 'm2', emojis: ['🌊'] },
  },
]

const voice = {
  version: 3,
  conversation_id: 'conv_20260328_090000_tide01',
  project_path: '/home/ann/harbour',
  metadata: { voice_mode_version: '8.12.0', provider: 'kokoro', transport: 'local' },
}

const voiceLines = [
  { ...voice, timestamp: '2026-03-28T09:00:00+00:00', type: 'stt', text: 'Is the tide in?' },
  {
    ...voice,
    timestamp: '2026-03-28T09:00:02+00:00',
    type: 'tts',
    text: 'It comes in at noon.',
    audio_file: '20260328_090002_000_tide01_tts.wav',
  },
]

/** A line that voicemode adds to its day. */
export function voiceLine(text: string, second: number): string {
  const timestamp = `2026-03-28T09:01:${String(second).padStart(2, '0')}+00:00`
  return lines([{ ...voice, timestamp, type: second % 2 === 0 ? 'stt' : 'tts', text }])
}

function lines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

/** A quiet tone: PCM, 16 bits, mono, 8 kHz, in a WAV file. */
function soundOf(seconds: number): Buffer {
  const samples = 8000 * seconds
  const wav = Buffer.alloc(44 + samples * 2)
  wav.write('RIFF', 0, 'latin1')
  wav.writeUInt32LE(36 + samples * 2, 4)
  wav.write('WAVEfmt ', 8, 'latin1')
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(samples, 24)
  wav.writeUInt32LE(samples * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36, 'latin1')
  wav.writeUInt32LE(samples * 2, 40)
  for (let n = 0; n < samples; n++) wav.writeInt16LE(Math.round(1000 * Math.sin(n / 6)), 44 + n * 2)
  return wav
}
