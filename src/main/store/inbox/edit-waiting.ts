import { randomUUID } from 'node:crypto'
import { AppError } from '../../../shared/model/basics/errors'
import { wellFormedJson } from '../../../shared/model/basics/well-formed'
import type { Disk } from '../../disk/interface/disk'
import { appendDurably } from '../../disk/writing/append'
import type { InboxMessage } from './inbox'
import {
  type InboxPaths,
  messageKey,
  readWaitingMessages,
  removeDeliveredMessages,
} from './inbox-delivery'

/**
 * Changes the text of a waiting message, or removes it with null. The new one is durable before the old one goes;
 * lines that other processes append meanwhile stay. The caller holds the context's lock, as for a delivery.
 *
 * @throws AppError `busy`: it does not wait any more; DiskError
 */
export async function editWaitingMessage(
  disk: Disk,
  paths: InboxPaths,
  meant: Omit<InboxMessage, 'to'>,
  text: string | null,
): Promise<void> {
  const key = messageKey(meant)
  const { messages } = await readWaitingMessages(disk, paths)
  const found = messages.find((message) => messageKey(message) === key)
  if (found === undefined)
    throw new AppError('busy', 'This message is no longer waiting: it was delivered or changed.')
  if (text === found.content) return
  if (text !== null) {
    // Another text is another message.
    const next = { ...found, id: randomUUID(), content: text }
    await appendDurably(disk, paths.inbox, Buffer.from(wellFormedJson(next)))
  }
  await removeDeliveredMessages(disk, paths, new Set([key]))
}

/**
 * Puts a removed message back into the inbox.
 *
 * @throws DiskError
 */
export async function restoreWaitingMessage(
  disk: Disk,
  paths: InboxPaths,
  message: InboxMessage,
): Promise<void> {
  await appendDurably(disk, paths.inbox, Buffer.from(wellFormedJson(message)))
}
