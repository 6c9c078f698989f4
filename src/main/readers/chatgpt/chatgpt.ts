import { changeReading, Gap } from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import type { DocumentShape } from '../../records/document/shape'
import { exportReader } from '../common/export-reader'
import type { HistoryReader, SourceFact, SourceRef } from '../common/reader'
import { readAsset, withFileNames } from './assets'
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

const exports = exportReader({
  source: 'chatgpt',
  shape,
  // DeepSeek's export looks alike.
  isOwn: (facts) => !('inserted_at' in facts),
  headOf: chatgptHead,
  meaningOf: chatgptLine,
  known: chatgptFormat,
})

/**
 * The reader of ChatGPT's exports: a zip or an unpacked folder, with all conversations in `conversations.json` or in
 * numbered parts of it. One conversation is a tree of nodes, each of them a record.
 *
 * Format: no specification; exports of April to August 2026, as several readers and real files describe them
 * (docs/sources/chatgpt.md). Nothing of a node is lost: what has no field is in `metadata` (`images`, `attachments`, `model`,
 * `raw_type`, `raw_fields`). Images and recordings are named, with their files in the export (`file`); images are read when they are shown.
 */
export const chatgptReader: HistoryReader = {
  ...exports,
  readAsset,
  read: (ref, disk, signal) =>
    changeReading(exports.read(ref, disk, signal), (facts) => namingFiles(facts, ref, disk)),
}

/** Facts whose images and attachments have the name of their file in the export. */
async function* namingFiles(
  facts: AsyncIterable<SourceFact | Gap>,
  ref: SourceRef,
  disk: Disk,
): AsyncGenerator<SourceFact | Gap> {
  for await (const fact of facts) {
    if (fact instanceof Gap || fact.type !== 'entry' || fact.entry.metadata === undefined)
      yield fact
    else {
      const metadata = await withFileNames(disk, ref, fact.entry.metadata)
      yield { ...fact, entry: { ...fact.entry, metadata } }
    }
  }
}
