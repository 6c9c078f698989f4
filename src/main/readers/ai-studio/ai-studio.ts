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

/** Of pictures, recordings and archives, which lie beside prompts. Drive keeps these without an ending; titles may look as if they had one. */
const otherEnding =
  /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|avif|mp[34]|m4[av]|mov|avi|mkv|webm|mpe?g|wav|aac|flac|og[ag]|opus|zip|dat|download|tar|t?gz|bz2|xz|zst|7z|rar)/i
/** Documents of other systems. */
const otherExport = /(?:conversations(?:-\d+)?|prod-grok-backend|my ?activity)(?: \(\d+\))?\.json/i

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
  names: new RegExp(`^(?!.*${otherEnding.source}$)(?!${otherExport.source}$)[^/]+$`, 'is'),
  nameOf: (file) => memberName(file.split('/').at(-1) ?? file).replace(/\.json$/i, ''),
})
