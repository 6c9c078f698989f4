import { countWithNoun } from '../../../shared/model/basics/plural'
import type { SourceId } from '../../../shared/model/conversation/sources'
import { type Disk, DiskError, type DiskFile, type FileStat } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { cutBytes, lastTimeIn } from '../../records/document/cut'
import { type DocumentEnd, elementsIn } from '../../records/document/document-format'
import type { DocumentShape, Fact } from '../../records/document/shape'
import { headBytes, isUtf16, mayBeJson, utf16Fault } from '../../records/lines/document-start'
import { stretchBehind } from '../../records/lines/other-stretches'
import { perFileCache } from './per-file-cache'
import type { LookElsewhere, SeenFile } from './reader'

/** A conversation in a document, or another value among them: what a list needs of it. */
export interface IndexedElement {
  readonly start: number
  readonly end: number
  /** Of its record file. */
  readonly bytes: number
  readonly facts: Readonly<Record<string, Fact>>
  readonly isConversation: boolean
  /** The document ends inside of it. */
  readonly isTorn: boolean
  /** The time of its last record, in Unix seconds. */
  readonly lastAt: number | undefined
}

/** The conversations of a document. Plain data: it comes from a thread. */
export interface DocumentIndex {
  readonly stat: FileStat
  /** None where the document is not of this source. */
  readonly elements: readonly IndexedElement[]
  /** Why it could not be read to its end, as a sentence without its full stop. */
  readonly fault?: string | undefined
}

/** The documents of one source: their shape, and which conversations are its own. */
export interface DocumentSource {
  readonly source: SourceId
  readonly shape: DocumentShape
  /** Returns false for conversations of another system whose documents look alike. */
  readonly isOwn: (facts: IndexedElement['facts']) => boolean
}

/** Reads what lies in documents, each once for as long as it does not change. */
export interface DocumentIndexes {
  /** In the order of the files; undefined for one that cannot be read. */
  of(
    files: readonly SeenFile[],
    disk: Disk,
    signal: AbortSignal,
    elsewhere?: LookElsewhere,
  ): Promise<readonly (DocumentIndex | undefined)[]>
  /** See `HistoryReader.lookInto`. */
  lookInto(files: readonly SeenFile[], disk: Disk, signal: AbortSignal): Promise<readonly unknown[]>
}

/** Creates the indexes of a source's documents. */
export function documentIndexes(by: DocumentSource): DocumentIndexes {
  const known = perFileCache<DocumentIndex>()

  const read = (disk: Disk, { path, stat }: SeenFile, signal: AbortSignal) =>
    known.get(disk, path, stat, () => readIndex(by, disk, path, stat, signal))

  const readHere = async (disk: Disk, file: SeenFile, signal: AbortSignal) => {
    try {
      return await read(disk, file, signal)
    } catch (error) {
      if (error instanceof DiskError) return undefined
      throw error
    }
  }

  const lookInto = async (files: readonly SeenFile[], disk: Disk, signal: AbortSignal) => {
    const found: (DocumentIndex | undefined)[] = []
    for (const file of files) found.push(await readHere(disk, file, signal))
    return found
  }

  return {
    lookInto,
    async of(files, disk, signal, elsewhere) {
      const unread = files.filter(({ path }) => !known.knows(disk, path))
      const found = (await elsewhere?.(by.source, unread, signal)) ?? []
      for (const [at, index] of found.entries()) {
        const file = unread[at]
        // The thread has the same reader.
        if (file !== undefined && index !== undefined)
          known.keep(disk, file.path, index as DocumentIndex)
      }
      return lookInto(files, disk, signal)
    },
  }
}

/** Bytes that are read of a document in which no conversation of this source has turned up. */
const strangeBytes = 1024 * 1024

/** Also where the last conversation in it is whole. */
const cutFault =
  'the document ends before its list of conversations does: those after it are missing'

async function readIndex(
  { shape, isOwn }: DocumentSource,
  disk: Disk,
  path: string,
  stat: FileStat,
  signal: AbortSignal,
): Promise<DocumentIndex> {
  const opened = await disk.open(path, 'read')
  try {
    const elements: IndexedElement[] = []
    const head = await readExactly(opened, 0, headBytes)
    if (isUtf16(head)) return { stat, elements, fault: utf16Fault }
    if (!mayBeJson(head)) return { stat, elements, fault: opened.fault }
    let isOurs = false
    let last: DocumentEnd | undefined
    const ended = (end: DocumentEnd) => {
      last = end
    }
    for await (const element of elementsIn(opened, shape, signal, ended)) {
      const { start, end, facts, isConversation, isTorn } = element
      const bytes = cutBytes(shape, element)
      const lastAt = lastTimeIn(shape, element)
      elements.push({ start, end, bytes, facts, isConversation, isTorn, lastAt })
      isOurs ||= isConversation && isOwn(facts)
      // The first ones tell whose they are: a large document of another system is not read to its end.
      if (!isOurs && end > strangeBytes) return { stat, elements: [] }
    }
    const fault = opened.fault ?? (isOurs && last ? await faultOfEnd(opened, last) : undefined)
    return { stat, elements: isOurs ? elements : [], fault }
  } finally {
    await opened.close()
  }
}

async function faultOfEnd(
  opened: DiskFile,
  { isCut, valueEnd }: DocumentEnd,
): Promise<string | undefined> {
  if (isCut) return cutFault
  const behind = valueEnd === undefined ? undefined : await stretchBehind(opened, valueEnd)
  if (behind === undefined) return undefined
  const count = countWithNoun(behind.end - behind.start, 'byte')
  return `${count} behind the end of the document are no part of any conversation`
}
