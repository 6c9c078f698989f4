import type { DiskFile } from '../../../disk/interface/disk'
import { readExactly } from '../../../disk/reading/lines'
import { elementsIn } from '../../../records/document/document-format'
import type { DocumentShape, FoundElement, FoundRecord } from '../../../records/document/shape'
import type { Composition } from '../../../records/lines/composed-format'
import { type ComposedLine, unendedLine } from '../../../records/lines/composed-line'
import { stretchBehind, stretchOfNoJson } from '../../../records/lines/other-stretches'
import { chatLeafLine, chatMembersLine, requestLine, strangeLine } from './chat-lines'
import { isSteppedBack } from './played-requests'

const shape: DocumentShape = {
  id: 'copilot-chat',
  records: 'requests',
  facts: ['sessionId', 'creationDate', 'responderUsername'],
  // The parent tells whether a person has stepped back from it; parents themselves are the ones before.
  record: {
    id: ['requestId'],
    parent: ['shouldBeRemovedOnSend', 'requestId'],
    time: ['timestamp'],
  },
}

const never = new AbortController().signal

/** Composes the lines of a chat that is one document; its stretches stay the document's. @throws DiskError */
export async function composeDocument(file: DiskFile): Promise<Composition> {
  for await (const element of elementsIn(file, shape, never)) {
    const { isConversation, records, isTorn, facts, end } = element
    const isChat = isConversation && Object.keys(facts).length > 0
    if (!isChat && !isTorn) break
    const lines = await linesOf(element, file)
    const behind = isTorn ? undefined : await stretchBehind(file, end)
    const other = behind === undefined ? [] : [strangeLine(behind)]
    const faults = isTorn || behind !== undefined ? 1 : 0
    const torn = isTorn ? { tornAt: end } : {}
    return { lines: [...lines, ...other], about: { isChat, said: records.length, faults, ...torn } }
  }
  const strange = await stretchOfNoJson(file)
  const lines = strange === undefined ? [] : [unendedLine(strange)]
  return { lines, about: { isChat: false, said: 0, faults: lines.length } }
}

async function linesOf(
  { start, end, headEnd, tailStart, restStart, records, isTorn }: FoundElement,
  file: DiskFile,
): Promise<readonly ComposedLine[]> {
  const lines: ComposedLine[] = [chatMembersLine({ start, end: headEnd }, '}')]
  let kept: string | null = null
  let before: string | null = null
  let last: string | undefined
  const seen = new Set<string>()
  for (const record of records) {
    const { id } = record
    if (id === undefined || seen.has(id)) {
      lines.push(requestLine(record, undefined))
      continue
    }
    const isBack = await isBackFrom(record, file)
    lines.push(requestLine(record, isBack ? before : kept))
    seen.add(id)
    before = id
    last = id
    if (!isBack) kept = id
  }
  if (kept !== null && kept !== last) lines.push(chatLeafLine(kept))
  if (isTorn) {
    const rest = { start: tailStart ?? restStart, end }
    if (rest.end > rest.start) lines.push(unendedLine(rest))
  } else if (tailStart !== undefined) lines.push(chatMembersLine('{', { start: tailStart, end }))
  return lines
}

/** Only those that look so are parsed. */
async function isBackFrom(record: FoundRecord, file: DiskFile): Promise<boolean> {
  if (typeof record.parent !== 'string') return false
  const bytes = await readExactly(file, record.start, record.end - record.start)
  try {
    return isSteppedBack(JSON.parse(Buffer.from(bytes).toString('utf8')))
  } catch {
    return false // Its own line says that it is no JSON.
  }
}
