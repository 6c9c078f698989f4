import type { AnswerMedia } from '../chat/provider'
import type { soundIn } from './media'

/** Collector of the media of one answer. */
export interface MediaCollector {
  /** Returns true where so many more characters still fit. */
  takes(length: number): boolean
  add(media: readonly AnswerMedia[]): void
  /** Adds a piece of a sound; returns its transcript. */
  addSound(sound: NonNullable<ReturnType<typeof soundIn>>): string
  /** All that came, each once. */
  whole(): readonly AnswerMedia[]
}

const mostMedia = 64
/** In characters of base64: some 96 MB of images and sounds. */
const mostLength = 128 * 1024 * 1024

/** Returns an empty collector; it takes up to 64 media. */
export function mediaCollector(): MediaCollector {
  const media = new Map<string, AnswerMedia>()
  const sound: string[] = []
  let format: string | undefined
  let length = 0
  return {
    takes: (more) => length + more <= mostLength,
    add(added) {
      for (const one of added) {
        if (media.has(one.url) || media.size >= mostMedia) continue
        media.set(one.url, one)
        length += one.url.length
      }
    },
    addSound(piece) {
      if (piece.data !== '') sound.push(piece.data)
      length += piece.data.length
      format = piece.format ?? format
      return piece.transcript
    },
    whole() {
      const all = [...media.values()]
      if (sound.length === 0) return all
      const url = `data:audio/${format ?? 'wav'};base64,${joined(sound)}`
      return [...all, { kind: 'audio', url }]
    },
  }
}

/** Pieces of base64, of which each may be padded for itself. */
function joined(pieces: readonly string[]): string {
  if (pieces.some((piece) => piece.length % 4 !== 0)) return pieces.join('')
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('base64')
}
