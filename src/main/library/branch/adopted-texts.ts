import { z } from 'zod'
import { firstWords } from '../../../shared/model/basics/first-words'
import { callUserMessage, type Entry, speakerOf } from '../../../shared/model/conversation/entry'
import { FluuxAttachment, FluuxReaction } from '../../readers/fluux/fields'
import { reactionTargets } from '../../readers/fluux/model-view'

/** A part of an entry that is put into its text, since the model is sent text alone. */
export type PutIntoText = 'name' | 'reaction' | 'attachments' | 'document'

/** The text of a copy, and what was put into it. */
export interface AdoptedText {
  readonly content: string
  readonly put: ReadonlySet<PutIntoText>
}

/**
 * Returns a function that gives the text of an entry's copy: its own text, before it a line for its reaction and one for each
 * attachment, as fluux-agent has them for its own model, and in front of all, where several people speak, the speaker:
 *
 * ```
 * alice: [reacted to "Anyone around?": 😂]
 * bob the builder: [attached: plan.pdf (application/pdf, 1.2MB)]
 * look
 * ```
 *
 * @param path the entries that are copied
 */
export function adoptedTexts(path: readonly Entry[]): (entry: Entry) => AdoptedText {
  const targets = reactionTargets(path)
  const senders = new Set(path.map(senderOf).filter((sender) => sender !== undefined))
  return (entry) => {
    const message = callUserMessage(entry)
    if (message !== undefined) return { content: message.words, put: new Set() }
    if (entry.entry_type === 'document')
      return { content: entry.content, put: new Set(['document']) }
    if (entry.entry_type !== 'message') return { content: entry.content, put: new Set() }
    const put = new Set<PutIntoText>()
    const reaction = reactionLine(entry, targets.get(entry))
    if (reaction !== undefined) put.add('reaction')
    const attachments = namedAttachments(entry).map(attachmentLine)
    if (attachments.length > 0) put.add('attachments')
    const lines = [reaction, ...attachments, entry.content].filter((line) => line)
    const words = lines.join('\n')
    const name = words === '' ? undefined : nameOf(senderOf(entry), senders.size > 1)
    if (name !== undefined) put.add('name')
    return { content: name === undefined ? words : `${name}: ${words}`, put }
  }
}

/** Returns the attachments of an entry that its text can name. */
export function namedAttachments({ metadata }: Pick<Entry, 'metadata'>): readonly Attached[] {
  return z.array(FluuxAttachment).safeParse(metadata?.attachments).data ?? []
}

type Attached = z.infer<typeof FluuxAttachment>

/** The ending by which fluux-agent knows a message from a room. */
const inRoom = '@muc'

function senderOf(entry: Entry): string | undefined {
  const sender = entry.metadata?.sender
  return speakerOf(entry) === 'user' && typeof sender === 'string' ? sender : undefined
}

function nameOf(sender: string | undefined, isOneOfMany: boolean): string | undefined {
  const isInRoom = sender?.endsWith(inRoom) === true
  if (sender === undefined || !(isInRoom || isOneOfMany)) return undefined
  return onOneLine(isInRoom ? sender.slice(0, -inRoom.length) : sender) || undefined
}

function reactionLine({ metadata }: Entry, target: Entry | undefined): string | undefined {
  const reaction = FluuxReaction.safeParse(metadata?.reaction).data
  if (reaction === undefined) return undefined
  const words = firstWords(target?.content ?? '', 60)
  const whereto = words === '' ? 'a message' : `"${words}"`
  const emojis = onOneLine(reaction.emojis.join(' '))
  return emojis === ''
    ? `[took back the reaction to ${whereto}]`
    : `[reacted to ${whereto}: ${emojis}]`
}

/** fluux-agent's word for what it does not know. */
const unknown = 'unknown'

function attachmentLine({ filename, mime_type, size }: Attached): string {
  const name = filename === unknown ? 'a file' : onOneLine(filename) || 'a file'
  const details = [mime_type, size].filter((word) => word !== unknown && word.trim() !== '')
  return `[attached: ${name}${details.length === 0 ? '' : ` (${onOneLine(details.join(', '))})`}]`
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
