import type { RecordFormat } from '../../records/interface/record-format'
import type { Databases } from '../../sqlite/databases'
import { rowRecords } from '../common/rows/row-records'
import { layOutWebuiChats } from './chat-lines'
import { chatOverview, chatRows, chatTables, chatValues } from './chat-sql'

/** The id of the format that presents chats of a database as files of lines. */
export const webuiRowFormat = 'open-webui-rows'

/** Returns the format of Open WebUI's database: each chat is a file of lines, its own first, then its messages. */
export function webuiRecords(databases: Databases): RecordFormat {
  return rowRecords(databases, {
    id: webuiRowFormat,
    keyColumns: chatTables,
    overview: chatOverview,
    rows: chatRows,
    layOut: layOutWebuiChats,
    values: chatValues,
  })
}
