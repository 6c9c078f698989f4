import type { DiskFile } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import type { RecordFormat } from '../../records/interface/record-format'
import { type Composition, composedFormat, stateOfFiles } from '../../records/lines/composed-format'
import {
  type ComposedLine,
  composedLine,
  type LinePart,
  type Stretch,
  unendedLine,
} from '../../records/lines/composed-line'
import { headBytes, isUtf16, utf16Fault } from '../../records/lines/document-start'
import { stretchBehind } from '../../records/lines/other-stretches'
import { type FoundMessage, type ScannedExport, scanExport } from './message-tree'

/** The id of the format of LibreChat's exports. */
export const librechatFormat = 'librechat'

/** The name of the record file that an export has. */
export const librechatName = 'conversation'

/**
 * The format of LibreChat's exports, a conversation each: its own members (`{conversation}`), then each message, in a list or as a tree,
 * as `{message}` without those that follow it, and the id of the newest (`{leaf}`) where that is not the last.
 */
export const librechatRecords: RecordFormat = composedFormat({
  id: librechatFormat,
  stateOf: (disk, container) => stateOfFiles(disk, [container]),
  async compose(_disk, document, { name }) {
    return name === librechatName ? composeExport(document) : undefined
  },
})

async function composeExport(document: DiskFile): Promise<Composition> {
  if (isUtf16(await readExactly(document, 0, headBytes)))
    return { lines: [], about: { fault: utf16Fault } }
  const found = await scanExport(document)
  const { fault } = document
  const told = fault === undefined ? {} : { fault }
  const { facts } = found ?? {}
  const id = facts?.get('conversationId')
  // Other programs have lists of messages, too.
  if (found === undefined || id === undefined || facts?.has('exportAt') !== true)
    return { lines: [], about: told }
  const torn = found.tornAt === undefined ? {} : { tornAt: found.tornAt }
  const behind = found.tornAt === undefined ? await stretchBehind(document, found.end) : undefined
  // As the end of a longer export over which it was written.
  const other = behind === undefined ? [] : [composedLine('{"message":', behind, '}')]
  const about = { id, messages: found.messages.length, ...torn, ...told }
  return { lines: [...linesOf(found), ...other], about }
}

function linesOf({
  start,
  headEnd,
  tail,
  messages,
  rest,
  tornAt,
}: ScannedExport): readonly ComposedLine[] {
  const lines: ComposedLine[] = [composedLine('{"conversation":', { start, end: headEnd }, '}}')]
  let unended: ComposedLine | undefined
  for (const message of messages) {
    if (message.end !== undefined || message.hasChildren) lines.push(...lineOf(message))
    // The document ends inside of it.
    else if (tornAt !== undefined) unended = unendedLine({ start: message.start, end: tornAt })
  }
  const newest = newestOf(messages)
  if (newest !== messages.findLast(({ isStray }) => !isStray)?.id && newest !== undefined)
    lines.push(composedLine(JSON.stringify({ leaf: newest })))
  // What ends the document, if it is whole, is a comma, members, and its bracket.
  if (tail !== undefined) lines.push(composedLine('{"conversation":{', tail, '}'))
  if (unended === undefined && rest !== undefined) unended = unendedLine(rest)
  return unended === undefined ? lines : [...lines, unended]
}

/** The id of the newest message, where the conversation is: an export names none. */
function newestOf(messages: readonly FoundMessage[]): string | undefined {
  let newest: FoundMessage | undefined
  for (const message of messages)
    if (
      !message.isStray &&
      message.end !== undefined &&
      (message.createdAt ?? '') >= (newest?.createdAt ?? '')
    )
      newest = message
  return newest?.id
}

/** A message without those that follow it; of one that is not whole what comes before them, if anything does. */
function lineOf({ start, headEnd, tail, end, isStray }: FoundMessage): readonly ComposedLine[] {
  const head: Stretch = { start, end: headEnd }
  const isBare = headEnd === start + 1
  if (end === undefined) return isBare ? [] : [composedLine('{"message":', head, '}}')]
  if (isStray) return [composedLine('{"message":', { start, end }, '}')]
  const parts: readonly LinePart[] = tail === undefined ? ['}'] : [isBare ? '' : ',', tail]
  return [composedLine('{"message":', head, ...parts, '}')]
}
