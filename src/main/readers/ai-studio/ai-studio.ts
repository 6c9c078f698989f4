import { memberName } from '../../disk/unpack/zip-path'
import type { DocumentShape } from '../../records/document/shape'
import { exportReader } from '../common/export-reader'
import { aiStudioFormat } from './known'
import { aiStudioHead, aiStudioLine } from './line'

const shape: DocumentShape = {
  id: 'ai-studio',
  records: 'chunkedPrompt.chunks',
  facts: ['runSettings.model'],
  record: { id: ['id'], parent: ['parent'], time: ['createTime'] },
}

/**
 * The reader of prompts of Google AI Studio, which lie in a folder of a person's Google Drive: a JSON document each, whose name is the title.
 *
 * Format: no specification; as several other readers describe it (docs/sources/ai-studio.md). What has no field is in `metadata`
 * (`images`, `attachments`, `usage`, `model`, `raw_type`, `raw_fields`). Files that were attached lie elsewhere in the Drive, and are named.
 */
export const aiStudioReader = exportReader({
  source: 'ai-studio',
  shape,
  isOwn: () => true,
  headOf: aiStudioHead,
  meaningOf: aiStudioLine,
  known: aiStudioFormat,
  // Drive keeps them without an ending; titles may have dots.
  names:
    /^(?!.*\.[a-z][a-z0-9]{0,5}$)[^/]+$|^(?!conversations\b|prod-grok|my ?activity)[^/]+\.json$/i,
  nameOf: (file) => memberName(file.split('/').at(-1) ?? file).replace(/\.json$/i, ''),
})
