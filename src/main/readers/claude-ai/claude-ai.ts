import type { DocumentShape } from '../../records/document/shape'
import { exportReader } from '../common/export-reader'
import { claudeAiFormat } from './known'
import { claudeAiHead, claudeAiLine } from './line'

const shape: DocumentShape = {
  id: 'claude-ai',
  records: 'chat_messages',
  facts: ['uuid', 'name', 'created_at', 'updated_at'],
  record: { id: ['uuid'], parent: ['parent_message_uuid'], time: ['created_at'] },
}

/**
 * The reader of Claude.ai's exports: one zip or several that belong together, or what was in them. One conversation is a
 * tree of messages, each of them a record.
 *
 * Format: no specification; exports up to September 2026, as several readers and real files describe them
 * (docs/sources/claude-ai.md). Nothing of a message is lost: what has no field is in `metadata` (`attachments`,
 * `raw_type`, `raw_fields`). Projects and memories are no conversations and are not read.
 */
export const claudeAiReader = exportReader({
  source: 'claude-ai',
  shape,
  isOwn: () => true,
  headOf: claudeAiHead,
  meaningOf: claudeAiLine,
  known: claudeAiFormat,
})
