import path from 'node:path'
import { DiskError, type DiskFile, type FileStat } from '../../disk/interface/disk'
import { yieldToOthers } from '../../disk/pacing/slices'
import { type RecordFormat, recordPath } from '../interface/record-format'
import { type Cut, cutElement } from './cut'
import { ElementScan, type ScanOptions } from './element-scan'
import { DocumentRecordFile } from './record-file'
import type { DocumentShape, FoundElement } from './shape'

/** Lines of which the places are kept together, some 24 bytes each. */
const mostKeptLines = 1_000_000

const pieceBytes = 256 * 1024
const space = 0x20

/**
 * Returns the format of JSON documents that hold conversations: the name of a record file is the stretch of bytes of its
 * conversation, so that it is found again in every thread, without reading what is before it.
 */
export function documentFormat(shape: DocumentShape): RecordFormat {
  const cuts = new KeptCuts()

  const cutAt = async (document: DiskFile, name: string): Promise<KnownCut | undefined> => {
    const stretch = parseName(name)
    if (stretch === undefined) return undefined
    const packed = await document.stat()
    const known: FileStat = { ...packed, identity: identityOf(packed, name) }
    const kept = cuts.get(known.identity)
    if (kept !== undefined) return { cut: kept, stat: { ...known, sizeBytes: kept.sizeBytes } }
    const [start, end] = stretch
    if (end > packed.sizeBytes) return undefined
    const element = await elementIn(document, shape, start, end)
    if (element === undefined) return undefined
    // Only the end of a document may be torn: this one has grown. A damaged member of a zip ends before its size.
    if (element.isTorn && (await document.read(new Uint8Array(1), end)) > 0) return undefined
    const cut = cutElement(shape, element)
    cuts.keep(known.identity, cut)
    return { cut, stat: { ...known, sizeBytes: cut.sizeBytes } }
  }

  return {
    id: shape.id,
    stretchOf: parseName,
    async stat(disk, container, name) {
      if ((await disk.stat(container)) === undefined) return undefined
      const document = await disk.open(container, 'read')
      try {
        return (await cutAt(document, name))?.stat
      } finally {
        await document.close()
      }
    },
    async open(disk, container, name) {
      const document = await disk.open(container, 'read')
      let isUsed = false
      try {
        const known = await cutAt(document, name)
        const target = recordPath({ container, format: shape.id, name })
        if (known === undefined)
          throw new DiskError('not-found', target, `${path.basename(container)} has changed`)
        isUsed = true
        return new DocumentRecordFile(target, document, known.cut, known.stat)
      } finally {
        if (!isUsed) await document.close()
      }
    },
  }
}

/** Returns the name of an element's record file in its document. */
export function recordNameOf({ start, end }: Pick<FoundElement, 'start' | 'end'>): string {
  return `${start}-${end}`
}

/** The stretch of bytes that a record file's name tells; undefined for a name of another form. */
function parseName(name: string): readonly [start: number, end: number] | undefined {
  const [, start, end] = /^(\d{1,15})-(\d{1,15})$/.exec(name) ?? []
  if (start === undefined || end === undefined || Number(end) <= Number(start)) return undefined
  return [Number(start), Number(end)]
}

/** Returns the identity of a record file: another one whenever its document is another or was written. */
export function identityOf(document: FileStat, name: string): string {
  return `${document.identity}:${document.sizeBytes}:${document.mtimeMs}:${name}`
}

/** The end of a document. */
export interface DocumentEnd {
  /** The document ends before its list of elements does. */
  readonly isCut: boolean
  /** Offset behind the last whole value; undefined where none is whole. */
  readonly valueEnd: number | undefined
}

/**
 * Reads a document from end to end and gives the elements in it as they end. Holds one piece; yields to other work.
 *
 * @param ended is called when all was read
 * @throws DiskError
 */
export async function* elementsIn(
  document: DiskFile,
  shape: DocumentShape,
  signal: AbortSignal,
  ended?: (end: DocumentEnd) => void,
): AsyncGenerator<FoundElement> {
  const end = yield* scan(document, shape, {}, 0, Number.POSITIVE_INFINITY, signal)
  ended?.(end)
}

/**
 * Scans a stretch of a document that is one element; undefined where what lies there is not one whole element, or the torn end of
 * the document.
 *
 * @throws DiskError
 */
export async function elementIn(
  document: DiskFile,
  shape: DocumentShape,
  start: number,
  end: number,
): Promise<FoundElement | undefined> {
  const options = { isElement: true }
  let found: FoundElement | undefined
  for await (const element of scan(document, shape, options, start, end)) {
    if (found !== undefined) return undefined
    found = element
  }
  return found?.start === start && found.end === end ? found : undefined
}

async function* scan(
  document: DiskFile,
  shape: DocumentShape,
  options: ScanOptions,
  from: number,
  to: number,
  signal?: AbortSignal,
): AsyncGenerator<FoundElement, DocumentEnd> {
  const elements = new ElementScan(shape, options)
  const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytes, Math.max(1, to - from)))
  let at = from
  while (at < to) {
    signal?.throwIfAborted()
    const got = await document.read(piece.subarray(0, Math.min(piece.length, to - at)), at)
    if (got === 0) break
    // A byte order mark is no value.
    if (at === 0 && got >= 3 && piece.readUIntBE(0, 3) === 0xefbbbf) piece.fill(space, 0, 3)
    yield* elements.feed(piece.subarray(0, got), at)
    at += got
    await yieldToOthers(got)
  }
  yield* elements.finish(at)
  return { isCut: elements.isInList, valueEnd: elements.endOfValue }
}

interface KnownCut {
  readonly cut: Cut
  readonly stat: FileStat
}

/** The cuts that were used last. */
class KeptCuts {
  private lines = 0
  private readonly kept = new Map<string, Cut>()

  get(identity: string): Cut | undefined {
    const cut = this.kept.get(identity)
    if (cut === undefined) return undefined
    this.kept.delete(identity)
    this.kept.set(identity, cut)
    return cut
  }

  keep(identity: string, cut: Cut): void {
    if (this.kept.has(identity)) return
    this.kept.set(identity, cut)
    this.lines += cut.starts.length
    for (const [oldest, dropped] of this.kept) {
      if (this.lines <= mostKeptLines || oldest === identity) return
      this.kept.delete(oldest)
      this.lines -= dropped.starts.length
    }
  }
}
