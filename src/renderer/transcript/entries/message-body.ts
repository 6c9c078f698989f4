import {
  keptTextFiles,
  type MessagePart,
  messageParts,
} from '../../../shared/model/attachments/text-files'
import type { Entry } from '../../../shared/model/conversation/entry'
import { type DeliveredText, splitDelivered } from './delivered-messages'

/** Body of a user message: inbox messages that came before it, and its words and text files. */
interface MessageBody {
  readonly delivered: DeliveredText | undefined
  /** Of what follows the inbox messages, in order. */
  readonly parts: readonly MessagePart[]
}

/** Splits a user message at its inbox messages and text files. @param text of the entry, as it is shown. O(text) */
export function messageBodyOf(text: string, { metadata }: Pick<Entry, 'metadata'>): MessageBody {
  const delivered = splitDelivered(text)
  const own = delivered?.rest ?? text
  // Files are placed in the whole message.
  const before = text.length - own.length
  const files = keptTextFiles(metadata).map((file) =>
    file.start === undefined || file.end === undefined
      ? file
      : { ...file, start: file.start - before, end: file.end - before },
  )
  return { delivered, parts: messageParts(own, files) }
}
