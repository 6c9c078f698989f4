import type { DocumentShape } from '../../records/document/shape'
import { exportReader } from '../common/export-reader'
import { grokFormat } from './known'
import { exportedGrokHead, grokLine } from './line'

const shape: DocumentShape = {
  id: 'grok',
  list: 'conversations',
  records: 'responses',
  facts: [
    'conversation.id',
    'conversation.title',
    'conversation.create_time',
    'conversation.modify_time',
  ],
  record: {
    id: ['response', '_id'],
    parent: ['response', 'parent_response_id'],
    time: ['response', 'create_time', '$date', '$numberLong'],
  },
}

/**
 * The reader of Grok's exports: a zip, or what was in it. One conversation is a tree of messages, each of them a record; it does
 * not say which one it is at, so that it is the newest.
 *
 * Format: no specification; as several other readers describe it (docs/sources/grok.md). What has no field is in `metadata`
 * (`attachments`, `model`, `raw_type`, `raw_fields`). Images and recordings are named and not opened.
 */
export const grokReader = exportReader({
  source: 'grok',
  shape,
  isOwn: () => true,
  headOf: exportedGrokHead,
  meaningOf: grokLine,
  known: grokFormat,
  names: /^prod-grok-backend[^/]*\.json$/i,
})
