import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { elementsIn } from '../../records/document/document-format'
import type { DocumentShape, FoundElement } from '../../records/document/shape'
import { bytesFile } from '../../records/interface/bytes-file'
import { withoutLineEnds } from '../../records/lines/composed-line'
import { depthFault } from '../common/record-values'

const shape: DocumentShape = {
  id: 'zed',
  records: 'messages',
  facts: [],
  record: { id: ['User', 'id'], parent: ['parent'], time: ['time'] },
}
const never = new AbortController().signal
const lineFeed = Buffer.from('\n')
const nothing = new Uint8Array(0)

/** A thread as a file of lines. */
export interface ComposedThread {
  readonly bytes: Buffer
  readonly messages: number
  /** The document ends inside of the thread, or is none. */
  readonly isTorn: boolean
}

/**
 * Composes the lines of a thread: its row with what stands before its messages, each message with its id, that of the one before it, the
 * thread's model and the tokens that were counted for it, and what stands behind them. Every byte of the text is on one of them.
 *
 * @param row as JSON
 */
export async function composeThread(row: string, text: Buffer): Promise<ComposedThread> {
  const document = bytesFile('thread', text, { mtimeMs: 0, identity: '' })
  const head = `{"record":"thread","row":${row},"thread":`
  for await (const element of elementsIn(document, shape, never)) {
    if (!element.isConversation) break
    const { start, end, headEnd, tailStart, restStart, records, isTorn } = element
    const members =
      tailStart === undefined ? undefined : parsed(`{${text.subarray(tailStart, end)}`)
    const usage = usageOf(records, members?.request_token_usage)
    const model = isJsonObject(members?.model) ? members.model.model : undefined
    const lines = [line(head, text.subarray(start, headEnd), '}}')]
    let previous: string | null = null
    for (const [at, record] of records.entries()) {
      const id: string = record.id ?? `${at + 1}`
      // Nothing that is undefined is written.
      const told = JSON.stringify({ id, previous, model, usage: usage.get(at) })
      const before = `{"record":"message",${told.slice(1, -1)},"data":`
      lines.push(line(before, text.subarray(record.start, record.end), '}'))
      previous = id
    }
    const rest = isTorn ? (tailStart ?? restStart) : tailStart
    if (isTorn && rest !== undefined && rest < end) lines.push(text.subarray(rest, end))
    else if (rest !== undefined)
      lines.push(line('{"record":"thread","thread":{', text.subarray(rest, end), '}'))
    const behind = text.subarray(end)
    if (behind.toString('latin1').trim() !== '')
      lines.push(line('{"record":"thread","thread":', behind, '}'))
    return { bytes: Buffer.concat(lines), messages: records.length, isTorn }
  }
  // No thread that anybody knows: it is shown as it is, in a line of its own.
  const strange = line('{"record":"thread","thread":', text, '}')
  return {
    bytes: Buffer.concat([line(head, nothing, 'null}'), strange]),
    messages: 0,
    isTorn: true,
  }
}

function line(before: string, middle: Uint8Array, after: string): Buffer {
  const copy = withoutLineEnds(Uint8Array.from(middle))
  return Buffer.concat([Buffer.from(before), copy, Buffer.from(after), lineFeed])
}

/**
 * Finds the tokens of answers, by the numbers of messages: newer threads count them for a person's prompt, that is for the last answer
 * to it, older ones for each message.
 */
function usageOf(
  records: FoundElement['records'],
  counted: unknown,
): ReadonlyMap<number, JsonObject> {
  const found = new Map<number, JsonObject>()
  if (Array.isArray(counted))
    for (const [at, usage] of counted.entries()) if (isJsonObject(usage)) found.set(at, usage)
  if (!isJsonObject(counted)) return found
  for (const [at, { id }] of records.entries()) {
    const usage = id === undefined ? undefined : counted[id]
    const next = records.findIndex((one, index) => index > at && one.id !== undefined)
    const answer = (next === -1 ? records.length : next) - 1
    if (isJsonObject(usage) && answer > at) found.set(answer, usage)
  }
  return found
}

function parsed(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isJsonObject(value) && depthFault(value) === undefined ? value : undefined
  } catch {
    return undefined // The line is shown as damaged.
  }
}
