import { readingOf } from '../../../shared/model/conversation/reading'
import { documentFormat } from '../../records/document/document-format'
import type { DocumentShape } from '../../records/document/shape'
import { type ListedDocuments, listDocuments } from '../common/document-conversations'
import { documentIndexes } from '../common/document-index'
import { lastTimeOfRecords, readRecordFile } from '../common/read-record-file'
import type { HistoryReader } from '../common/reader'
import { claudeAiHead, claudeAiLine } from './line'

const shape: DocumentShape = {
  id: 'claude-ai',
  records: 'chat_messages',
  facts: ['uuid', 'name', 'created_at', 'updated_at'],
  record: { id: ['uuid'], parent: ['parent_message_uuid'], time: ['created_at'] },
}

const source = { source: 'claude-ai', shape, isOwn: () => true } as const

const documents: ListedDocuments = {
  ...source,
  indexes: documentIndexes(source),
  headOf: claudeAiHead,
}

/**
 * The reader of Claude.ai's exports: one zip or several that belong together, or what was in them. One conversation is a
 * tree of messages, each of them a record.
 *
 * Format: no specification; exports up to September 2026, as several readers and real files describe them
 * (docs/sources/claude-ai.md). Nothing of a message is lost: what has no field is in `metadata` (`attachments`,
 * `raw_type`, `raw_fields`). Projects and memories are no conversations and are not read.
 */
export const claudeAiReader: HistoryReader = {
  id: 'claude-ai',
  defaultRoots: [],
  isImported: true,
  recordFormat: documentFormat(shape),
  list: (root, disk, signal, elsewhere) => listDocuments(documents, root, disk, signal, elsewhere),
  lookInto: documents.indexes.lookInto,
  forkRule: 'every-child',
  meaningOf: claudeAiLine,
  read: (ref, disk, signal) => readingOf(ref.key, readRecordFile(ref, claudeAiLine, disk, signal)),
  lastTime: (ref, disk, signal) => lastTimeOfRecords(ref, claudeAiLine, disk, signal),
}
