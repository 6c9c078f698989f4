import type { DocumentShape } from '../../records/document/shape'
import { exportReader } from '../common/export-reader'
import { deepseekFormat } from './known'
import { deepseekHead, deepseekLine } from './line'

const shape: DocumentShape = {
  id: 'deepseek',
  records: 'mapping',
  facts: ['id', 'title', 'inserted_at', 'updated_at'],
  record: { id: ['id'], parent: ['parent'], time: ['message', 'inserted_at'] },
}

/**
 * The reader of DeepSeek's exports: a zip or an unpacked folder. One conversation is a tree of nodes, each of them a record; it
 * does not say which one it is at, so that it is the newest.
 *
 * Format: no specification; as several other readers describe it (docs/sources/deepseek.md). What has no field is in `metadata`
 * (`attachments`, `model`, `raw_type`, `raw_fields`).
 */
export const deepseekReader = exportReader({
  source: 'deepseek',
  shape,
  // ChatGPT's export looks alike.
  isOwn: (facts) => 'inserted_at' in facts,
  headOf: deepseekHead,
  meaningOf: deepseekLine,
  known: deepseekFormat,
})
