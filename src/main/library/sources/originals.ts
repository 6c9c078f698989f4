import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { handleGaps, notWholeError, requireWhole } from '../../../shared/model/conversation/reading'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { chunkBytesFor, type FileLine, readLines } from '../../disk/reading/lines'
import { openSource, unpackGap, unreadableSource } from '../../readers/common/json-lines'
import type { SourceFile, SourceRef } from '../../readers/common/reader'
import { parseRecordPath } from '../../records/interface/record-format'
import type { Store } from '../../store/store'
import { FileMovedError, openUnmoved, type TranscriptFile } from '../../store/transcript-files'
import { conversationNotFound } from './conversation-not-found'
import type { Histories, History } from './histories'

/** The bytes that a conversation is read from; of packed files their content. */
export interface Original {
  /** Under which its system, and its reader, find a file of them. */
  readonly name: string
  /**
   * In pieces, in reading order: all of them, or AppError `unreadable` where a file is missing, cannot be read or is an
   * archive that cannot be unpacked to its end. Throws AppError `not-found`; stops with the signal's reason.
   */
  bytes(signal: AbortSignal): AsyncIterable<Uint8Array>
}

/**
 * Finds the original of a conversation of the library.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function libraryOriginal(
  { store, histories }: { readonly store: Pick<Store, 'listFiles'>; readonly histories: Histories },
  key: LibraryKey,
  disk: Disk,
): Promise<Original> {
  const { source, key: own } = parseLibraryKey(key)
  if (source === 'chibi') return contextOriginal(disk, store, own)
  const history = await histories.now(key)
  if (history === undefined) throw conversationNotFound(histories, key)
  return historyOriginal(disk, history)
}

/**
 * Returns the original of another system's conversation. Files of its own are given byte for byte, one after the
 * other; of shared files its own lines, damaged ones too, each with a line feed, in the file's order. Of a document with
 * several conversations it is this one's stretch.
 */
export function historyOriginal(disk: Disk, history: Pick<History, 'reader' | 'ref'>): Original {
  const { root, key, files } = history.ref
  return {
    name: originalName(history, files[0]?.file ?? key),
    async *bytes(signal) {
      handleGaps(key, history.ref.unread ?? [], 'refuse')
      await mustUnpack(disk, root, key, files, signal)
      const places: OwnOffsets = files.some(isShared)
        ? await placesOf(disk, history, signal)
        : new Map()
      for (const source of files) {
        const whole = path.join(root, source.file)
        const stretch = stretchOf(history, whole)
        if (stretch !== undefined) {
          yield* stretchBytes(disk, stretch, signal)
          continue
        }
        const opened = await openSource(disk, whole)
        try {
          yield* bytesIn(opened, source, places, signal)
        } catch (error) {
          throw unreadableSource(whole, error)
        } finally {
          await opened.close()
        }
      }
    },
  }
}

/** Before the first byte is given: half of an original that is written to a pipe is still a loss. */
async function mustUnpack(
  disk: Disk,
  root: string,
  key: string,
  files: readonly SourceFile[],
  signal: AbortSignal,
): Promise<void> {
  for (const { file } of files) {
    signal.throwIfAborted()
    // A history of plain files is not opened once more for nothing.
    if (!packedName.test(file)) continue
    const whole = path.join(root, file)
    const opened = await openSource(disk, whole)
    try {
      const { sizeBytes } = await opened.stat()
      const gap = unpackGap(opened, file, sizeBytes)
      if (gap !== undefined) throw notWholeError(key, [gap.part])
    } catch (error) {
      throw unreadableSource(whole, error)
    } finally {
      await opened.close()
    }
  }
}

const packedName = /\.(?:gz|zst)$/i

/**
 * Returns the original of a context: every line of its files that is not blank, each with a line feed, as one
 * transcript. For chibi's earliest form, one JSON document, it is that document.
 */
export async function contextOriginal(
  disk: Disk,
  store: Pick<Store, 'listFiles'>,
  context: string,
): Promise<Original> {
  const { files, missing } = await store.listFiles(context)
  return {
    name: files[0]?.kind === 'document' ? plainName(files[0].place) : 'active.jsonl',
    async *bytes(signal) {
      handleGaps(
        context,
        missing.map(({ part }) => part),
        'refuse',
      )
      for (const file of files) {
        const opened = await openWherever(disk, store, context, file)
        try {
          if (file.kind === 'document') yield* allBytes(opened, signal)
          else
            yield* ownLines(
              opened,
              { from: file.begin?.offset ?? 0, to: file.sizeBytes, signal },
              isWritten,
            )
        } catch (error) {
          throw unreadableSource(file.path, error)
        } finally {
          await opened.close()
        }
      }
    },
  }
}

/** A conversation in a document: its bytes there. */
interface Stretch {
  readonly container: string
  readonly start: number
  readonly end: number
}

function stretchOf({ reader }: Pick<History, 'reader'>, whole: string): Stretch | undefined {
  const place = parseRecordPath(whole)
  if (place === undefined || place.format !== reader.recordFormat?.id) return undefined
  const [start, end] = reader.recordFormat.stretchOf?.(place.name) ?? []
  if (start === undefined || end === undefined) return undefined
  return { container: place.container, start, end }
}

async function* stretchBytes(
  disk: Disk,
  { container, start, end }: Stretch,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const opened = await openSource(disk, container)
  try {
    let at = start
    for await (const piece of bytesBetween(opened, start, end, signal)) {
      at += piece.length
      yield piece
    }
    if (at < end) {
      const file = path.basename(container)
      const why = opened.fault ?? 'it ends early'
      throw new AppError('unreadable', `${file} cannot be read: ${why}.`)
    }
  } catch (error) {
    throw unreadableSource(container, error)
  } finally {
    await opened.close()
  }
}

/** Under which its reader finds it: a document with one conversation, or the lines of a database's. */
function originalName(history: Pick<History, 'reader'>, file: string): string {
  const place = parseRecordPath(file)
  if (place === undefined) return plainName(file)
  const name = plainName(place.container)
  return stretchOf(history, file) === undefined ? `${path.parse(name).name}.jsonl` : name
}

function plainName(file: string): string {
  return path.posix.basename(file).replace(/\.(?:gz|zst)$/i, '')
}

/** Offsets of the lines of a conversation in shared files. */
type OwnOffsets = ReadonlyMap<string, ReadonlySet<number>>

/** Only its reader knows the conversation of a line. */
async function placesOf(
  disk: Disk,
  { reader, ref }: { readonly reader: History['reader']; readonly ref: SourceRef },
  signal: AbortSignal,
): Promise<OwnOffsets> {
  const places = new Map<string, Set<number>>()
  for await (const fact of requireWhole(reader.read(ref, disk, signal))) {
    if (fact.type !== 'entry' && fact.type !== 'damaged') continue
    const { file, offset } = fact.type === 'entry' ? fact.entry : fact.damaged
    const known = places.get(file)
    if (known === undefined) places.set(file, new Set([offset]))
    else known.add(offset)
  }
  return places
}

/** Whether the file is another conversation's, or that of several. */
function isShared({ part, lineKey = '' }: SourceFile): boolean {
  return part !== undefined || lineKey !== ''
}

function bytesIn(
  opened: DiskFile,
  source: SourceFile,
  places: OwnOffsets,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  if (!isShared(source)) return allBytes(opened, signal)
  const { file, part = { offset: 0, end: source.bytes } } = source
  const own = places.get(file)
  const range = { from: part.offset, to: part.end, signal }
  return ownLines(opened, range, ({ offset }) => own?.has(offset) === true)
}

const copiedBytes = 1024 * 1024

async function* allBytes(file: DiskFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield* bytesBetween(file, 0, Number.POSITIVE_INFINITY, signal)
}

async function* bytesBetween(
  file: DiskFile,
  from: number,
  to: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; ) {
    signal.throwIfAborted()
    const chunk = Buffer.allocUnsafeSlow(Math.min(copiedBytes, to - at))
    const got = await file.read(chunk, at)
    if (got === 0) return
    yield chunk.subarray(0, got)
    at += got
  }
}

interface Range {
  readonly from: number
  readonly to: number
  readonly signal: AbortSignal
}

const lineFeed = Uint8Array.of(0x0a)

async function* ownLines(
  file: DiskFile,
  { from, to, signal }: Range,
  isOwn: (line: FileLine) => boolean,
): AsyncGenerator<Uint8Array> {
  const chunkBytes = chunkBytesFor(to - from)
  for await (const lines of readLines(file, { from, to, chunkBytes, signal })) {
    let own: Uint8Array[] = []
    for (const line of lines.filter(isOwn)) {
      const { bytes, offset, length } = line
      if (bytes.length === length) own.push(bytes, lineFeed)
      else {
        // Of one that is too long to be held only the beginning is here.
        yield Buffer.concat(own)
        yield* bytesBetween(file, offset, offset + length, signal)
        own = [lineFeed]
      }
    }
    yield Buffer.concat(own)
  }
}

/** Whether a line is none of those that its reader takes for blank. */
function isWritten({ bytes, length }: FileLine): boolean {
  if (bytes.length < length || bytes.some((byte) => byte > 0x20 && byte < 0x7f)) return true
  return new TextDecoder().decode(bytes).trim() !== ''
}

/** A rotation may move the active partition at any moment: it is found again by its identity. */
async function openWherever(
  disk: Disk,
  store: Pick<Store, 'listFiles'>,
  context: string,
  file: TranscriptFile,
): Promise<DiskFile> {
  let at: TranscriptFile | undefined = file
  for (let tries = 0; at !== undefined && tries < 4; tries++)
    try {
      return await openUnmoved(disk, at)
    } catch (error) {
      if (!(error instanceof FileMovedError)) throw unreadableSource(at.path, error)
      const now = await store.listFiles(context)
      at = now.files.find(({ identity }) => identity === file.identity)
    }
  throw new AppError('unreadable', `${path.basename(file.path)} was replaced while it was read.`)
}
