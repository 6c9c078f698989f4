import path from 'node:path'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Recording } from '../../../shared/model/conversation/recording'
import type { Disk, FileStat } from '../../disk/interface/disk'
import { audioPlaces, voicemodeFolderOf } from '../../readers/voicemode/audio'
import type { Histories } from '../sources/histories'
import { wavHeader, wavLengthMs } from './wav-header'

/** By the ending of a file's name; nothing else is given out. */
const mimes: ReadonlyMap<string, string> = new Map([
  ['.mp3', 'audio/mpeg'],
  ['.wav', 'audio/wav'],
  ['.pcm', 'audio/wav'],
  ['.opus', 'audio/ogg'],
  ['.ogg', 'audio/ogg'],
  ['.flac', 'audio/flac'],
  ['.m4a', 'audio/mp4'],
  ['.aac', 'audio/aac'],
  ['.webm', 'audio/webm'],
])

/**
 * Finds a recording of a voicemode conversation by the name, or the path inside the folder, in one of its lines. Only
 * inside voicemode's own folder, with links followed: a line is hostile, and so may a link be. Never throws: a file
 * that cannot be checked is missing, with the reason.
 */
export async function findAudio(
  disk: Disk,
  histories: Pick<Histories, 'find'>,
  key: LibraryKey,
  name: string,
): Promise<Recording> {
  const history = await histories.find(key)
  if (history?.ref.source !== 'voicemode') return { type: 'missing', looked: [], reason: onlyThere }
  const base = voicemodeFolderOf(history.ref.root)
  const looked = audioPlaces(name).map((place) => path.join(base, place))
  if (looked.length === 0)
    return { type: 'missing', looked, reason: 'Its name is not a file name.' }
  const mime = mimes.get(path.extname(name).toLowerCase())
  if (mime === undefined)
    return { type: 'missing', looked, reason: 'Its name does not end like that of a sound file.' }
  let reason: string | undefined
  for (const file of looked) {
    try {
      const found = await lookAt(disk, base, file)
      if (found === undefined) continue
      return await recording(disk, found.file, found.stat, mime)
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error)
    }
  }
  return { type: 'missing', looked, ...(reason === undefined ? {} : { reason }) }
}

/** A copy in our home has the words of its lines, and no recordings. */
const onlyThere = 'Recordings play only in the original voicemode conversation.'

/** @throws Error with the reason where something is there that is not given out */
async function lookAt(
  disk: Disk,
  base: string,
  file: string,
): Promise<{ readonly file: string; readonly stat: FileStat } | undefined> {
  const stat = await disk.stat(file)
  if (stat === undefined) return undefined
  if (stat.kind !== 'file') throw new Error('What is there is not a file.')
  const [folder, real] = await Promise.all([disk.realPath(base), disk.realPath(file)])
  if (!real.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep))
    throw new Error('What is there is a link that leads out of the folder.')
  // Opened by its real name: a link that is changed meanwhile leads nowhere else.
  return { file: real, stat }
}

async function recording(
  disk: Disk,
  file: string,
  { sizeBytes }: FileStat,
  mime: string,
): Promise<Recording> {
  const isRaw = path.extname(file).toLowerCase() === '.pcm'
  const header = isRaw ? wavHeader(sizeBytes) : new Uint8Array(0)
  const start = isRaw ? header : mime === 'audio/wav' ? await firstBytes(disk, file) : header
  const durationMs = wavLengthMs(start, header.length + sizeBytes)
  return {
    type: 'there',
    mime,
    sizeBytes: header.length + sizeBytes,
    ...(durationMs === undefined ? {} : { durationMs }),
    async *read(start, end) {
      if (start < header.length) yield header.slice(start, Math.min(end, header.length))
      const from = Math.max(0, start - header.length)
      const to = Math.max(0, end - header.length)
      if (from >= to) return
      yield* pieces(disk, file, from, to)
    },
  }
}

const headerBytes = 44

async function firstBytes(disk: Disk, file: string): Promise<Uint8Array> {
  const found: Uint8Array[] = []
  for await (const piece of pieces(disk, file, 0, headerBytes)) found.push(piece)
  return Buffer.concat(found)
}

const pieceBytes = 64 * 1024

/** A file that got shorter meanwhile ends early. It is open as long as pieces are taken. */
async function* pieces(
  disk: Disk,
  file: string,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const opened = await disk.open(file, 'read')
  try {
    for (let at = start; at < end; ) {
      const piece = new Uint8Array(Math.min(pieceBytes, end - at))
      const count = await opened.read(piece, at)
      if (count === 0) return
      yield piece.subarray(0, count)
      at += count
    }
  } finally {
    await opened.close()
  }
}
