import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { LibraryRoot } from '../../src/main/library/sources/roots'
import { createRandom, type Random } from './random'
import { createWriter } from './text'

/** Where a corpus lies: a home, and other systems' histories beside it. */
export interface Corpus {
  readonly home: string
  readonly roots: readonly LibraryRoot[]
  /** Conversations that the library lists. */
  readonly conversations: number
}

type MakeLine = (n: number, text: string) => Readonly<Record<string, unknown>>

const pooledTexts = 2000
const bornAt = 1_754_437_000
const voicesADay = 4

/**
 * Files of four systems, a quarter each: contexts of a home, cycod's histories, fluux-agent's rooms with their archived
 * sessions, and voicemode's days, each with four conversations. Most files are small, some large, as people have them.
 * The same for the same numbers.
 *
 * @param bytes of all files together
 */
export async function writeHistories(
  folder: string,
  files: number,
  bytes: number,
): Promise<Corpus> {
  const random = createRandom(7)
  const writer = createWriter(random)
  const texts = Array.from({ length: pooledTexts }, () => writer.text(40 + random.below(2000)))
  const sizes = Array.from({ length: files }, () => 1 / (0.02 + random.next()))
  const scale = bytes / sizes.reduce((sum, size) => sum + size, 0)
  let conversations = 0
  for (const [n, size] of sizes.entries()) {
    const place = placeOf(folder, n)
    mkdirSync(path.dirname(place.file), { recursive: true })
    await writeFile(place.file, size * scale, place.line, texts, random)
    conversations += place.conversations
  }
  return {
    home: path.join(folder, 'home'),
    roots: [
      { source: 'cycod', path: path.join(folder, 'cycod') },
      { source: 'fluux', path: path.join(folder, 'fluux') },
      { source: 'voicemode', path: path.join(folder, 'voicemode') },
    ],
    conversations,
  }
}

function placeOf(folder: string, n: number) {
  switch (n % 4) {
    case 0: {
      const file = path.join(folder, 'home/contexts', `context-${n}`, 'transcript/active.jsonl')
      return { file, line: contextLine, conversations: 1 }
    }
    case 1: {
      const file = path.join(folder, 'cycod/history', `chat-history-${bornAt * 1000 + n}.jsonl`)
      return { file, line: cycodLine, conversations: 1 }
    }
    case 2: {
      const room = path.join(folder, 'fluux', `room-${n % 40}@conference.example.org`)
      const name = n < 42 ? 'history.jsonl' : `sessions/${stampOf(n)}.jsonl`
      return { file: path.join(room, name), line: fluuxLine, conversations: 1 }
    }
    default: {
      const day = new Date((bornAt - n * 43_200) * 1000).toISOString().slice(0, 10)
      const file = path.join(folder, 'voicemode/logs/conversations', `exchanges_${day}.jsonl`)
      return { file, line: voiceLineOf(day, n), conversations: voicesADay }
    }
  }
}

function stampOf(n: number): string {
  const time = new Date((bornAt - n * 7200) * 1000).toISOString()
  return `${time.slice(0, 10).replaceAll('-', '')}-${time.slice(11, 19).replaceAll(':', '')}`
}

const contextLine: MakeLine = (n, content) => ({
  id: `${n.toString(16).padStart(8, '0')}-4a1c-4e7b-9d2f-3b8c5a6e7f10`,
  timestamp: 1_770_000_000 + n,
  from: n % 2 === 0 ? 'user' : 'bench',
  to: n % 2 === 0 ? 'bench' : 'user',
  content,
  entry_type: 'message',
  metadata: n % 2 === 0 ? {} : { model: `model-${n % 7}` },
})

const cycodLine: MakeLine = (n, content) => {
  if (n % 10 === 0) return { role: 'system', content }
  if (n % 10 < 4) return { role: n % 2 === 0 ? 'user' : 'assistant', content }
  const id = `call_${n.toString(36)}`
  return n % 2 === 0
    ? {
        role: 'assistant',
        tool_calls: [{ id, type: 'function', function: { name: 'run', arguments: `{"a":${n}}` } }],
      }
    : { role: 'tool', tool_call_id: id, content }
}

const fluuxLine: MakeLine = (n, content) => {
  const ts = new Date((bornAt + n * 20) * 1000).toISOString().replace('Z', '456789+00:00')
  if (n === 0) return { type: 'session', version: 1, created: ts, jid: 'room@example.org' }
  return n % 3 === 0
    ? { type: 'message', role: 'assistant', content, msg_id: `out-${n}`, ts }
    : { type: 'message', role: 'user', content, msg_id: `in-${n}`, sender: `p${n % 5}@muc`, ts }
}

/** Conversations one after another, but for the moments in which two servers talk at once. */
function voiceLineOf(day: string, file: number): MakeLine {
  return (n, text) => {
    const part = Math.min(voicesADay - 1, n % 7 === 0 ? n % voicesADay : Math.floor(n / 25))
    const time = new Date(Date.parse(`${day}T08:00:00Z`) + n * 9000).toISOString()
    return {
      version: 3,
      timestamp: time.replace('Z', '000+00:00'),
      conversation_id: `conv_${day.replaceAll('-', '')}_080000_${file}v${part}`,
      type: n % 2 === 0 ? 'stt' : 'tts',
      text,
      project_path: `/home/mira/project-${file % 9}`,
      metadata: { voice_mode_version: '8.12.0', model: `voice-${n % 3}`, provider: 'kokoro' },
    }
  }
}

async function writeFile(
  file: string,
  bytes: number,
  make: MakeLine,
  texts: readonly string[],
  random: Random,
): Promise<void> {
  const stream = createWriteStream(file)
  const isVoice = file.includes('exchanges_')
  let written = 0
  // A day has all its conversations, however small its file.
  for (let n = 0; written < bytes || (isVoice && n <= 25 * voicesADay); n++) {
    const line = `${jsonOf(make(n, texts[random.below(texts.length)] ?? ''), isVoice)}\n`
    written += line.length
    if (!stream.write(line)) await once(stream, 'drain')
  }
  stream.end()
  await once(stream, 'close')
}

/** voicemode writes as Python does: a space after each comma and colon outside of strings. */
function jsonOf(value: Readonly<Record<string, unknown>>, asPython: boolean): string {
  if (!asPython) return JSON.stringify(value)
  const pairs = Object.entries(value).map(([key, one]) => {
    const isObject = typeof one === 'object' && one !== null
    const json = isObject ? jsonOf({ ...one }, true) : JSON.stringify(one)
    return `${JSON.stringify(key)}: ${json}`
  })
  return `{${pairs.join(', ')}}`
}
