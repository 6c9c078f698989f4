import type { DiskFile } from '../../disk/interface/disk'
import { elementIn, elementsIn } from '../../records/document/document-format'
import type { DocumentShape, FoundElement, FoundRecord } from '../../records/document/shape'
import {
  type ComposedFormat,
  type Composition,
  composedFormat,
  stateOfFiles,
} from '../../records/lines/composed-format'
import {
  type ComposedLine,
  composedLine,
  type Stretch,
  unendedLine,
} from '../../records/lines/composed-line'
import { stretchBehind, stretchOfNoJson } from '../../records/lines/other-stretches'
import { composingInThreads } from '../common/composed/composing-in-threads'

/** The id of the format of LM Studio's conversations. */
export const studioFormat = 'lm-studio'

/** The name of the record file that a conversation's own file has. */
export const studioName = 'conversation'

/**
 * The format of LM Studio's conversations, a document each: its own members (`{conversation}`), then each version of each message as
 * `{id, previous, version}`, the one that is shown last. Ids are the numbers of message and version, from 1.
 */
export const studioRecords: ComposedFormat = composedFormat({
  id: studioFormat,
  stateOf: (disk, container) => stateOfFiles(disk, [container]),
  async compose(_disk, document, { name }) {
    return name === studioName ? composeConversation(document) : undefined
  },
})

/** Threads that compose conversations for a list. */
export const studioComposing = composingInThreads('lm-studio', studioRecords, studioName)

const nowhere = { id: ['id'], parent: ['parent'], time: ['time'] } as const
const conversationShape: DocumentShape = {
  id: studioFormat,
  records: 'messages',
  facts: ['name', 'createdAt'],
  record: nowhere,
}
const messageShape: DocumentShape = {
  id: studioFormat,
  records: 'versions',
  facts: ['currentlySelected'],
  record: nowhere,
}

const never = new AbortController().signal

async function composeConversation(document: DiskFile): Promise<Composition> {
  for await (const element of elementsIn(document, conversationShape, never)) {
    if (!element.isConversation && !element.isTorn) break
    const { end, isTorn, records } = element
    const about = { messages: records.length, ...(isTorn ? { tornAt: end } : {}) }
    const lines = await linesOf(element, document)
    const behind = isTorn ? undefined : await stretchBehind(document, end)
    const other = behind === undefined ? [] : [composedLine('{"version":', behind, '}')]
    return { lines: [...lines, ...other], about }
  }
  const strange = await stretchOfNoJson(document)
  if (strange === undefined) return { lines: [], about: { messages: 0 } }
  return { lines: [unendedLine(strange)], about: { messages: 0, isDamaged: true } }
}

async function linesOf(
  { start, end, headEnd, tailStart, restStart, records, isTorn }: FoundElement,
  document: DiskFile,
): Promise<readonly ComposedLine[]> {
  const lines: ComposedLine[] = [composedLine('{"conversation":', { start, end: headEnd }, '}}')]
  let previous: string | null = null
  for (const [number, message] of records.entries()) {
    const { versions, selected } = await versionsOf(message, document)
    for (const at of [...versions.keys()].filter((one) => one !== selected).concat(selected)) {
      const version = versions[at]
      if (version !== undefined) lines.push(versionLine(idOf(number, at), previous, version))
    }
    if (versions.length > 0) previous = idOf(number, selected)
  }
  if (isTorn) {
    const rest = { start: tailStart ?? restStart, end }
    if (rest.end > rest.start) lines.push(unendedLine(rest))
  } else if (tailStart !== undefined)
    lines.push(composedLine('{"conversation":{', { start: tailStart, end }, '}'))
  return lines
}

interface Versions {
  readonly versions: readonly Stretch[]
  readonly selected: number
}

/** A message without versions is one itself. */
async function versionsOf(message: FoundRecord, document: DiskFile): Promise<Versions> {
  const element = await elementIn(document, messageShape, message.start, message.end)
  if (element === undefined || !element.isConversation) return { versions: [message], selected: 0 }
  const { records: versions, facts } = element
  const { currentlySelected: told } = facts
  const isThere = typeof told === 'number' && Number.isInteger(told) && versions[told] !== undefined
  return { versions, selected: isThere ? told : versions.length - 1 }
}

function idOf(message: number, version: number): string {
  return `${message + 1}.${version + 1}`
}

function versionLine(id: string, previous: string | null, version: Stretch): ComposedLine {
  const link = JSON.stringify({ id, previous }).slice(0, -1)
  return composedLine(`${link},"version":`, version, '}')
}
