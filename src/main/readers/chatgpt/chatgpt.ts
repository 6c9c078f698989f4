import type { DocumentShape } from '../../records/document/shape'
import { exportReader } from '../common/export-reader'
import { chatgptHead } from './head'
import { chatgptFormat } from './known'
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

/**
 * The reader of ChatGPT's exports: a zip or an unpacked folder, with all conversations in `conversations.json` or in
 * numbered parts of it. One conversation is a tree of nodes, each of them a record.
 *
 * Format: no specification; exports of April to August 2026, as several readers and real files describe them
 * (docs/sources/chatgpt.md). Nothing of a node is lost: what has no field is in `metadata` (`images`, `attachments`, `model`,
 * `raw_type`, `raw_fields`). Images and recordings are named and not opened.
 */
export const chatgptReader = exportReader({
  source: 'chatgpt',
  shape,
  // DeepSeek's export looks alike.
  isOwn: (facts) => !('inserted_at' in facts),
  headOf: chatgptHead,
  meaningOf: chatgptLine,
  known: chatgptFormat,
})
