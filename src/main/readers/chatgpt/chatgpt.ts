import { readingOf } from '../../../shared/model/conversation/reading'
import { documentFormat } from '../../records/document/document-format'
import type { DocumentShape } from '../../records/document/shape'
import { type ListedDocuments, listDocuments } from '../common/document-conversations'
import { documentIndexes } from '../common/document-index'
import { lastTimeOfRecords, readRecordFile } from '../common/read-record-file'
import type { HistoryReader } from '../common/reader'
import { chatgptHead } from './head'
import { chatgptLine } from './line'

const shape: DocumentShape = {
  id: 'chatgpt',
  records: 'mapping',
  facts: [
    'id',
    'conversation_id',
    'title',
    'create_time',
    'update_time',
    'current_node',
    'gizmo_id',
    'inserted_at',
  ],
  record: { id: ['id'], parent: ['parent'], time: ['message', 'create_time'] },
  leaf: 'current_node',
}

const source = {
  source: 'chatgpt',
  shape,
  // DeepSeek's export looks alike.
  isOwn: (facts: Readonly<Record<string, unknown>>) => !('inserted_at' in facts),
} as const

const documents: ListedDocuments = {
  ...source,
  indexes: documentIndexes(source),
  headOf: chatgptHead,
}

/**
 * The reader of ChatGPT's exports: a zip or an unpacked folder, with all conversations in `conversations.json` or in
 * numbered parts of it. One conversation is a tree of nodes, each of them a record.
 *
 * Format: no specification; exports of April to August 2026, as several readers and real files describe them
 * (docs/sources/chatgpt.md). Nothing of a node is lost: what has no field is in `metadata` (`images`, `attachments`, `model`,
 * `raw_type`, `raw_fields`). Images and recordings are named and not opened.
 */
export const chatgptReader: HistoryReader = {
  id: 'chatgpt',
  defaultRoots: [],
  isImported: true,
  recordFormat: documentFormat(shape),
  list: (root, disk, signal, elsewhere) => listDocuments(documents, root, disk, signal, elsewhere),
  lookInto: documents.indexes.lookInto,
  forkRule: 'every-child',
  meaningOf: chatgptLine,
  read: (ref, disk, signal) => readingOf(ref.key, readRecordFile(ref, chatgptLine, disk, signal)),
  lastTime: (ref, disk, signal) => lastTimeOfRecords(ref, chatgptLine, disk, signal),
}
