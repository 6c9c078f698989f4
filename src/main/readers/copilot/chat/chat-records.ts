import path from 'node:path'
import {
  type ComposedFormat,
  composedFormat,
  stateOfFiles,
} from '../../../records/lines/composed-format'
import { composingInThreads } from '../../common/composed/composing-in-threads'
import { composeDocument } from './compose-document'
import { composeLog } from './compose-log'

/** The id of the format of VS Code's chats. */
export const chatFormat = 'copilot-chat'

/** The name of the record file that a chat's own file has. */
export const chatName = 'chat'

/**
 * The format of VS Code's chats, a file each: a document, or a log of changes to one. Its lines are `{session}`, then each
 * request as `{request, previous}`, then where the chat is now (`{leaf}`), what nobody knows (`{change}`), and damage.
 */
export const chatRecords: ComposedFormat = composedFormat({
  id: chatFormat,
  stateOf: (disk, container) => stateOfFiles(disk, [container]),
  async compose(_disk, document, { container, name }) {
    if (name !== chatName) return undefined
    const isDocument = path.extname(container).toLowerCase() === '.json'
    return isDocument ? composeDocument(document) : composeLog(document)
  },
})

/** Threads that compose chats for a list. */
export const chatComposing = composingInThreads('copilot', chatRecords, chatName)
