import type { DiskFile } from '../../disk/interface/disk'
import type { RecordFormat } from '../../records/interface/record-format'
import { type Composition, composedFormat, stateOfFiles } from '../../records/lines/composed-format'
import {
  type ComposedLine,
  composedLine,
  type LinePart,
  type Stretch,
  unendedLine,
} from '../../records/lines/composed-line'
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
  const found = await scanExport(document)
  const { facts } = found ?? {}
  const id = facts?.get('conversationId')
  // Other programs have lists of messages, too.
  if (found === undefined || id === undefined || facts?.has('exportAt') !== true)
    return { lines: [], about: {} }
  const torn = found.tornAt === undefined ? {} : { tornAt: found.tornAt }
  return { lines: linesOf(found), about: { id, messages: found.messages.length, ...torn } }
}

function linesOf({
  start,
  headEnd,
  tail,
  messages,
  tornAt,
}: ScannedExport): readonly ComposedLine[] {
  const lines: ComposedLine[] = [composedLine('{"conversation":', { start, end: headEnd }, '}}')]
  for (const message of messages) {
    const line = lineOf(message, tornAt)
    if (line !== undefined) lines.push(line)
  }
  const newest = newestOf(messages)
  if (newest !== messages.at(-1)?.id && newest !== undefined)
    lines.push(composedLine(JSON.stringify({ leaf: newest })))
  // What ends the document, if it is whole, is a comma, members, and its bracket.
  if (tail !== undefined)
    lines.push(
      tornAt === undefined ? composedLine('{"conversation":{', tail, '}') : unendedLine(tail),
    )
  return lines
}

/** The id of the newest message, where the conversation is: an export names none. */
function newestOf(messages: readonly FoundMessage[]): string | undefined {
  let newest: FoundMessage | undefined
  for (const message of messages)
    if (message.end !== undefined && (message.createdAt ?? '') >= (newest?.createdAt ?? ''))
      newest = message
  return newest?.id
}

/** Of one that is not whole what comes before its children, if they have begun; else the rest of the document. */
function lineOf(
  { start, headEnd, hasChildren, tail, end }: FoundMessage,
  tornAt: number | undefined,
): ComposedLine | undefined {
  const head: Stretch = { start, end: headEnd }
  const isBare = headEnd === start + 1
  if (end === undefined) {
    if (hasChildren && !isBare) return composedLine('{"message":', head, '}}')
    return tornAt === undefined ? undefined : unendedLine({ start, end: tornAt })
  }
  const parts: readonly LinePart[] = tail === undefined ? ['}'] : [isBare ? '' : ',', tail]
  return composedLine('{"message":', head, ...parts, '}')
}
