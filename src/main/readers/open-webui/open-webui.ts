import type { DocumentShape } from '../../records/document/shape'
import { exportReader } from '../common/export-reader'
import type { HistoryReader } from '../common/reader'
import { webuiRecords } from './chat-records'
import { hasDatabase, listChatRows, webuiDatabaseLayouts } from './files'
import { exportedHead } from './head'
import { openWebuiFormat } from './known'
import { webuiLine } from './line'

const shape: DocumentShape = {
  id: 'open-webui',
  records: 'chat.history.messages',
  facts: [
    ...['id', 'title', 'created_at', 'updated_at', 'folder_id'],
    ...['chat.title', 'chat.timestamp', 'chat.history.currentId'],
  ],
  record: { id: ['id'], parent: ['parentId'], time: ['timestamp'] },
  leaf: 'chat.history.currentId',
}

const exportName = /^(?:all-|archived-)?chats?-export-[^/]*\.json$/i

const exported = exportReader({
  source: 'open-webui',
  shape,
  isOwn: () => true,
  headOf: exportedHead,
  meaningOf: webuiLine,
  known: openWebuiFormat,
  names: exportName,
})

/**
 * The reader of Open WebUI's chats: in its database (`webui.db`), where they are documents, and in newer versions rows beside
 * them; and in its exports, which have the same documents. One chat is a tree of messages.
 *
 * Format: read from Open WebUI's source to September 2026 and from issues. Left out: settings of chats and models, keys,
 * the content of files, and copies of chats that were made for a link; docs/sources/open-webui.md.
 */
export const openWebuiReader: HistoryReader = {
  ...exported,
  databaseFormats: (databases) => [webuiRecords(databases)],
  defaultRoots: ['~/.open-webui'],
  footprint: {
    database: webuiDatabaseLayouts('database'),
    beside: webuiDatabaseLayouts('log'),
    export: [[exportName]],
  },
  async *list(root, disk, signal, elsewhere) {
    // Beside a database lie thousands of files that were sent.
    if (await hasDatabase(root, disk)) yield* listChatRows(root, disk, signal)
    else yield* exported.list(root, disk, signal, elsewhere)
  },
}
