import { readingOf } from '../../../shared/model/conversation/reading'
import type { AcceptValue } from '../../disk/json/json-accept'
import { documentFormat } from '../../records/document/document-format'
import { parseRecordPath } from '../../records/interface/record-format'
import type { KnownFormat } from '../known/known-format'
import { type ConversationHead, listDocuments } from './document-conversations'
import { type DocumentSource, documentIndexes, type IndexedElement } from './document-index'
import { fileOf, inOwnFile } from './one-file'
import { type DocumentLine, readRecordFile } from './read-record-file'
import type { HistoryReader } from './reader'
import { lastEntryTimeIn } from './record-values'

/** The exports of a system: JSON documents of conversations, each a tree of records. */
interface ExportFormat extends DocumentSource {
  /** Returns what a list shows of a conversation, from its own members. */
  readonly headOf: (facts: IndexedElement['facts']) => ConversationHead
  /** Converts one line of a conversation's record file; uses nothing but this line. */
  readonly meaningOf: AcceptValue<DocumentLine>
  /** Types and fields that it knows. */
  readonly known: KnownFormat
  /** See `ListedDocuments`. */
  readonly names?: RegExp
  /** See `ListedDocuments`. */
  readonly nameOf?: (file: string) => string
}

/** Makes the reader of a system whose conversations come as exports: zips, folders, or documents. */
export function exportReader({
  headOf,
  meaningOf,
  known,
  names,
  nameOf,
  ...documents
}: ExportFormat): HistoryReader {
  const indexes = documentIndexes(documents)
  const listed = { ...documents, indexes, headOf, names, nameOf }
  return {
    id: documents.source,
    defaultRoots: [],
    isImported: true,
    footprint: { export: [[/^[^.]/]] },
    recordFormat: documentFormat(documents.shape),
    list: (root, disk, signal, elsewhere) => listDocuments(listed, root, disk, signal, elsewhere),
    lookInto: indexes.lookInto,
    forkRule: 'every-child',
    meaningOf,
    restatesNumbers: true,
    known,
    read: (ref, disk, signal) => {
      const known = nameOf === undefined ? {} : titled(nameOf(documentOf(fileOf(ref).file)))
      return readingOf(ref.key, readRecordFile(ref, meaningOf, disk, signal, known))
    },
    lastTime: (ref, disk, signal) =>
      inOwnFile(ref, disk, (opened) => lastEntryTimeIn(opened, meaningOf, signal)),
  }
}

function titled(title: string) {
  return { title, storedTitle: title }
}

function documentOf(file: string): string {
  return parseRecordPath(file)?.container ?? file
}
